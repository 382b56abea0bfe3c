import java.util.concurrent.CountDownLatch;

public class Parked {
    static final CountDownLatch gate = new CountDownLatch(1);

    static void await() {
        try {
            gate.await();
        } catch (InterruptedException impossible) {
            return;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = new Thread[Integer.parseInt(args[0])];
        for (int i = 0; i < all.length; i++) all[i] = Thread.ofVirtual().start(Parked::await);
        Thread.sleep(500);
        System.out.println(all.length + " wait; " + all[0].getState());
        gate.countDown();
        for (Thread each : all) each.join();
        System.out.println("all are done");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
