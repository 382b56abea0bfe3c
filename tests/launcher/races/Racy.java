// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Programs with a data race each. races.py expects a report for each, on the variable that the case names.

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
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

    // One reads elements by arraycopy, the other one writes them by it.
    static class Copied implements Case {
        final long[] elements = new long[4];

        public void first() { System.arraycopy(elements, 0, new long[4], 0, 4); }
        public void second() { System.arraycopy(new long[4], 0, elements, 1, 2); }
    }

    static class Cloned implements Case {
        static class Point implements Cloneable {
            int x, y;

            Point copy() throws CloneNotSupportedException { return (Point) clone(); }
        }
        final Point point = new Point();

        public void first() throws Exception { point.copy(); }
        public void second() { point.y = 1; }
    }

    static class ClonedArray implements Case {
        final char[] letters = new char[3];

        public void first() { letters.clone(); }
        public void second() { letters[1] = 'x'; }
    }

    static class Filled implements Case {
        final short[] numbers = new short[3];

        public void first() { Arrays.fill(numbers, (short) 1); }
        public void second() { Arrays.copyOf(numbers, 2); }
    }

    static class Sorted implements Case {
        final double[] values = {3, 1, 2};

        public void first() { Arrays.sort(values); }
        public void second() { if (values[2] == 7) throw new AssertionError(); }
    }

    // The first access of a site links it, and the library's locks for this may order the threads by accident.
    static class PlainHandle implements Case {
        static final VarHandle HANDLE;
        static {
            try {
                HANDLE = MethodHandles.lookup().findVarHandle(PlainHandle.class, "level", int.class);
            } catch (ReflectiveOperationException failure) {
                throw new AssertionError(failure);
            }
        }
        int level;

        public void first() { for (int i = 0; i < 2; i++) HANDLE.set(this, 1); }
        public void second() { for (int i = 0; i < 2; i++) { int seen = (int) HANDLE.get(this); } }
    }

    static class PlainElements implements Case {
        static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
        static final VarHandle NAMES = MethodHandles.arrayElementVarHandle(String[].class);
        final byte[] bytes = new byte[2];
        final String[] names = new String[2];

        public void first() {
            for (int i = 0; i < 2; i++) {
                BYTES.set(bytes, 1, (byte) 1);
                NAMES.set(names, 0, "first");
            }
        }
        public void second() {
            for (int i = 0; i < 2; i++) {
                byte seen = (byte) BYTES.get(bytes, 1);
                NAMES.set(names, 0, "second");
            }
        }
    }

    static class Reflected implements Case {
        int amount;

        public void first() throws Exception {
            Field field = Reflected.class.getDeclaredField("amount");
            for (int i = 0; i < 2; i++) field.setInt(this, 1);
        }
        public void second() throws Exception {
            Field field = Reflected.class.getDeclaredField("amount");
            for (int i = 0; i < 2; i++) field.getInt(this);
        }
    }

    static class BySetter implements Case {
        int height;

        public void first() throws Exception {
            try {
                MethodHandles.lookup().findSetter(BySetter.class, "height", int.class).invoke(this, 1);
            } catch (Throwable failure) {
                throw new Exception(failure);
            }
        }
        public void second() { height = 2; }
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
            new Published(), new WriteAfterStart(), new Copied(), new Cloned(), new ClonedArray(), new Filled(),
            new Sorted(), new PlainHandle(), new PlainElements(), new Reflected(), new BySetter()};
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
