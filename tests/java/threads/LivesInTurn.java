// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Many short virtual threads, one after the other in the same memory: some just end, others have slept, waited, queued
// for locks, been interrupted or thrown. No thread begins with state of the thread before it. A request for the trace
// or state of a thread that is ending never returns that of the thread after it.
// since: 25
// jvm: -Djdk.virtualThreadScheduler.parallelism=4
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

public class LivesInTurn {
    static final int WAVES = 30, THREADS = 200;
    static final Object lock = new Object();
    static final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
    static final AtomicInteger ended = new AtomicInteger(), thrown = new AtomicInteger();
    static final AtomicReferenceArray<Object> found = new AtomicReferenceArray<>(1);
    static int counted;

    static void fail(String what) {
        found.compareAndSet(0, null, what);
    }

    static void checkFresh() {
        Thread self = Thread.currentThread();
        if (self.isInterrupted()) fail("begins interrupted");
        if (Thread.holdsLock(lock)) fail("begins with a lock");
        if (local.get()[0]++ != 0) fail("begins with another's local");
        if (self.getState() != Thread.State.RUNNABLE) fail("begins " + self.getState());
    }

    static int recurse(int depth) {
        return depth == 0 ? 0 : 1 + recurse(depth - 1);
    }

    static void live(int kind) {
        checkFresh();
        switch (kind % 8) {
            case 0, 1 -> { }
            case 2 -> LockSupport.parkNanos(1000);
            case 3 -> {
                synchronized (lock) {
                    counted++;
                    Thread.yield();
                }
            }
            case 4 -> {
                synchronized (lock) {
                    try {
                        lock.wait(1);
                    } catch (InterruptedException e) {
                        fail("interrupted by nobody");
                    }
                }
            }
            case 5 -> Thread.currentThread().interrupt();
            case 6 -> {
                if (recurse(500) != 500) fail("recursion");
            }
            default -> {
                ended.incrementAndGet();
                throw new IllegalStateException("as planned");
            }
        }
        ended.incrementAndGet();
    }

    static void lives() throws InterruptedException {
        Thread.UncaughtExceptionHandler handler = (thread, e) -> thrown.incrementAndGet();
        for (int wave = 0; wave < WAVES; wave++) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int kind = wave + i;
                all.add(Thread.ofVirtual().uncaughtExceptionHandler(handler).start(() -> live(kind)));
            }
            for (Thread thread : all) thread.join();
        }
        System.out.println(ended + " ended, " + thrown + " thrown, " + counted + " counted");
    }

    static volatile int sink;
    static void even() {
        for (int i = 0; i < 200; i++) sink = i;
        if (sink % 7 == 0) Thread.yield();
    }
    static void odd() {
        for (int i = 0; i < 200; i++) sink = i;
        if (sink % 7 == 0) Thread.yield();
    }

    static void watch(AtomicReferenceArray<Thread> started) {
        for (int round = 0; !Thread.interrupted(); round++) {
            int parity = round & 1;
            Thread thread = started.get(parity);
            if (thread == null) continue;
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (frame.getMethodName().equals(parity == 0 ? "odd" : "even")) fail("a trace of another thread");
            }
            if (thread.getState() == Thread.State.NEW) fail("a started thread is new");
        }
    }

    static void watched() throws InterruptedException {
        AtomicReferenceArray<Thread> started = new AtomicReferenceArray<>(2);
        Thread watcher = new Thread(() -> watch(started));
        watcher.start();
        for (int i = 0; i < 4000; i++) {
            Thread thread = Thread.startVirtualThread(i % 2 == 0 ? LivesInTurn::even : LivesInTurn::odd);
            started.set(i % 2, thread);
            if (i % 16 == 0) thread.join();
        }
        watcher.interrupt();
        watcher.join();
        System.out.println("watched");
    }

    public static void main(String[] arguments) throws Exception {
        lives();
        watched();
        lives();
        System.out.println(found.get(0));
    }
}
