// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// main holds a lock until three workers queue for it. Then each worker takes it a hundred times, on two levels.
// tests/launcher/recording.py counts the recorded events of the lock, and expects line 13.
public class Contended {
    static final class Lock { }

    static Lock lock;
    static int counter;

    static void outer() {
        synchronized (lock) {
            inner();
        }
    }

    static void inner() {
        synchronized (lock) {
            counter++;
        }
    }

    static void awaitBlocked(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
    }

    static void contend() throws InterruptedException {
        lock = new Lock();
        counter = 0;
        Thread[] workers = new Thread[3];
        synchronized (lock) {
            for (int i = 0; i < workers.length; i++) {
                workers[i] = new Thread(() -> {
                    for (int k = 0; k < 100; k++) outer();
                }, "worker " + i);
                workers[i].start();
                awaitBlocked(workers[i]);
            }
        }
        for (Thread worker : workers) worker.join();
        synchronized (lock) {
            lock.notify();
            lock.wait(1);
        }
        if (lock.hashCode() != System.identityHashCode(lock)) throw new AssertionError();
        try {
            lock.notify();
            throw new AssertionError();
        } catch (IllegalMonitorStateException expected) {
        }
    }

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "" : arguments[0];
        if (what.equals("again")) {
            System.out.println("ready");
            System.in.read();
        }
        contend();
        if (what.equals("exit")) System.exit(7);
        if (what.equals("halt")) Runtime.getRuntime().halt(7);
        System.out.println(what.equals("stay") ? "staying" : "done " + counter);
        if (what.equals("stay") || what.equals("again")) Thread.sleep(600_000);
    }
}
