public class WaitNotify {
    static final WaitNotify box = new WaitNotify();
    static String letter;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            synchronized (box) {
                try {
                    while (letter == null) box.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }, "reader");
        reader.start();
        while (reader.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (box) {
            letter = "hello";
            box.notify();
        }
        reader.join();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
