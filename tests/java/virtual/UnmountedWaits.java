// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual threads on continuations: more blocked threads than carriers, Object.wait, time limits, interrupts, static
// initialisers that sleep, executors, hand-over, the stack trace of an exception, a stack overflow.
// since: 25
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class UnmountedWaits {
    static class Box {
        Object value;
        synchronized void put(Object v) throws InterruptedException {
            while (value != null) wait();
            value = v;
            notifyAll();
        }
        synchronized Object take() throws InterruptedException {
            while (value == null) wait();
            Object v = value;
            value = null;
            notifyAll();
            return v;
        }
    }
    static class Slow {
        static int value;
        static {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
            }
            value = 7;
        }
    }
    public static void main(String[] a) throws Exception {
        // More threads are blocked than there are carriers, and the owner of the lock sleeps.
        Object lock = new Object();
        AtomicInteger in = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) all.add(Thread.ofVirtual().start(() -> {
            synchronized (lock) {
                try {
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                }
                in.incrementAndGet();
            }
        }));
        for (Thread t : all) t.join();
        System.out.println("locked " + in);
        Box box = new Box();
        long[] sum = {
            0
        };
        Thread p = Thread.ofVirtual().start(() -> {
            try {
                for (int i = 1; i <= 1000; i++) box.put(i);
            } catch (InterruptedException e) {
            }
        });
        Thread c = Thread.ofVirtual().start(() -> {
            try {
                for (int i = 1; i <= 1000; i++) sum[0] += (Integer) box.take();
            } catch (InterruptedException e) {
            }
        });
        p.join();
        c.join();
        System.out.println("sum " + sum[0]);
        all.clear();
        AtomicInteger timed = new AtomicInteger();
        for (int i = 0; i < 20; i++) all.add(Thread.ofVirtual().start(() -> {
            Object o = new Object();
            synchronized (o) {
                try {
                    o.wait(20);
                    timed.incrementAndGet();
                } catch (InterruptedException e) {
                }
            }
        }));
        for (Thread t : all) t.join();
        System.out.println("timed " + timed);
        Thread w = Thread.ofVirtual().start(() -> {
            Object o = new Object();
            synchronized (o) {
                try {
                    o.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted in wait " + Thread.currentThread().isInterrupted());
                }
            }
        });
        Thread.sleep(50);
        System.out.println(w.getState());
        w.interrupt();
        w.join();
        Thread s = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                System.out.println("interrupted asleep");
            }
        });
        Thread.sleep(20);
        System.out.println(s.getState());
        s.interrupt();
        s.join();
        all.clear();
        AtomicInteger seven = new AtomicInteger();
        for (int i = 0; i < 10; i++) all.add(Thread.ofVirtual().start(() -> {
            seven.addAndGet(Slow.value);
        }));
        for (Thread t : all) t.join();
        System.out.println("initialised " + seven);
        try (var ex = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> fs = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                int k = i;
                fs.add(ex.submit(() -> {
                    Thread.sleep(5);
                    byte[][] g = new byte[20][];
                    for (int j = 0; j < 20; j++) g[j] = new byte[1000];
                    return k + g.length;
                }));
            }
            int total = 0;
            for (var f : fs) total += f.get();
            System.out.println("tasks " + total);
        }
        SynchronousQueue<Integer> q = new SynchronousQueue<>();
        Thread t1 = Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < 1000; i++) q.put(i);
            } catch (InterruptedException e) {
            }
        });
        int x = 0;
        for (int i = 0; i < 1000; i++) x += q.take();
        t1.join();
        System.out.println("queue " + x);
        Thread e = Thread.ofVirtual().unstarted(() -> {
            throw new IllegalStateException("thrown");
        });
        e.setUncaughtExceptionHandler((t, ex) -> {
            System.out.println(ex);
            for (var f : ex.getStackTrace()) System.out.println("  " + f.getClassName() + "." + f.getMethodName());
        });
        e.start();
        e.join();
        Thread deep = Thread.ofVirtual().start(() -> {
            try {
                recurse(0);
            } catch (StackOverflowError so) {
                System.out.println("overflow");
            }
        });
        deep.join();
    }
    static int recurse(int n) {
        return recurse(n + 1) + 1;
    }
}
