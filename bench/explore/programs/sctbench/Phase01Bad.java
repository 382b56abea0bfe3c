// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread ends without releasing its first lock, and the other thread waits for the lock in every schedule.
import java.util.concurrent.locks.ReentrantLock;

public class Phase01Bad {
    final ReentrantLock first = new ReentrantLock(), second = new ReentrantLock();

    void phases() {
        first.lock();
        first.unlock();
        first.lock();
        second.lock();
        second.unlock();
        second.lock();
        second.unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Phase01Bad program = new Phase01Bad();
        Thread one = new Thread(program::phases), two = new Thread(program::phases);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
