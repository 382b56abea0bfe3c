// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pool serves its borrowers in order: one that waits for an exhausted key holds up another one whose key is free.
import java.util.ArrayDeque;

public class Pool146 {
    final int[] idle = {0, 1};
    final ArrayDeque<Thread> borrowers = new ArrayDeque<>();

    synchronized void borrow(int key) {
        borrowers.add(Thread.currentThread());
        try {
            while (borrowers.peek() != Thread.currentThread() || idle[key] == 0) wait();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
        borrowers.remove();
        idle[key]--;
        notifyAll();
    }

    synchronized void giveBack(int key) {
        idle[key]++;
        notifyAll();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Pool146 pool = new Pool146();
        Thread exhausted = new Thread(() -> pool.borrow(0));
        exhausted.start();
        pool.borrow(1);
        pool.giveBack(0);
        exhausted.join();
    }
}
