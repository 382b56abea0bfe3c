// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadMXBean's reports about threads that are blocked, waiting, parked, or holding locks; deadlocks of monitors and
// of synchronizers.

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class ThreadInfos {
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    static final class Monitor { }
    static final Monitor outer = new Monitor(), inner = new Monitor(), condition = new Monitor();
    static final ReentrantLock lock = new ReentrantLock();
    static volatile boolean released;

    static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static ThreadInfo await(Thread thread, Thread.State state) throws Exception {
        for (;;) {
            ThreadInfo info = BEAN.getThreadInfo(new long[] {thread.getId()}, true, true)[0];
            // Waits until the thread has the state. Unless it is RUNNABLE, the thread must also report a lock.
            if (info.getThreadState() == state && (state == Thread.State.RUNNABLE || info.getLockInfo() != null))
                return info;
            Thread.sleep(1);   // looks again
        }
    }

    static String simple(LockInfo lock) {
        return lock == null ? "nothing" : lock.getClassName();
    }

    static void print(ThreadInfo info) {
        System.out.println(info.getThreadName() + ": " + info.getThreadState() + ", waits for "
                + simple(info.getLockInfo()) + " of " + info.getLockOwnerName() + ", suspended " + info.isSuspended()
                + ", daemon " + info.isDaemon() + ", priority " + info.getPriority());
        for (MonitorInfo monitor : info.getLockedMonitors()) {
            StackTraceElement frame = monitor.getLockedStackFrame();
            System.out.println("  holds the monitor of " + monitor.getClassName() + " since " + frame.getClassName()
                    + "." + frame.getMethodName() + ", found there "
                    + info.getStackTrace()[monitor.getLockedStackDepth()].equals(frame));
        }
        for (LockInfo each : info.getLockedSynchronizers()) System.out.println("  holds " + each.getClassName());
    }

    static void hold(CountDownLatch held) {
        synchronized (outer) {
            holdInner(held);
        }
    }

    static synchronized void holdInner(CountDownLatch held) {
        synchronized (inner) {
            synchronized (inner) {
                lock.lock();
                held.countDown();
                while (!released) LockSupport.park();
                lock.unlock();
            }
        }
    }

    static void describe() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = start("holder", () -> hold(held));
        held.await();
        Thread waiter = start("waiter", () -> {
            synchronized (condition) {
                try {
                    while (!released) condition.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        Thread blocked = start("blocked", () -> { synchronized (inner) { } });
        Thread queued = start("queued", () -> { lock.lock(); lock.unlock(); });
        Thread timed = start("timed", () -> {
            synchronized (condition) {
                try {
                    condition.wait(1_000_000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        ThreadInfo parked;
        do parked = BEAN.getThreadInfo(new long[] {holder.getId()}, true, true)[0];
        while (parked.getThreadState() != Thread.State.WAITING);
        print(parked);
        print(await(waiter, Thread.State.WAITING));
        print(await(blocked, Thread.State.BLOCKED));
        print(await(queued, Thread.State.WAITING));
        print(await(timed, Thread.State.TIMED_WAITING));
        ThreadInfo counted = BEAN.getThreadInfo(blocked.getId());
        System.out.println("was blocked " + (counted.getBlockedCount() >= 1) + ", waited "
                + (BEAN.getThreadInfo(waiter.getId()).getWaitedCount() >= 1) + ", time " + counted.getBlockedTime()
                + ", frames " + counted.getStackTrace().length);
        ThreadInfo[] shallow = BEAN.getThreadInfo(new long[] {holder.getId(), 1_000_000_000}, 2);
        System.out.println("two frames: " + shallow[0].getStackTrace().length + ", nobody: " + shallow[1]);
        ThreadInfo[] deep = BEAN.getThreadInfo(new long[] {holder.getId()}, Integer.MAX_VALUE);
        System.out.println("the outermost frame: " + deep[0].getStackTrace()[deep[0].getStackTrace().length - 1]);
        ThreadInfo[] all = BEAN.dumpAllThreads(true, true);
        System.out.println("all threads: " + Arrays.stream(all).map(ThreadInfo::getThreadName)
                .filter(name -> name.matches("main|holder|waiter|blocked|queued|timed")).sorted().toList());
        released = true;
        LockSupport.unpark(holder);
        synchronized (condition) {
            condition.notifyAll();
        }
        for (Thread each : new Thread[] {holder, waiter, blocked, queued, timed}) each.join();
        System.out.println("ended: " + BEAN.getThreadInfo(holder.getId()));
    }

    static void times() throws Exception {
        BEAN.setThreadContentionMonitoringEnabled(true);
        released = false;
        Thread blocked;
        synchronized (inner) {
            blocked = start("timed", () -> {
                synchronized (inner) { }
                while (!released) LockSupport.park(condition);   // park may return spuriously
            });
            await(blocked, Thread.State.BLOCKED);
            Thread.sleep(20);   // this thread holds `inner`, on which the other thread is blocked
        }
        ThreadInfo info = await(blocked, Thread.State.WAITING);
        System.out.println("blocked for 10 ms or more: " + (info.getBlockedTime() >= 10) + ", parked on "
                + info.getLockInfo().getClassName());
        released = true;
        LockSupport.unpark(blocked);
        blocked.join();
        BEAN.setThreadContentionMonitoringEnabled(false);
        ThreadInfo before = BEAN.getThreadInfo(Thread.currentThread().getId());
        Monitor own = new Monitor();
        synchronized (own) {
            for (int i = 0; i < 5; i++) own.wait(2);
        }
        ThreadInfo now = BEAN.getThreadInfo(Thread.currentThread().getId());
        System.out.println("waiting is not being blocked: " + (now.getBlockedCount() - before.getBlockedCount()) + " "
                           + (now.getWaitedCount() - before.getWaitedCount()));
        System.out.println("cpu time: " + (BEAN.getCurrentThreadCpuTime() > 0) + ", user "
                + (BEAN.getCurrentThreadUserTime() >= 0) + ", of nobody " + BEAN.getThreadCpuTime(1_000_000_000));
        com.sun.management.ThreadMXBean more = (com.sun.management.ThreadMXBean) BEAN;
        long bytesBefore = more.getThreadAllocatedBytes(Thread.currentThread().getId());
        byte[] bytes = new byte[1_000_000];
        long bytesAfter = more.getThreadAllocatedBytes(Thread.currentThread().getId());
        System.out.println("allocated: "
                + (bytesAfter - bytesBefore >= bytes.length && bytesAfter - bytesBefore < 2 * bytes.length));
    }

    static void deadlocks() throws Exception {
        System.out.println("no deadlock: " + BEAN.findDeadlockedThreads() + " " + BEAN.findMonitorDeadlockedThreads());
        Monitor a = new Monitor(), b = new Monitor();
        ReentrantLock c = new ReentrantLock(), d = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2), bothLocks = new CountDownLatch(2);
        start("a then b", () -> { synchronized (a) { meet(both); synchronized (b) { } } });
        start("b then a", () -> { synchronized (b) { meet(both); synchronized (a) { } } });
        start("c then d", () -> { c.lock(); meet(bothLocks); d.lock(); });
        start("d then c", () -> { d.lock(); meet(bothLocks); c.lock(); });
        long[] found;
        do {
            Thread.sleep(1);   // looks again
            found = BEAN.findDeadlockedThreads();
        } while (found == null || found.length < 4);
        System.out.println(
                "deadlocked: " + names(found) + ", by monitors: " + names(BEAN.findMonitorDeadlockedThreads()));
        for (ThreadInfo info : BEAN.getThreadInfo(found)) {
            if (info.getThreadName().equals("a then b") || info.getThreadName().equals("c then d"))
                System.out.println(info.getThreadName() + " waits for " + info.getLockOwnerName());
        }
    }

    static java.util.List<String> names(long[] ids) {
        return Arrays.stream(BEAN.getThreadInfo(ids)).map(ThreadInfo::getThreadName).sorted().toList();
    }

    static void meet(CountDownLatch latch) {
        latch.countDown();
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static synchronized void descend(int depth, CountDownLatch there) {
        if (depth > 0) {
            descend(depth - 1, there);
            return;
        }
        there.countDown();
        while (!released) LockSupport.park();
    }

    // The stack has more frames than an exception keeps, and each frame holds a monitor. The test asks for no frames,
    // for some, and for all.
    static void depths() throws Exception {
        released = false;
        CountDownLatch there = new CountDownLatch(1);
        Thread deep = start("deep", () -> descend(2000, there));
        there.await();
        long[] id = {deep.getId()};
        for (int depth : new int[] {0, 1, 1500, Integer.MAX_VALUE}) {
            ThreadInfo info = BEAN.getThreadInfo(id, true, false, depth)[0];
            int frames = info.getStackTrace().length, monitors = info.getLockedMonitors().length;
            System.out.print("at most " + depth + " frames: " + (depth <= 1500 ? frames == depth : frames > 2000));
            // With a depth of 0, the number of monitors is not compared: some releases of HotSpot report an inflated
            // monitor although they report no frame.
            System.out.println(depth == 0 ? "" : ", monitors " + (depth <= 1500 ? monitors <= depth : monitors == 2001));
        }
        System.out.println("Thread.getStackTrace: " + (deep.getStackTrace().length > 2000));
        released = true;
        LockSupport.unpark(deep);
        deep.join();
    }

    static void joined() throws Exception {
        boolean right = true;
        for (int i = 0; i < 100; i++) {
            int before = BEAN.getThreadCount(), daemons = BEAN.getDaemonThreadCount();
            Thread thread = start("short", () -> { });
            thread.join();
            right &= BEAN.getThreadCount() == before && BEAN.getDaemonThreadCount() == daemons
                    && BEAN.getThreadCpuTime(thread.getId()) == -1;
        }
        System.out.println("counted out when joined: " + right);
    }

    public static void main(String[] arguments) throws Exception {
        depths();
        released = false;
        describe();
        times();
        joined();
        deadlocks();
        System.out.println("counts: " + (BEAN.getThreadCount() >= 5) + " "
                + (BEAN.getPeakThreadCount() >= BEAN.getThreadCount()) + " " + (BEAN.getTotalStartedThreadCount() >= 11)
                + " " + (BEAN.getDaemonThreadCount() >= 4));
        BEAN.resetPeakThreadCount();
        System.out.println("peak: " + (BEAN.getPeakThreadCount() >= BEAN.getThreadCount() - 1));
    }
}
