// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that only call and return, without loops. Collections stop them at method entries, for each kind of call,
// with arguments that have just been allocated. Thread.stop also stops them there, in methods that lock and in others.
// One thread overflows its stack again and again, and no overflow may come too early.
// until: 17
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class PollsAtEntries {
    static volatile boolean done;

    interface Tree { int grow(int n, int[] mark); }

    // These methods make a tree of calls. A method returns 0 if mark[0] is equal to n in all calls of its tree.
    static int plain(int n, int[] mark) {
        if (done || n == 0) return 0;
        return (mark[0] ^ n) | plain(n - 1, new int[] {n - 1}) | plain(n - 1, new int[] {n - 1});
    }
    static synchronized int locked(int n, int[] mark) {
        if (done || n == 0) return 0;
        return (mark[0] ^ n) | locked(n - 1, new int[] {n - 1}) | locked(n - 1, new int[] {n - 1});
    }
    // Only the lock keeps `this` alive.
    synchronized int lockedVirtual(int n, int[] mark) {
        if (done || n == 0) return 0;
        return (mark[0] ^ n) | new PollsAtEntries().lockedVirtual(n - 1, new int[] {n - 1})
            | new PollsAtEntries().lockedVirtual(n - 1, new int[] {n - 1});
    }
    static Tree self;
    static final MethodHandle handle;
    static {
        try {
            handle = MethodHandles.lookup().findStatic(PollsAtEntries.class, "byHandle",
                                                       MethodType.methodType(int.class, int.class, int[].class));
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
    static int byHandle(int n, int[] mark) throws Throwable {
        if (done || n == 0) return 0;
        return (mark[0] ^ n) | (int) handle.invokeExact(n - 1, new int[] {n - 1})
            | (int) handle.invokeExact(n - 1, new int[] {n - 1});
    }

    static int depth;
    static void deeper() {
        ++depth;
        deeper();
    }
    // Overflows the stack in each of its calls; returns 1 if an overflow came before depth 1000, 0 otherwise.
    static int overflow(int n, int[] mark) {
        if (done || n == 0) return 0;
        depth = 0;
        try { deeper(); } catch (StackOverflowError e) { /* what is wanted */ }
        return (depth > 1000 ? 0 : 1) | overflow(n - 1, mark) | overflow(n - 1, mark);
    }

    interface Body { int run() throws Throwable; }
    static class Worker extends Thread {
        final Body body;
        String result = "nothing";
        Worker(String name, Body body) {
            super(name);
            this.body = body;
        }
        public void run() {
            try {
                result = body.run() == 0 ? "right" : "wrong";
            } catch (Throwable e) {
                result = e.getClass().getName();
            }
        }
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        int n = 60;   // the depth of a binary tree of calls; `done` ends the calls, which would take centuries
        int[] mark = {n};
        self = (m, from) -> done || m == 0 ? 0
            : (from[0] ^ m) | self.grow(m - 1, new int[] {m - 1}) | self.grow(m - 1, new int[] {m - 1});
        Worker[] workers = {
            new Worker("plain", () -> plain(n, mark)),
            new Worker("locked", () -> locked(n, mark)),
            new Worker("virtual", () -> new PollsAtEntries().lockedVirtual(n, mark)),
            new Worker("interface", () -> self.grow(n, mark)),
            new Worker("handle", () -> byHandle(n, mark)),
            new Worker("overflow", () -> overflow(n, mark)),
        };
        Worker[] stopped = {
            new Worker("plain, stopped", () -> plain(n, mark)),
            new Worker("virtual, stopped", () -> new PollsAtEntries().lockedVirtual(n, mark)),
        };
        for (Worker each : workers) each.start();
        for (Worker each : stopped) each.start();
        for (int i = 0; i < 10; ++i) {
            System.gc();
            Thread.sleep(5);   // lets the workers run for a while; the output does not depend on this delay
        }
        for (Worker each : stopped) {
            each.stop();
            each.join();
            System.out.println(each.getName() + ": " + each.result);
        }
        for (int i = 0; i < 10; ++i) System.gc();
        done = true;
        for (Worker each : workers) {
            each.join();
            System.out.println(each.getName() + ": " + each.result);
        }
        synchronized (PollsAtEntries.class) { System.out.println("the lock is free"); }
    }
}
