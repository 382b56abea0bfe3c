// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The consumer takes only the two elements that are there at the start, so the producer has no room for its second.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Sync02Bad {
    static final int TURNS = 2;

    final ReentrantLock lock = new ReentrantLock();
    final Condition empty = lock.newCondition(), full = lock.newCondition();
    int elements = TURNS;

    void produce() {
        for (int turn = 0; turn < TURNS; turn++) {
            lock.lock();
            while (elements > 0) empty.awaitUninterruptibly();
            elements++;
            full.signal();
            lock.unlock();
        }
    }

    void consume() {
        for (int turn = 0; turn < TURNS; turn++) {
            lock.lock();
            while (elements == 0) full.awaitUninterruptibly();
            elements--;
            empty.signal();
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sync02Bad program = new Sync02Bad();
        Thread producer = new Thread(program::produce), consumer = new Thread(program::consume);
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
    }
}
