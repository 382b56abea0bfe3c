// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Many threads race to initialise one class: it happens once and everyone sees the result.
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Concurrent {
    static AtomicInteger runs = new AtomicInteger();

    static class Slow {
        static final int[] data;

        static {
            runs.incrementAndGet();
            int[] d = new int[1000];
            for (int i = 0; i < d.length; i++) {
                d[i] = i;
                if (i % 100 == 0) Thread.yield();
            }
            data = d;
        }

        static int sum() {
            int s = 0;
            for (int x : data) s += x;
            return s;
        }
    }

    static class A {
        static {
            B.touch();
        }

        static int v = 1;

        static void touch() {}
    }

    static class B {
        static {
            A.touch();
        }

        static int v = 2;

        static void touch() {}
    }

    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[8];
        int[] sums = new int[8];
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 8; i++) {
            int k = i;
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    go.await();
                                } catch (InterruptedException e) {
                                }
                                sums[k] = Slow.sum();
                            });
            ts[i].start();
        }
        go.countDown();
        for (Thread t : ts) t.join();
        for (int s : sums) System.out.print(s + " ");
        System.out.println(runs.get());
        System.out.println(A.v + B.v);
    }
}
