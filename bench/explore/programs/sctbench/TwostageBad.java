// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread sets two numbers under two locks one after the other, and a reader comes between the two.
public class TwostageBad {
    static final int SETTERS = 1;

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
        TwostageBad program = new TwostageBad();
        Thread[] threads = new Thread[SETTERS + 1];
        for (int i = 0; i < SETTERS; i++) threads[i] = new Thread(program::set);
        threads[SETTERS] = new Thread(program::read);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
