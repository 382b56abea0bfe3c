public class Together {
    static int sum;

    static synchronized void add() {
        ++sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; ++i) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 5000; ++n) add();
            });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(sum + " of 20000");
    }
}
// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
