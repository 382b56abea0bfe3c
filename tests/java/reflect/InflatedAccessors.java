// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Members called by reflection: after fifteen calls, release 17 generates an accessor class for each member. Results,
// refusals, callers and stack traces are compared before that, after that, and in compiled code.
// stress: no
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

public class InflatedAccessors {
    interface Doubler { default int twice(int i) { return 2 * i; } }
    static class Plain implements Doubler {}
    static class Overrides implements Doubler { @Override public int twice(int i) { return 2 * i + 1; } }
    private static class Secret {
        private final long number;
        private Secret(byte number) { this.number = number; }
        private Secret(String text) { throw new IllegalStateException(text); }
        private long plus(int a, long b, String s) { return number + a + b + s.length(); }
        private static boolean is(boolean b) { return !b; }
        private static char next(char c) { return (char) (c + 1); }
        private static short half(short s) { return (short) (s / 2); }
        private static byte negative(byte b) { return (byte) -b; }
        private static float third(float f) { return f / 3; }
        private static double sum(double d, float f, long l, int i) { return d + f + l + i; }
        private static Object first(Object[] all, int... rest) { return all[rest.length]; }
        private static void nothing() {}
        private static void fails(int round) { throw new UnsupportedOperationException("in round " + round); }
    }
    static class AskedFor {
        static { System.out.println("AskedFor is initialised"); }
        static int value() { return 1; }
    }

    static Method method(String name, Class<?>... types) throws Exception {
        return Secret.class.getDeclaredMethod(name, types);
    }

    static void refused(boolean shows, Callable<?> call) {
        try {
            throw new AssertionError(call.call());
        } catch (Exception failure) {
            if (!shows) return;
            // Removes the identity hash from the message of a ClassCastException in the generated class.
            System.out.println(failure.toString().replaceAll("@[0-9a-f]+", "@"));
            Throwable cause = failure.getCause();
            if (cause != null) System.out.println("  by " + cause + " in " + cause.getStackTrace()[0].getMethodName());
            for (StackTraceElement frame : failure.getStackTrace()) {
                if (frame.getClassName().startsWith("InflatedAccessors")) break;
                System.out.println("    " + frame.getClassName() + "." + frame.getMethodName());
            }
        }
    }

    static Class<?> byName(Method forName, String name) throws Exception {
        return (Class<?>) forName.invoke(null, name);
    }

    public static void main(String[] arguments) throws Exception {
        Constructor<Secret> constructor = Secret.class.getDeclaredConstructor(byte.class);
        Constructor<Secret> failing = Secret.class.getDeclaredConstructor(String.class);
        Method plus = method("plus", int.class, long.class, String.class), is = method("is", boolean.class);
        Method next = method("next", char.class), half = method("half", short.class);
        Method negative = method("negative", byte.class), third = method("third", float.class);
        Method sum = method("sum", double.class, float.class, long.class, int.class);
        Method first = method("first", Object[].class, int[].class), nothing = method("nothing");
        Method fails = method("fails", int.class);
        Method twice = Doubler.class.getDeclaredMethod("twice", int.class);
        Method value = AskedFor.class.getDeclaredMethod("value");
        Method forName = Class.class.getMethod("forName", String.class);
        long total = 0;
        for (int round = 0; round < 20_000; round++) {
            boolean shows = round == 3 || round == 30 || round == 19_999;
            int i = round;
            Secret secret = constructor.newInstance((byte) round);
            total += (Long) plus.invoke(secret, i, 5L, "abc") + (Long) plus.invoke(secret, (short) 7, 'c', null + "");
            total += (Boolean) is.invoke(null, round % 2 == 0) ? 1 : 0;
            total += (Character) next.invoke(null, (char) i) + (Short) half.invoke(null, (byte) i);
            total += (Byte) negative.invoke(null, (byte) i) + (long) (float) (Float) third.invoke(null, i);
            total += (long) (double) (Double) sum.invoke(null, 1f, 2L, 'c', (short) 4);
            total += (Integer) first.invoke(null, new Integer[] {1, 2, 3}, new int[2]);
            if (nothing.invoke(null) != null) throw new AssertionError();
            Doubler doubler = round % 3 == 0 ? new Overrides() : new Plain();
            total += (Integer) twice.invoke(doubler, i) + (Integer) value.invoke(null);
            if (byName(forName, "InflatedAccessors$Plain") != Plain.class) throw new AssertionError();
            if (shows) System.out.println("round " + round + ": " + total);
            if (!shows && round % 100 != 0) continue;
            refused(shows, () -> fails.invoke(null, i));
            refused(shows, () -> failing.newInstance("text " + i));
            refused(shows, () -> plus.invoke(secret, 1.0, 5L, "abc"));
            refused(shows, () -> plus.invoke(secret, "1", 5L, "abc"));
            refused(shows, () -> plus.invoke(secret, null, 5L, "abc"));
            refused(shows, () -> plus.invoke(secret, 1, 5L, 6L));
            refused(shows, () -> plus.invoke(secret, 1, 5L));
            refused(shows, () -> plus.invoke(secret));
            refused(shows, () -> plus.invoke("secret", 1, 5L, "abc"));
            refused(shows, () -> plus.invoke(null, 1, 5L, "abc"));
            refused(shows, () -> constructor.newInstance(1));
            refused(shows, () -> constructor.newInstance());
            refused(shows, () -> byName(forName, "no.such.Class"));
        }
    }
}
