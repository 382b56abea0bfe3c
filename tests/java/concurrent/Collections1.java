// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ConcurrentHashMap, CopyOnWrite, queues of all kinds, skip lists, under contention.
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Collections1 {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
        Thread[] ts = new Thread[4];
        for (int t = 0; t < 4; t++) {
            ts[t] =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 3000; i++) {
                                    m.merge(i % 500, 1, Integer::sum);
                                    m.computeIfAbsent(10000 + i, k -> k);
                                    if (i % 3 == 0) m.remove(10000 + i - 1);
                                }
                            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(
                IntStream.range(0, 500).map(m::get).sum()
                        + " "
                        + m.reduceValuesToLong(1, Integer::longValue, 0, Math::max)
                        + " "
                        + m.mappingCount());
        BlockingQueue<Integer> q = new ArrayBlockingQueue<>(5);
        long[] sum = {0};
        Thread prod =
                new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < 1000; i++) q.put(i);
                                q.put(-1);
                            } catch (InterruptedException e) {
                            }
                        });
        Thread cons =
                new Thread(
                        () -> {
                            try {
                                for (int x; (x = q.take()) >= 0; ) sum[0] += x;
                            } catch (InterruptedException e) {
                            }
                        });
        prod.start();
        cons.start();
        prod.join();
        cons.join();
        System.out.println(sum[0]);
        LinkedBlockingQueue<String> lq = new LinkedBlockingQueue<>(1);
        System.out.println(
                lq.offer("a")
                        + " "
                        + lq.offer("b")
                        + " "
                        + lq.poll(1, TimeUnit.MILLISECONDS)
                        + " "
                        + lq.poll(1, TimeUnit.MILLISECONDS));
        SynchronousQueue<Integer> sq = new SynchronousQueue<>();
        Thread giver =
                new Thread(
                        () -> {
                            try {
                                sq.put(5);
                            } catch (InterruptedException e) {
                            }
                        });
        giver.start();
        System.out.println(sq.take());
        PriorityBlockingQueue<Integer> pq = new PriorityBlockingQueue<>(List.of(3, 1, 2));
        System.out.println(pq.take() + "" + pq.take());
        ConcurrentLinkedQueue<Integer> cq = new ConcurrentLinkedQueue<>();
        Thread[] us = new Thread[3];
        for (int t = 0; t < 3; t++) {
            us[t] =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 1000; i++) cq.add(i);
                            });
            us[t].start();
        }
        for (Thread t : us) t.join();
        int c = 0;
        while (cq.poll() != null) c++;
        System.out.println(c);
        ConcurrentSkipListMap<Integer, String> sk = new ConcurrentSkipListMap<>();
        for (int i = 50; i > 0; i--) sk.put(i * 7 % 51, "v" + i);
        System.out.println(
                sk.firstKey() + " " + sk.floorKey(25) + " " + sk.headMap(5) + " " + sk.size());
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2));
        for (int x : cow) cow.add(x + 10);
        System.out.println(cow);
        DelayQueue<Delayed> dq = new DelayQueue<>();
        System.out.println(
                dq.poll()
                        + " "
                        + new LinkedTransferQueue<>(List.of(1)).size()
                        + " "
                        + new ConcurrentLinkedDeque<>(List.of(1, 2)).peekLast()
                        + new LinkedBlockingDeque<>(List.of(9)).pollFirst());
    }
}
