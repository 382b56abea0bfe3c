// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// 99 threads set two numbers under two locks one after the other, and a reader comes between the two.
public class Twostage100Bad {
    static final int SETTERS = 99;

    final Object firstLock = new Object(), secondLock = new Object();
    int first, second;

    void set() {
        synchronized (firstLock) {
            first = 1;
        }
        synchronized (secondLock) {
            second = first + 1;
        }
    }

    void read() {
        int seenFirst, seenSecond;
        synchronized (firstLock) {
            if (first == 0) return;
            seenFirst = first;
        }
        synchronized (secondLock) {
            seenSecond = second;
        }
        assert seenSecond == seenFirst + 1 : seenFirst + ", then " + seenSecond;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Twostage100Bad program = new Twostage100Bad();
        Thread[] threads = new Thread[SETTERS + 1];
        for (int i = 0; i < SETTERS; i++) threads[i] = new Thread(program::set);
        threads[SETTERS] = new Thread(program::read);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
