// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// One thread holds a monitor and wants a ReentrantLock, the other one has them the other way round.
// Run: ./keyhole --look examples/findings/MixedDeadlock.java

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

public class MixedDeadlock {
    static class Cache {
    }

    static final Cache cache = new Cache();
    static final ReentrantLock disk = new ReentrantLock();
    static final CountDownLatch bothHoldOne = new CountDownLatch(2);

    static void meet() {
        bothHoldOne.countDown();
        try {
            bothHoldOne.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    static void read() {
        synchronized (cache) {
            meet();
            disk.lock();
            disk.unlock();
        }
    }

    static void flush() {
        disk.lock();
        try {
            meet();
            synchronized (cache) {
                System.out.println("flushed");
            }
        } finally {
            disk.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread reader = new Thread(MixedDeadlock::read, "reader");
        Thread flusher = new Thread(MixedDeadlock::flush, "flusher");
        reader.setDaemon(true);   // so that the VM can end
        flusher.setDaemon(true);
        reader.start();
        flusher.start();
        reader.join(500);
        System.out.println("reader is " + reader.getState() + ", flusher is " + flusher.getState());
    }
}
