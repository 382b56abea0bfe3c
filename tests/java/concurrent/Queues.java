// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocking queues: bounded, delayed, transferred, prioritised, closed by interruption.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

public class Queues {
    record Late(String name, long at) implements Delayed {
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed o) { return Long.compare(at, ((Late) o).at); }
    }
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(2);
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 100; i++) q.put(i);
                q.put(-1);
            } catch (InterruptedException e) {
            }
        });
        producer.start();
        int sum = 0;
        for (int x; (x = q.take()) >= 0; ) sum += x;
        System.out.println(sum + " " + q.offer(1) + q.offer(2) + q.offer(3) + " " + q.offer(3, 5, TimeUnit.MILLISECONDS)
                + " " + q);
        long now = System.nanoTime();
        DelayQueue<Late> d = new DelayQueue<>();
        d.add(new Late("second", now + 30_000_000));
        d.add(new Late("first", now + 5_000_000));
        System.out.println(d.take().name() + " " + d.take().name());
        SynchronousQueue<String> s = new SynchronousQueue<>();
        new Thread(() -> { try { s.put("handed"); } catch (InterruptedException e) { } }).start();
        System.out.println(s.take() + " " + s.poll() + " " + s.size());
        LinkedTransferQueue<String> t = new LinkedTransferQueue<>();
        Thread taker = new Thread(() -> { try { System.out.println(t.take()); } catch (InterruptedException e) { } });
        taker.start();
        t.transfer("transferred");
        taker.join();
        Exchanger<String> e = new Exchanger<>();
        Thread other = new Thread(() -> {
            try {
                System.out.println(e.exchange("b"));
            } catch (InterruptedException x) {
            }
        });
        other.start();
        String got = e.exchange("a");
        other.join();
        System.out.println(got + " " + new PriorityBlockingQueue<>(java.util.List.of(3, 1, 2)).poll() + " "
                + new ConcurrentLinkedDeque<>(java.util.List.of(1, 2)).pollLast());
        Thread blocked = new Thread(() -> {
            try {
                new SynchronousQueue<>().take();
            } catch (InterruptedException x) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        blocked.start();
        blocked.interrupt();
        blocked.join();
    }
}
