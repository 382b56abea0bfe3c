// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread is suspended in Object.wait, at a monitor, or in a park, a sleep or a class initialiser. Even when woken, it
// takes no lock until it is resumed, so the other threads get in. After it is resumed, it holds all its levels again.
// until: 17
import java.util.concurrent.locks.LockSupport;

public class SuspendedWaiters {
    static final long LONG = 20;   // milliseconds; a thread that can continue does so within this time
    static final long SOON = 150;  // milliseconds: time limit of a wait, during which the waiting thread is suspended

    interface Body {
        void run() throws Exception;
    }

    static class Lock {
        volatile boolean returned;
        int visits;
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    // Checks that another thread gets the lock within ten seconds.
    static String visit(Lock lock) throws InterruptedException {
        Thread visitor = new Thread(() -> {
            synchronized (lock) {
                lock.visits++;
            }
        });
        visitor.setDaemon(true);
        visitor.start();
        visitor.join(10_000);
        return visitor.isAlive() ? "shut out" : "in";
    }

    static void nested(Lock lock, int levels, Body body) throws Exception {
        synchronized (lock) {
            if (levels > 1) nested(lock, levels - 1, body);
            else body.run();
        }
    }

    // A thread holds `levels` levels of the lock and waits. It is suspended while it waits, and then woken.
    @SuppressWarnings("removal")
    static void waits(String name, int levels, long milliseconds, Body wake, Lock lock, Thread[] waiter)
            throws Exception {
        String[] end = {"normally"};
        waiter[0] = new Thread(() -> {
            try {
                nested(lock, levels, () -> {
                    try {
                        lock.wait(milliseconds);
                    } catch (InterruptedException e) {
                        end[0] = "interrupted";
                    }
                    lock.returned = true;
                    lock.visits++;
                    if (!Thread.holdsLock(lock)) end[0] += ", without the lock";
                });
                if (Thread.holdsLock(lock)) end[0] += ", with the lock still";
            } catch (Exception e) {
                end[0] = e.toString();
            }
        });
        waiter[0].setDaemon(true);
        Thread suspended = waiter[0];
        synchronized (lock) {
            suspended.start();
            await(suspended, Thread.State.BLOCKED);
        }
        await(suspended, milliseconds == 0 ? Thread.State.WAITING : Thread.State.TIMED_WAITING);
        suspended.suspend();
        wake.run();
        Thread.sleep(LONG);
        Thread.State state = suspended.getState();
        String first = visit(lock);
        System.gc();
        String second = visit(lock);
        boolean returned = lock.returned;
        suspended.resume();
        suspended.join(10_000);
        System.out.println(name + ", levels " + levels + ": " + state + ", others " + first + " " + second
                + ", returned " + returned + "; resumed: " + (suspended.isAlive() ? "hangs" : end[0])
                + ", visits " + lock.visits);
    }

    static void eachWake(int levels) throws Exception {
        Lock one = new Lock(), all = new Lock(), late = new Lock(), interrupted = new Lock(), both = new Lock();
        Thread[] waiter = {null};
        waits("notify", levels, 0, () -> {
            synchronized (one) {
                one.notify();
            }
        }, one, waiter);
        waits("notifyAll, timed", levels, 100_000, () -> {
            synchronized (all) {
                all.notifyAll();
                Thread.sleep(LONG);
            }
        }, all, waiter);
        waits("time", levels, SOON, () -> Thread.sleep(2 * SOON), late, waiter);
        waits("interrupt", levels, 0, () -> waiter[0].interrupt(), interrupted, waiter);
        waits("notify, then interrupt", levels, 0, () -> {
            synchronized (both) {
                both.notify();
            }
            waiter[0].interrupt();
        }, both, waiter);
    }

    // A thread is suspended while it queues for the lock. With `withOthers`, other threads queue before and after this
    // thread. Then the lock is released.
    @SuppressWarnings("removal")
    static void enters(boolean withOthers) throws Exception {
        Lock lock = new Lock();
        Thread[] threads = new Thread[withOthers ? 5 : 1];
        int middle = threads.length / 2;
        synchronized (lock) {
            for (int i = 0; i < threads.length; i++) {
                boolean isMiddle = i == middle;
                threads[i] = new Thread(() -> {
                    synchronized (lock) {
                        lock.visits++;
                        lock.returned |= isMiddle;
                    }
                });
                threads[i].setDaemon(true);
                threads[i].start();
                await(threads[i], Thread.State.BLOCKED);
            }
            threads[middle].suspend();
        }
        for (int i = 0; i < threads.length; i++) {
            if (i != middle) threads[i].join(10_000);
        }
        Thread.sleep(LONG);
        String other = visit(lock);
        System.out.println("monitorenter, others " + withOthers + ": " + threads[middle].getState() + ", another "
                + other + ", entered " + lock.returned + ", visits " + lock.visits);
        threads[middle].resume();
        threads[middle].join(10_000);
        System.out.println("monitorenter, resumed: " + lock.returned + " " + lock.visits);
    }

    // A suspended waiter is notified, and is resumed before the notifier releases the lock.
    @SuppressWarnings("removal")
    static void resumedEarly() throws Exception {
        Lock lock = new Lock();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                lock.visits++;
            }
        });
        waiter.start();
        await(waiter, Thread.State.WAITING);
        waiter.suspend();
        synchronized (lock) {
            lock.notify();
            waiter.resume();
            lock.visits = 10;
        }
        waiter.join();
        System.out.println("resumed early: " + lock.visits);
    }

    @SuppressWarnings("removal")
    static void elsewhere(String name, Thread.State state, Body body, Body wake) throws Exception {
        boolean[] returned = {false};
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            returned[0] = true;
        });
        thread.setDaemon(true);
        thread.start();
        await(thread, state);
        thread.suspend();
        wake.run();
        LockSupport.unpark(thread);
        Thread.sleep(2 * LONG);
        System.out.print(name + ": returned " + returned[0]);
        thread.resume();
        thread.join(10_000);
        System.out.println(", resumed " + returned[0]);
    }

    static volatile boolean mayEnd;

    static class Slow {
        static {
            while (!mayEnd) Thread.onSpinWait();
        }

        static void touch() {}
    }

    @SuppressWarnings("removal")
    static void initialises() throws Exception {
        boolean[] returned = {false};
        Thread first = new Thread(Slow::touch), second = new Thread(() -> {
            Slow.touch();
            returned[0] = true;
        });
        first.start();
        Thread.sleep(LONG);
        second.start();
        Thread.sleep(LONG);
        second.suspend();
        mayEnd = true;
        first.join(10_000);
        System.out.print("class initialiser: suspended " + returned[0]);
        second.resume();
        second.join(10_000);
        System.out.println(", resumed " + returned[0]);
    }

    public static void main(String[] arguments) throws Exception {
        eachWake(1);
        eachWake(3);
        enters(false);
        enters(true);
        resumedEarly();
        elsewhere("timed park", Thread.State.TIMED_WAITING, () -> LockSupport.parkNanos(SOON * 1_000_000),
                () -> Thread.sleep(SOON));
        elsewhere("park", Thread.State.WAITING, LockSupport::park, () -> {});
        elsewhere("sleep", Thread.State.TIMED_WAITING, () -> Thread.sleep(SOON), () -> Thread.sleep(SOON));
        initialises();
    }
}
