// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Three threads take one lock for a moment each, again and again. Without spinning (-XX:SpinPauses=0) a mode that hands
// the lock over waits until the next thread has woken up.
public class HandOver {
    static final Object lock = new Object();
    static int sum;

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < rounds; k++) {
                    synchronized (lock) {
                        for (int n = 0; n < 300; n++) sum = sum * 31 + n;
                    }
                }
            }, "worker " + i);
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println("sum " + sum);
    }
}
