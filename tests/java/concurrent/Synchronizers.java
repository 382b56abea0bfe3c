// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CountDownLatch, CyclicBarrier, Phaser, Exchanger.
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Synchronizers {
    public static void main(String[] args) throws Exception {
        AtomicInteger trips = new AtomicInteger(), done = new AtomicInteger();
        CyclicBarrier b = new CyclicBarrier(3, trips::incrementAndGet);
        CountDownLatch l = new CountDownLatch(3);
        for (int i = 0; i < 3; i++)
            new Thread(
                            () -> {
                                try {
                                    for (int k = 0; k < 20; k++) b.await();
                                    done.incrementAndGet();
                                } catch (Exception e) {
                                    System.out.println(e);
                                }
                                l.countDown();
                            })
                    .start();
        l.await();
        System.out.println(trips + " " + done);
        Phaser ph = new Phaser(1);
        for (int i = 0; i < 3; i++) {
            ph.register();
            new Thread(
                            () -> {
                                for (int k = 0; k < 5; k++) ph.arriveAndAwaitAdvance();
                                ph.arriveAndDeregister();
                            })
                    .start();
        }
        for (int k = 0; k < 5; k++) ph.arriveAndAwaitAdvance();
        System.out.println(ph.arriveAndDeregister());
        Exchanger<String> ex = new Exchanger<>();
        String[] got = new String[1];
        Thread t =
                new Thread(
                        () -> {
                            try {
                                got[0] = ex.exchange("from thread");
                            } catch (InterruptedException e) {
                            }
                        });
        t.start();
        System.out.println(ex.exchange("from main"));
        t.join();
        System.out.println(got[0]);
        CyclicBarrier bb = new CyclicBarrier(2);
        try {
            bb.await(5, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("barrier timeout " + bb.isBroken());
        }
    }
}
