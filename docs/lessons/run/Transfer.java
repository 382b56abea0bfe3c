import java.util.concurrent.CountDownLatch;

public class Transfer {
    static final Object savings = new Object(), current = new Object();
    static final CountDownLatch bothHoldOne = new CountDownLatch(2);

    static void transfer(Object from, Object to) {
        synchronized (from) {
            bothHoldOne.countDown();
            try {
                bothHoldOne.await();
            } catch (InterruptedException impossible) {
                return;
            }
            synchronized (to) {
                System.out.println("transferred");
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread alice = new Thread(() -> transfer(savings, current), "alice");
        Thread bob = new Thread(() -> transfer(current, savings), "bob");
        alice.setDaemon(true);   // the VM ends although the daemons wait
        bob.setDaemon(true);
        alice.start();
        bob.start();
        alice.join(500);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
