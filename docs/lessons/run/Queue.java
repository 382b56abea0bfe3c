public class Queue {
    static final Object lock = new Queue();

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        synchronized (lock) {
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    synchronized (lock) {
                    }
                }, "waiter " + i);
                threads[i].start();
                while (threads[i].getState() != Thread.State.BLOCKED) Thread.sleep(1);
            }
        }
        for (Thread thread : threads) thread.join();
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
