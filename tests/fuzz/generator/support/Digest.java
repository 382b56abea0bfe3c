// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds the values that a generated program has computed into one number; with -Dtrace, also prints each value.

import java.util.List;
import java.util.Map;

public final class Digest {
    /** An object of a generated class, which adds its own fields to the digest. */
    public interface Seen {
        void see(int depth);
    }

    private static final boolean TRACE = Boolean.getBoolean("trace");
    private static long sum;
    private static int count;

    static void begin() {
        sum = 17;
        count = 0;
    }

    static String end() {
        return count + " " + Long.toHexString(sum);
    }

    private static void mix(long value, String kind, Object shown) {
        sum = Long.rotateLeft(sum * 0x9E3779B97F4A7C15L + value, 23) ^ value;
        count++;
        if (TRACE) System.out.println("  " + count + " " + kind + " " + shown);
    }

    public static void add(boolean v) { mix(v ? 1 : 2, "boolean", v); }
    public static void add(byte v) { mix(v, "byte", v); }
    public static void add(short v) { mix(v, "short", v); }
    public static void add(char v) { mix(v, "char", (int) v); }
    public static void add(int v) { mix(v, "int", v); }
    public static void add(long v) { mix(v, "long", v); }
    // All NaNs count as one, because the bits of a NaN depend on the machine.
    public static void add(float v) { mix(Float.floatToIntBits(v), "float", v); }
    public static void add(double v) { mix(Double.doubleToLongBits(v), "double", v); }
    public static void add(Object v) { add(v, 3); }

    public static void add(Object v, int depth) {
        if (v == null) {
            mix(3, "null", "");
        } else if (v instanceof String s) {
            mix(s.hashCode(), "String", s);
        } else if (v instanceof Number || v instanceof Character || v instanceof Boolean) {
            if (v instanceof Float f) add(f.floatValue());
            else if (v instanceof Double d) add(d.doubleValue());
            else mix(v.hashCode(), v.getClass().getSimpleName(), v);
        } else if (v instanceof Enum<?> e) {
            mix(e.ordinal(), "enum", e);
        } else if (v instanceof Seen s) {
            mix(v.getClass().getName().hashCode(), "object", v.getClass().getName());
            if (depth > 0) s.see(depth - 1);
        } else if (v instanceof int[] a) {
            for (int x : a) add(x);
        } else if (v instanceof long[] a) {
            for (long x : a) add(x);
        } else if (v instanceof byte[] a) {
            for (byte x : a) add(x);
        } else if (v instanceof short[] a) {
            for (short x : a) add(x);
        } else if (v instanceof char[] a) {
            for (char x : a) add(x);
        } else if (v instanceof boolean[] a) {
            for (boolean x : a) add(x);
        } else if (v instanceof float[] a) {
            for (float x : a) add(x);
        } else if (v instanceof double[] a) {
            for (double x : a) add(x);
        } else if (v instanceof Object[] a) {
            mix(a.length, "array", a.getClass().getName());
            if (depth > 0) for (Object x : a) add(x, depth - 1);
        } else if (v instanceof List<?> a) {
            mix(a.size(), "list", "");
            if (depth > 0) for (Object x : a) add(x, depth - 1);
        } else if (v instanceof Throwable t) {
            thrown(t);
        } else if (v instanceof Record) {
            mix(v.hashCode(), "record", v);
        } else {
            mix(4, "other", "");
        }
    }

    /** Adds an exception: its class, message, and the topmost frames that are the program's own. */
    public static void thrown(Throwable t) {
        String message = t.getMessage();
        mix(t.getClass().getName().hashCode() * 31L + (message == null ? 0 : message.hashCode()), "thrown", t);
        int shown = 0;
        for (StackTraceElement frame : t.getStackTrace()) {
            if (frame.getClassName().startsWith("P") && shown++ < 4) mix(frame.toString().hashCode(), "at", frame);
        }
        if (t.getCause() != null && t.getCause() != t) thrown(t.getCause());
        for (Throwable other : t.getSuppressed()) thrown(other);
    }

    /** Returns the end of a long string, so that strings do not grow without bound in loops. */
    public static String cut(String s) {
        return s == null || s.length() <= 64 ? s : s.substring(s.length() - 41);
    }

    /**
     * Runs a part of the program in a new thread, and waits for that thread. If the calling thread holds the lock of
     * the class, whose synchronized methods the part may call, the calling thread runs the part itself.
     */
    public static void apart(Class<?> locked, Runnable part) {
        Throwable[] caught = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                part.run();
            } catch (Throwable t) {
                caught[0] = t;
            }
        });
        if (Thread.holdsLock(locked)) {
            thread.run();
        } else {
            thread.start();
            join(thread);
        }
        if (caught[0] != null) thrown(caught[0]);
    }

    /** Runs a part of the program in two threads at once. Its result must not depend on their order. */
    public static void together(Runnable part) {
        Thread one = new Thread(part), other = new Thread(part);
        one.start();
        other.start();
        join(one);
        join(other);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
