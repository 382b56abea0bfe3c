// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Platform and virtual threads share monitors. All virtual threads share one carrier, so a virtual thread that an exit
// or a notify chooses may have to wait for the carrier. No thread may be left asleep because of that. Tested are a
// token that threads of both kinds pass on, waits that end in every way, a chosen successor without a carrier, and the
// locks that a waiting platform thread holds. NotifiedVirtual tests a virtual thread that waits.
// since: 25
// jvm: -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class MixedMonitors {
    static final int threads = 10, rounds = 60;

    interface Body {
        void run(int number) throws InterruptedException;
    }
    static Thread made(int number, Runnable body) {
        return number % 2 == 0 ? Thread.ofVirtual().unstarted(body) : new Thread(body);
    }
    // Every other one is virtual.
    static List<Thread> started(int count, Body body) {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            all.add(made(number, () -> {
                try {
                    body.run(number);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread each : all) each.start();
        return all;
    }
    static void join(List<Thread> all) throws InterruptedException {
        for (Thread each : all) each.join();
    }
    static void awaitState(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static int turn;
    static void roundAndRound() throws InterruptedException {
        Object lock = new Object();
        join(started(threads, number -> {
            for (int i = 0; i < rounds; i++) {
                synchronized (lock) {
                    while (turn % threads != number) lock.wait();
                    turn++;
                    lock.notifyAll();
                }
            }
        }));
        System.out.println("turns: " + turn);
    }

    // The threads share one token. A thread that has the token passes it on by notify. Waits also end by timeout and by
    // interrupt.
    static int tokens = 1, taken;
    static void waitsThatEndInEveryWay() throws InterruptedException {
        Object lock = new Object();
        AtomicInteger interrupted = new AtomicInteger();
        List<Thread> all = started(threads, number -> {
            for (int i = 0; i < rounds; i++) {
                synchronized (lock) {
                    while (tokens == 0) {
                        try {
                            lock.wait(1 + (number + i) % 3);
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                        }
                    }
                    tokens--;
                }
                if (i % 8 == 0) Thread.yield();
                synchronized (lock) {
                    tokens++;
                    taken++;
                    lock.notify();
                }
            }
        });
        for (int i = 0; i < 50; i++) all.get(i % threads).interrupt();
        join(all);
        System.out.println("taken: " + taken);
    }

    // Virtual and platform threads alternate in the lock's queue. The only carrier is busy when the lock is released.
    static volatile boolean carrierIsTaken, carrierIsFree;
    static void successorsWithoutACarrier() throws InterruptedException {
        Object lock = new Object();
        AtomicInteger entered = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        Thread hog = Thread.ofVirtual().unstarted(() -> {
            carrierIsTaken = true;
            while (!carrierIsFree) Thread.onSpinWait();
        });
        synchronized (lock) {
            for (int i = 0; i < threads; i++) {
                Thread thread = made(i, () -> {
                    synchronized (lock) {
                        entered.incrementAndGet();
                    }
                });
                all.add(thread);
                thread.start();
                awaitState(thread, Thread.State.BLOCKED);
            }
            hog.start();
            while (!carrierIsTaken) Thread.sleep(1);
        }
        Thread.sleep(20);
        carrierIsFree = true;
        join(all);
        hog.join();
        System.out.println("entered: " + entered);
    }

    // A thread that waits on a monitor has released all levels of that monitor, and no other monitor. After the
    // notification it is blocked on that monitor.
    static void whatAWaiterHolds() throws InterruptedException {
        Object outer = new Object(), inner = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (outer) {
                synchronized (inner) {
                    synchronized (inner) {
                        try {
                            inner.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
            }
        });
        waiter.start();
        awaitState(waiter, Thread.State.WAITING);
        show(waiter, outer, inner);
        synchronized (inner) {
            inner.notify();
            awaitState(waiter, Thread.State.BLOCKED);
            System.out.println("notified: " + waiter.getState() + ", " + Thread.holdsLock(inner));
            show(waiter, outer, inner);
        }
        waiter.join();
    }
    static void show(Thread waiter, Object outer, Object inner) {
        long[] ids = {waiter.threadId()};
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(ids, true, false)[0];
        boolean hasOuter = false;
        for (MonitorInfo each : info.getLockedMonitors())
            hasOuter |= each.getIdentityHashCode() == System.identityHashCode(outer);
        System.out.println(info.getThreadState() + ", holds the outer one: " + hasOuter + ", wants the inner one: "
            + (info.getLockInfo().getIdentityHashCode() == System.identityHashCode(inner)) + ", which is "
            + (info.getLockOwnerId() == Thread.currentThread().threadId() ? "ours" : "free"));
    }

    public static void main(String[] arguments) throws InterruptedException {
        roundAndRound();
        waitsThatEndInEveryWay();
        successorsWithoutACarrier();
        whatAWaiterHolds();
    }
}
