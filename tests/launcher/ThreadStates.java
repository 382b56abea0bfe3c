// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads in every state, two of them deadlocked over monitors and two over ReentrantLocks, for thread_dump.py. Says
// "ready" and waits for signals; the shutdown hook says "hook".
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class ThreadStates {
    static final ReentrantLock firstLock = new ReentrantLock(), secondLock = new ReentrantLock();
    static final Object firstMonitor = new Object(), secondMonitor = new Object(), waited = new Object(),
                        held = new Object();
    static volatile boolean inside;
    static int spins;

    interface Body { void run() throws Exception; }

    static Thread start(String name, Body body) {
        Thread thread = new Thread(name) {
            @Override public void run() {
                try { body.run(); } catch (Exception e) { e.printStackTrace(); }
            }
        };
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void lockBoth(ReentrantLock one, ReentrantLock other, CountDownLatch both) throws Exception {
        one.lock();
        both.countDown();
        both.await();
        other.lock();
    }

    static void enterBoth(Object one, Object other, CountDownLatch both) throws Exception {
        synchronized (one) {
            both.countDown();
            both.await();
            synchronized (other) { System.out.println("impossible"); }
        }
    }

    static synchronized void heldByClass(Object lock) { synchronized (lock) { inside = true; for (;;) spins++; } }
    static synchronized void wantsClass() { System.out.println("impossible"); }

    static void await(Thread thread, Thread.State state) throws Exception {
        while (thread.getState() != state) Thread.sleep(1);
    }

    // The VM starts its own threads before it calls main, but they may reach their first frame later than main.
    static void untilIn(String name, String method) throws Exception {
        while (Thread.getAllStackTraces().entrySet().stream().noneMatch(each
                -> each.getKey().getName().equals(name) && each.getValue().length != 0
                        && each.getValue()[0].getMethodName().startsWith(method)))
            Thread.sleep(1); // looks again
    }

    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        untilIn("Reference Handler", "waitForReferencePendingList");
        untilIn("Finalizer", "wait");   // or wait0
        CountDownLatch locks = new CountDownLatch(2), monitors = new CountDownLatch(2);
        Thread lockerOne = start("locker-one", () -> lockBoth(firstLock, secondLock, locks)),
               lockerTwo = start("locker-two", () -> lockBoth(secondLock, firstLock, locks));
        // Looks again.
        while (!secondLock.hasQueuedThread(lockerOne) || !firstLock.hasQueuedThread(lockerTwo)) Thread.sleep(1);
        await(lockerOne, Thread.State.WAITING);   // first queued, then parked
        await(lockerTwo, Thread.State.WAITING);
        Thread one = start("monitor-one", () -> enterBoth(firstMonitor, secondMonitor, monitors));
        await(one, Thread.State.WAITING);
        await(start("monitor-two", () -> enterBoth(secondMonitor, firstMonitor, monitors)), Thread.State.BLOCKED);
        await(one, Thread.State.BLOCKED);
        await(start("waiter", () -> { synchronized (waited) { synchronized (waited) { waited.wait();
    }
}
}), Thread.State.WAITING);
        await(start("timed-waiter", () -> { synchronized (waited) { waited.wait(1000000);
        }
        }), Thread.State.TIMED_WAITING);
        await(start("parked", () -> { for (;;) LockSupport.park(waited); }), Thread.State.WAITING);
        await(start("timed-parked", () -> {
            for (;;) LockSupport.parkNanos(1000000000000L);
        }), Thread.State.TIMED_WAITING);
        await(start("sleeper", () -> Thread.sleep(1000000)), Thread.State.TIMED_WAITING);
        start("holder", () -> heldByClass(held));
        while (!inside) Thread.sleep(1);
        await(start("wants-class", () -> wantsClass()), Thread.State.BLOCKED);
        // `notified` has been notified, and waits to reacquire the lock that main still holds.
        Object relock = new Object();
        Thread notified = start("notified", () -> { synchronized (relock) { relock.wait(); } });
        await(notified, Thread.State.WAITING);
        synchronized (relock) {
            relock.notify();
            await(notified, Thread.State.BLOCKED);
            // This thread prints "ready" only when main sleeps, so that the signal of the test finds main asleep.
            Thread main = Thread.currentThread();
            start("sayer", () -> {
                await(main, Thread.State.TIMED_WAITING);
                System.out.println("ready");
            });
            for (;;) Thread.sleep(1000000);
        }
    }
}
