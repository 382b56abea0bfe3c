// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Programs with a data race each. races.py expects a report for each, on the variable that the case names.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Racy {
    interface Case {
        void first() throws Exception;

        void second() throws Exception;
    }

    static class Counter implements Case {
        int counted;

        public void first() { counted++; }
        public void second() { counted++; }
    }

    static class Statics implements Case {
        static long total;

        public void first() { total += 2; }
        public void second() { total += 3; }
    }

    static class PlainFlag implements Case {
        boolean ready;
        volatile int other;

        public void first() { ready = true; }
        public void second() { for (int i = 0; i < 10 && !ready; i++) other++; }
    }

    static class Elements implements Case {
        final int[] elements = new int[4];

        public void first() { elements[2] = 1; }
        public void second() { elements[2] = 2; }
    }

    // Two locks exclude nobody.
    static class TwoLocks implements Case {
        final Object one = new Object(), other = new Object();
        int guarded;

        public void first() { synchronized (one) { guarded++; } }
        public void second() { synchronized (other) { guarded++; } }
    }

    // One of the two forgets the lock.
    static class HalfLocked implements Case {
        int balance;

        public synchronized void first() { balance = 1; }
        public void second() { if (balance == 5) throw new AssertionError(); }
    }

    // Double-checked locking without volatile.
    static class DoubleChecked implements Case {
        static class Helper { int value = 7; }
        Helper helper;

        Helper get() {
            if (helper == null) {
                synchronized (this) {
                    if (helper == null) helper = new Helper();
                }
            }
            return helper;
        }
        public void first() { get(); }
        public void second() { get(); }
    }

    // The volatile write comes before the data.
    static class FlagTooEarly implements Case {
        volatile boolean ready;
        int data;

        public void first() { ready = true; data = 1; }
        public void second() { boolean seen = ready; if (data == 5) throw new AssertionError(); }
    }

    static class SharedList implements Case {
        final List<Integer> list = new ArrayList<>();

        public void first() { list.add(1); }
        public void second() { list.add(2); }
    }

    static class SharedMap implements Case {
        final Map<String, Integer> map = new HashMap<>();

        public void first() { map.put("first", 1); }
        public void second() { map.get("second"); }
    }

    static class Builder implements Case {
        final StringBuilder text = new StringBuilder();

        public void first() { text.append("first"); }
        public void second() { text.append("second"); }
    }

    static class Published implements Case {
        static class Box { int content; Box(int content) { this.content = content; } }
        Box box;

        public void first() { box = new Box(3); }
        public void second() { Box seen = box; if (seen != null && seen.content == 5) throw new AssertionError(); }
    }

    // The writer starts after the reader has started, but nothing orders the write after the read.
    static class WriteAfterStart implements Case {
        int late;

        public void first() { int seen = late; }
        public void second() { late = 1; }
    }

    static Runnable running(Case each, boolean isFirst) {
        return () -> {
            try {
                if (isFirst) each.first();
                else each.second();
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        };
    }

    public static void main(String[] arguments) throws Exception {
        Case[] cases = {new Counter(), new Statics(), new PlainFlag(), new Elements(), new TwoLocks(), new HalfLocked(),
            new DoubleChecked(), new FlagTooEarly(), new SharedList(), new SharedMap(), new Builder(),
            new Published(), new WriteAfterStart()};
        boolean isVirtual = arguments.length > 0 && arguments[0].equals("virtual");
        for (Case each : cases) {
            Thread[] threads = new Thread[2];
            for (int i = 0; i < 2; i++) {
                Runnable body = running(each, i == 0);
                threads[i] = isVirtual ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                    .invoke(null, body) : new Thread(body, "racer-" + i);
            }
            for (Thread thread : threads) if (!isVirtual) thread.start();
            for (Thread thread : threads) thread.join();
        }
        System.out.println("ran " + cases.length + " cases");
    }
}
