// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// join with a timeout, join of an unstarted thread, sleep arguments.
import java.util.concurrent.CountDownLatch;

public class JoinTimeout {
    public static void main(String[] args) throws Exception {
        CountDownLatch end = new CountDownLatch(1);   // keeps the thread alive until all joins below have returned
        Thread t =
                new Thread(
                        () -> {
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                            }
                        });
        t.join();
        t.start();
        t.join(10);
        System.out.println(t.isAlive());
        t.join(5, 5000);
        end.countDown();
        t.join(1_000_000);
        System.out.println(t.isAlive());
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            t.join(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread.sleep(0);
        Thread.sleep(1, 500000);
    }
}
