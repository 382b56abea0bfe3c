// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// 9 threads set two numbers one after the other, and a checking thread may see only the first number set.
public class Reorder10Bad {
    static final int SETTERS = 9;

    volatile int a, b;

    void set() {
        a = 1;
        b = -1;
    }

    void check() {
        int seenA = a, seenB = b;
        assert seenA == 0 && seenB == 0 || seenA == 1 && seenB == -1 : "a = " + seenA + ", b = " + seenB;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Reorder10Bad program = new Reorder10Bad();
        Thread[] threads = new Thread[SETTERS + 1];
        for (int i = 0; i < SETTERS; i++) threads[i] = new Thread(program::set);
        threads[SETTERS] = new Thread(program::check);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
