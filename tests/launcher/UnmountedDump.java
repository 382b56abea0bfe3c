// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One virtual thread sleeps while it holds a lock. Others wait for that lock, wait on an object, are parked for another
// lock, or run. A platform thread waits for the lock of a virtual one. Prints "ready" when each is in its final state.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

public class UnmountedDump {
    static final Object lock = new Object();
    static final ReentrantLock owned = new ReentrantLock();
    static volatile int spins;

    static void sleep() {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
        }
    }
    static void holds() {
        synchronized (lock) { sleep(); }
    }
    static void wants() {
        synchronized (lock) { System.out.println("entered"); }
    }
    static void waits() {
        Object own = new Object();
        synchronized (lock.getClass()) {
            synchronized (own) {
                try {
                    own.wait();
                } catch (InterruptedException e) {
                }
            }
        }
    }
    static void waitsForAWhile() {
        Object own = new Object();
        synchronized (own) {
            try {
                own.wait(600_000);
            } catch (InterruptedException e) {
            }
        }
    }
    static void parks() {
        owned.lock();
    }
    static void runs() {
        while (true) spins++;
    }
    static List<Thread> threads = new ArrayList<>();
    static void start(Thread.Builder builder, String name, Runnable task, Thread.State state) throws Exception {
        Thread thread = builder.name(name).start(task);
        threads.add(thread);
        while (thread.getState() != state) Thread.sleep(1);
    }
    public static void main(String[] arguments) throws Exception {
        owned.lock();
        start(Thread.ofVirtual(), "holds", UnmountedDump::holds, Thread.State.TIMED_WAITING);
        start(Thread.ofVirtual(), "wants", UnmountedDump::wants, Thread.State.BLOCKED);
        start(Thread.ofVirtual(), "waits", UnmountedDump::waits, Thread.State.WAITING);
        start(Thread.ofVirtual(), "waits for a while", UnmountedDump::waitsForAWhile, Thread.State.TIMED_WAITING);
        start(Thread.ofVirtual(), "parks", UnmountedDump::parks, Thread.State.WAITING);
        start(Thread.ofPlatform().daemon(), "wants, too", UnmountedDump::wants, Thread.State.BLOCKED);
        start(Thread.ofVirtual(), "runs", UnmountedDump::runs, Thread.State.RUNNABLE);
        System.out.println("ready");
        sleep();
    }
}
