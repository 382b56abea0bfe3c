// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Two threads count, in the way that the argument says. Only the plain counter has a data race.

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class Counters {
    static int count;
    static volatile int visible;
    static final AtomicInteger atomic = new AtomicInteger();
    static final ReentrantLock lock = new ReentrantLock();

    static void plain() {
        count++;
    }
    static void locked() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Runnable step = switch (arguments[0]) {
            case "plain" -> Counters::plain;
            case "volatile" -> () -> visible++;
            case "atomic" -> atomic::incrementAndGet;
            case "synchronized" -> () -> { synchronized (Counters.class) { count++; } };
            default -> Counters::locked;
        };
        Runnable body = () -> { for (int i = 0; i < 5; i++) step.run(); };
        Thread left = new Thread(body, "left"), right = new Thread(body, "right");
        left.start();
        right.start();
        left.join();
        right.join();
    }
}
