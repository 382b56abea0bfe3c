// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The thread that an exit chooses next is suspended. The owner releases the lock by leaving its block or by
// Object.wait. After the suspended thread is resumed, all threads get the lock, and none sleeps beside a free lock.
// until: 17
import java.util.ArrayList;
import java.util.List;

public class SuspendedSuccessor {
    static int visits;

    static void awaitState(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    @SuppressWarnings("removal")
    static void round(int waiters, int suspended, boolean inWait) throws InterruptedException {
        Object lock = new Object();
        visits = 0;
        List<Thread> all = new ArrayList<>();
        synchronized (lock) {
            for (int i = 0; i < waiters; i++) {
                Thread thread = new Thread(() -> {
                    synchronized (lock) {
                        visits++;
                    }
                });
                all.add(thread);
                thread.start();
                awaitState(thread, Thread.State.BLOCKED);
            }
            all.get(suspended).suspend();
            if (inWait) lock.wait(20);
        }
        Thread.sleep(20);   // by now the lock is free, or held by a thread that sleeps
        all.get(suspended).resume();
        for (Thread thread : all) thread.join();
        synchronized (lock) {
            System.out.println(waiters + " waiters, suspended " + suspended + ", in wait " + inWait + ": " + visits);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            for (int suspended = 0; suspended < 3; suspended++) {
                round(3, suspended, false);
                round(3, suspended, true);
            }
            round(1, 0, false);
        }
    }
}
