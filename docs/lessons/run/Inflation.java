public class Inflation {
    static final Inflation lock = new Inflation();

    public static void main(String[] args) throws InterruptedException {
        synchronized (lock) {                    // nobody else wants it
        }
        Thread other = new Thread(() -> {
            synchronized (lock) {                // main has it
            }
        }, "other");
        synchronized (lock) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        }
        other.join();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
