// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The consumer tells the producer that there is room but leaves the element there, so the producer waits for ever.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Sync01Bad {
    final ReentrantLock lock = new ReentrantLock();
    final Condition empty = lock.newCondition(), full = lock.newCondition();
    int elements = 1;

    void produce() {
        lock.lock();
        while (elements > 0) empty.awaitUninterruptibly();
        elements++;
        full.signal();
        lock.unlock();
    }

    void consume() {
        lock.lock();
        while (elements == 0) full.awaitUninterruptibly();
        empty.signal();
        lock.unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sync01Bad program = new Sync01Bad();
        Thread producer = new Thread(program::produce), consumer = new Thread(program::consume);
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
    }
}
