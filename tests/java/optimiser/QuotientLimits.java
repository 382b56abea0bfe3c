// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops over arrays of each element type, whose limit is a quotient or a remainder. The guards in the loops are
// loop-invariant: a class check, a null check, a range check. Divisors include 0, -1 and the smallest int. Later runs
// fail a guard; the last runs have arrays that are null or too short.
public class QuotientLimits {
    abstract static class Shape {
        char c = 22;

        abstract char in();
    }

    static final class A extends Shape {
        char in() {
            return (char) (44 - c);
        }
    }

    static final class B extends Shape {
        char in() {
            return (char) (40 - c);
        }
    }

    static Shape[] shapes = {new A(), new B(), null};
    static byte[] bytes = new byte[40];
    static short[] shorts = new short[40];
    static char[] chars = new char[40];
    static int[] ints = new int[40];

    static void half(int which) {
        for (int i = 0; i < bytes.length / 2; i++) {
            Shape shape = shapes[which];
            bytes[i] = (byte) (shape.in() + i);
        }
    }

    static void quotient(int which, int divisor) {
        for (int i = 0; i < shorts.length / divisor; i++) shorts[i] = (short) (shapes[which].in() + i);
    }

    static void remainder(int which, int divisor) {
        for (int i = 0; i < 99 % divisor; i++) chars[i] = (char) (shapes[which].in() + i);
    }

    static void wide(int which, long divisor) {
        for (int i = 0; i < (int) (ints.length / divisor); i++) ints[i] = shapes[which].in() + i;
    }

    static void wideRemainder(int which, long divisor) {
        for (int i = 0; i < (int) (35L % divisor); i++) ints[i + 1] = shapes[which].in() - i;
    }

    static int conditional(int divisor, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            if (divisor != 0) sum += ints[i] / divisor;
            for (int j = 0; divisor != 0 && j < 50 / divisor; j++) sum += bytes[j % 40];
        }
        return sum;
    }

    interface Body {
        void run();
    }

    static int sum() {
        int sum = 0;
        for (int i = 0; i < 40; i++) {
            if (bytes != null && i < bytes.length) sum = 31 * sum + bytes[i];
            if (shorts != null && i < shorts.length) sum = 31 * sum + shorts[i];
            sum = 31 * sum + chars[i];
            sum = 31 * sum + ints[i];
        }
        return sum;
    }

    static void tell(String name, Body body) {
        String end = "";
        try {
            body.run();
        } catch (RuntimeException e) {
            end = " " + e;
        }
        System.out.println(name + ": " + sum() + end);
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 20_000; i++) {
            half(0);
            quotient(0, 3);
            remainder(0, 7);
            wide(0, 3);
            wideRemainder(0, 9);
            conditional(i % 3 + 1, 3);
        }
        int[] numbers = {1, 2, 3, 41, -1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE, 0};
        for (int which = 0; which < 4; which++) {
            int shape = which;
            tell("half " + which, () -> half(shape));
            for (int number : numbers) {
                tell("quotient " + which + " " + number, () -> quotient(shape, number));
                tell("remainder " + which + " " + number, () -> remainder(shape, number));
                tell("wide " + which + " " + number, () -> wide(shape, number));
                tell("wide remainder " + which + " " + number, () -> wideRemainder(shape, number));
                tell("conditional " + number, () -> ints[0] = conditional(number, 2));
            }
        }
        shorts = null;
        tell("null", () -> quotient(0, 2));
        shorts = new short[3];
        tell("short", () -> quotient(0, 1));
        bytes = null;
        tell("null", () -> half(1));
        bytes = new byte[1];
        tell("one", () -> half(1));
    }
}
