// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads take two locks in opposite orders.
import java.util.concurrent.locks.ReentrantLock;

public class Deadlock01Bad {
    final ReentrantLock left = new ReentrantLock(), right = new ReentrantLock();
    int count;

    void add(ReentrantLock outer, ReentrantLock inner, int amount) {
        outer.lock();
        inner.lock();
        count += amount;
        inner.unlock();
        outer.unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Deadlock01Bad program = new Deadlock01Bad();
        Thread first = new Thread(() -> program.add(program.left, program.right, 1));
        Thread second = new Thread(() -> program.add(program.right, program.left, -1));
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
