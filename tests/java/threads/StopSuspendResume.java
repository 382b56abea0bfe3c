// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread.stop in every state, before the start, after the end; Thread.suspend and resume.
// until: 17
// java: -XX:TieredStopAtLevel=1
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class StopSuspendResume {
    static volatile boolean started;
    static volatile long count;

    static void await(Thread t, Thread.State s) throws Exception {
        while (t.getState() != s) Thread.sleep(1);
    }

    interface Body {
        void run() throws Exception;
    }

    @SuppressWarnings("removal")
    static void stopped(String what, Thread.State state, Body body) throws Exception {
        started = false;
        Thread t =
                new Thread(
                        () -> {
                            try {
                                started = true;
                                body.run();
                                System.out.println(what + ": not stopped");
                            } catch (Throwable e) {
                                System.out.println(
                                        what
                                                + ": "
                                                + e.getClass().getName()
                                                + " "
                                                + (e instanceof ThreadDeath));
                            } finally {
                                System.out.println(what + ": finally");
                            }
                        },
                        what);
        t.start();
        while (!started) Thread.sleep(1);
        await(t, state);
        t.stop();
        t.join();
        System.out.println(what + ": " + t.isAlive() + " " + t.getState());
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        stopped(
                "loop",
                Thread.State.RUNNABLE,
                () -> {
                    for (; ; ) count++;
                });
        stopped("sleep", Thread.State.TIMED_WAITING, () -> Thread.sleep(100000));
        stopped(
                "wait",
                Thread.State.WAITING,
                () -> {
                    synchronized (lock) {
                        lock.wait();
                    }
                });
        stopped(
                "timed wait",
                Thread.State.TIMED_WAITING,
                () -> {
                    synchronized (lock) {
                        lock.wait(100000);
                    }
                });
        stopped(
                "park",
                Thread.State.WAITING,
                () -> {
                    for (; ; ) LockSupport.park();
                });
        // The exception of Thread.stop releases the lock.
        stopped(
                "locked",
                Thread.State.RUNNABLE,
                () -> {
                    synchronized (lock) {
                        for (; ; ) count++;
                    }
                });
        synchronized (lock) {
            System.out.println("lock is free");
        }
        // Uncaught: silent.
        Thread silent =
                new Thread(
                        () -> {
                            for (; ; ) count++;
                        });
        silent.start();
        silent.stop();
        silent.join();
        System.out.println("silent " + silent.getState());
        // A handler sees it.
        Thread seen =
                new Thread(
                        () -> {
                            for (; ; ) count++;
                        });
        seen.setUncaughtExceptionHandler((t, e) -> System.out.println("handler " + e));
        seen.start();
        seen.stop();
        seen.join();
        // Before the start.
        Thread never = new Thread(() -> System.out.println("must not run"));
        never.stop();
        never.start();
        never.join();
        System.out.println("never " + never.getState());
        // After the end.
        never.stop();
        // Itself.
        try {
            Thread.currentThread().stop();
        } catch (ThreadDeath e) {
            System.out.println("self " + e.getMessage());
        }
        // Thread.stop of a thread that is blocked on a monitor has its effect when the thread has entered the monitor.
        Thread blocked =
                new Thread(
                        () -> {
                            try {
                                synchronized (lock) {
                                    for (; ; ) count++;
                                }
                            } catch (ThreadDeath e) {
                                System.out.println("blocked " + e + " " + Thread.holdsLock(lock));
                            }
                        });
        synchronized (lock) {
            blocked.start();
            await(blocked, Thread.State.BLOCKED);
            blocked.stop();
            Thread.sleep(20);
            System.out.println("still " + blocked.getState());
        }
        blocked.join();
        // Suspend and resume.
        AtomicLong steps = new AtomicLong();
        AtomicBoolean end = new AtomicBoolean();
        Thread worker =
                new Thread(
                        () -> {
                            while (!end.get()) steps.incrementAndGet();
                        });
        worker.start();
        for (int i = 0; i < 20; i++) {
            while (steps.get() == 0) Thread.onSpinWait();
            worker.suspend();
            long before = steps.get();
            Thread.sleep(2);
            long after = steps.get();
            if (before != after) System.out.println("runs although suspended: " + (after - before));
            steps.set(0);
            worker.resume();
        }
        // Collections while somebody is suspended.
        worker.suspend();
        System.gc();
        System.out.println("suspended " + worker.getState() + " " + worker.isAlive());
        worker.resume();
        end.set(true);
        worker.join();
        Thread sleeper =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(1000000);
                            } catch (InterruptedException e) {
                            }
                            System.out.println("woke");
                        });
        sleeper.start();
        await(sleeper, Thread.State.TIMED_WAITING);
        sleeper.suspend();
        sleeper.interrupt();
        Thread.sleep(50);
        System.out.println("sleeper alive " + sleeper.isAlive());
        sleeper.resume();
        sleeper.join();
        // Suspended, then stopped: stop() resumes.
        started = false;
        Thread both =
                new Thread(
                        () -> {
                            try {
                                started = true;
                                for (; ; ) count++;
                            } catch (ThreadDeath e) {
                                System.out.println("stopped after suspension");
                            }
                        });
        both.start();
        while (!started) Thread.sleep(1);
        both.suspend();
        both.stop();
        both.join();
        Thread self =
                new Thread(
                        () -> {
                            Thread.currentThread().suspend();
                            System.out.println("resumed");
                        });
        self.start();
        Thread.sleep(30);
        while (self.isAlive()) {
            self.resume();
            Thread.sleep(1);
        }
        // resume without suspend does nothing.
        Thread.currentThread().resume();
        System.out.println("end");
    }
}
