// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual thread parks, waits for a lock that main has, is notified, and ends. Library 25.
// tests/launcher/recording.py follows it.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

public class Carried {
    static final class Lock { }

    static final Lock lock = new Lock();
    static boolean told;

    static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) Thread.onSpinWait();
    }

    public static void main(String[] arguments) throws Exception {
        Thread runner;
        CountDownLatch unparked = new CountDownLatch(1);
        synchronized (lock) {
            runner = Thread.ofVirtual().name("runner").start(() -> {
                while (unparked.getCount() != 0) LockSupport.park();
                synchronized (lock) {
                    try {
                        while (!told) lock.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            awaitState(runner, Thread.State.WAITING);
            unparked.countDown();
            LockSupport.unpark(runner);
            awaitState(runner, Thread.State.BLOCKED);
            Thread.sleep(20);   // longer than it spins
        }
        awaitState(runner, Thread.State.WAITING);
        synchronized (lock) {
            told = true;
            lock.notify();
        }
        runner.join();
        System.out.println("done");
    }
}
