public class Barging {
    static final Object lock = new Barging();
    static String order = "";

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) {
                order += " other";
            }
        });
        synchronized (lock) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
        synchronized (lock) {                    // at once again
            order += " main";
        }
        other.join();
        System.out.println("order:" + order);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
