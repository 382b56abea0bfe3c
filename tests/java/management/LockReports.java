// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of ThreadMXBean: the lock for which each thread waits, stack depths, ownable synchronizers.
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.locks.*;

public class LockReports {
    static final Object A = new Object();
    static final ReentrantLock R = new ReentrantLock();
    static final ReentrantReadWriteLock W = new ReentrantReadWriteLock();
    static volatile int at;
    static final StampedLock ST = new StampedLock();

    static synchronized void outer() {
        synchronized (A) {
            R.lock();
            W.writeLock().lock();
            inner();
            W.writeLock().unlock();
            R.unlock();
        }
    }

    static void inner() {
        synchronized (A) {
            synchronized (R) {
                if (at == 2) return;
                at = 1;
                while (at != 2) LockSupport.park(A);
            }
        }
    }

    static void show(Thread t, boolean m, boolean s) {
        ThreadInfo i =
                ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {t.getId()}, m, s)[0];
        StringBuilder b =
                new StringBuilder(
                        i.getThreadName()
                                + " "
                                + i.getThreadState()
                                + " lock="
                                + cut(i.getLockName())
                                + " owner="
                                + i.getLockOwnerName()
                                + " info="
                                + (i.getLockInfo() == null ? null : i.getLockInfo().getClassName())
                                + " mons=");
        for (MonitorInfo q : i.getLockedMonitors())
            b.append(q.getClassName())
                    .append('@')
                    .append(q.getLockedStackDepth())
                    .append('/')
                    .append(q.getLockedStackFrame().getMethodName())
                    .append(' ');
        b.append("syncs=");
        for (LockInfo q : i.getLockedSynchronizers()) b.append(q.getClassName()).append(' ');
        System.out.println(b);
    }

    static String cut(String s) {
        return s == null ? null : s.replaceAll("@.*", "") + (s.contains("@") ? "@" : "");
    }

    static void state(Thread t, Thread.State s) throws Exception {
        for (int i = 0; i < 5000 && t.getState() != s; i++) Thread.sleep(1);
    }

    public static void main(String[] x) throws Exception {
        Thread o = new Thread(LockReports::outer, "owner");
        o.start();
        state(o, Thread.State.WAITING);
        show(o, true, true);
        show(o, false, false);
        show(o, true, false);
        System.out.println(LockSupport.getBlocker(o) == A);
        Thread
                b =
                        new Thread(
                                () -> {
                                    synchronized (A) {
                                    }
                                },
                                "blocked"),
                l =
                        new Thread(
                                () -> {
                                    R.lock();
                                    R.unlock();
                                },
                                "lock"),
                w =
                        new Thread(
                                () -> {
                                    synchronized (W) {
                                        synchronized (W) {
                                            try {
                                                W.wait();
                                            } catch (InterruptedException e) {
                                            }
                                        }
                                    }
                                },
                                "waiting"),
                tw =
                        new Thread(
                                () -> {
                                    synchronized (ST) {
                                        try {
                                            ST.wait(100000);
                                        } catch (InterruptedException e) {
                                        }
                                    }
                                },
                                "timed"),
                pk = new Thread(() -> LockSupport.parkNanos(100_000_000_000L), "parked"),
                rd =
                        new Thread(
                                () -> {
                                    W.readLock().lock();
                                    W.readLock().unlock();
                                },
                                "reader"),
                sm = new Thread(LockReports::outer, "static"),
                j =
                        new Thread(
                                () -> {
                                    try {
                                        o.join();
                                    } catch (InterruptedException e) {
                                    }
                                },
                                "joiner");
        Thread[] all = {b, l, w, tw, pk, rd, sm, j};
        Thread.State[] st = {
            Thread.State.BLOCKED,
            Thread.State.WAITING,
            Thread.State.WAITING,
            Thread.State.TIMED_WAITING,
            Thread.State.TIMED_WAITING,
            Thread.State.WAITING,
            Thread.State.BLOCKED,
            Thread.State.WAITING
        };
        for (int i = 0; i < all.length; i++) {
            all[i].start();
            state(all[i], st[i]);
            show(all[i], true, true);
        }
        synchronized (W) {
            W.notify();
            Thread.sleep(30);
            show(w, true, true);
            System.out.println(w.getState());
        }
        ThreadMXBean tb = ManagementFactory.getThreadMXBean();
        System.out.println(
                tb.isSynchronizerUsageSupported()
                        + " "
                        + tb.isObjectMonitorUsageSupported()
                        + " "
                        + (tb.getThreadInfo(b.getId()).getBlockedCount() > 0)
                        + " "
                        + tb.getThreadInfo(b.getId()).getBlockedTime()
                        + " "
                        + tb.getThreadInfo(tw.getId(), 1).getStackTrace().length
                        + " "
                        + tb.getThreadInfo(12345678L));
        at = 2;
        LockSupport.unpark(o);
        LockSupport.unpark(sm);
        o.join();
        sm.join();
        b.join();
        tw.interrupt();
        tw.join();
        pk.interrupt();
        pk.join();
        w.join();
        j.join();
        // Two threads are deadlocked over a monitor and a lock.
        ReentrantLock d = new ReentrantLock();
        Object e = new Object();
        Thread
                t1 =
                        new Thread(
                                () -> {
                                    d.lock();
                                    sleep();
                                    synchronized (e) {
                                    }
                                },
                                "t1"),
                t2 =
                        new Thread(
                                () -> {
                                    synchronized (e) {
                                        sleep();
                                        d.lock();
                                    }
                                },
                                "t2");
        t1.setDaemon(true);
        t2.setDaemon(true);
        t1.start();
        t2.start();
        state(t1, Thread.State.BLOCKED);
        state(t2, Thread.State.WAITING);
        Thread.sleep(50);
        System.out.println(tb.findMonitorDeadlockedThreads() == null);
        long[] f = tb.findDeadlockedThreads();
        System.out.println(f == null ? "none" : f.length + "");
        show(t1, true, true);
        show(t2, true, true);
        System.exit(0);
    }

    static void sleep() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
        }
    }
}
