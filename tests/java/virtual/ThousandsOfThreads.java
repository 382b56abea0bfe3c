// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ten thousand short threads one after the other in small groups, and two thousand alive at once on small stacks.
// stress: no
// timeout: 60
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class ThousandsOfThreads {
    public static void main(String[] args) throws Exception {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 2500; i++) {
            Thread[] group = new Thread[4];
            for (int k = 0; k < group.length; k++) {
                group[k] = new Thread(() -> {
                    synchronized (ran) {
                        ran.set(ran.get() + 1);
                    }
                });
                group[k].start();
            }
            for (Thread t : group) t.join();
        }
        System.out.println("short ones: " + ran);

        int many = 2000;
        CountDownLatch alive = new CountDownLatch(many), end = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            Thread t = new Thread(null, () -> {
                alive.countDown();
                try { end.await(); } catch (InterruptedException e) { System.out.println(e); }
                ran.incrementAndGet();
            }, "t" + i, 64 * 1024);
            t.start();
            all.add(t);
        }
        alive.await();
        System.out.println("at once: " + (Thread.activeCount() == many + 1));
        System.gc();
        end.countDown();
        for (Thread t : all) t.join();
        System.out.println("all: " + ran);
    }
}
