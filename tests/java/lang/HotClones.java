// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Clones in compiled code: arrays of each type and of many lengths, objects with fields of each type, null, and objects
// that cannot be cloned. A later change of a copy or its original must not affect the other one.

import java.util.ArrayList;
import java.util.Arrays;

public class HotClones {
    private static class Point implements Cloneable {
        byte small;
        short narrow;
        char letter;
        int number;
        long wide;
        float real;
        double exact;
        boolean flag;
        Object reference;
        Point next;

        Point(int seed) {
            small = (byte) seed;
            narrow = (short) (seed * 3);
            letter = (char) (seed * 5);
            number = seed * 7;
            wide = seed * 0x123456789L;
            real = seed / 3f;
            exact = seed / 7.0;
            flag = seed % 2 == 0;
            reference = "p" + seed;
        }

        Point copy() {
            try {
                return (Point) clone();
            } catch (CloneNotSupportedException exception) {
                throw new AssertionError(exception);
            }
        }

        @Override
        public String toString() {
            return small + " " + narrow + " " + (int) letter + " " + number + " " + wide + " " + real + " " + exact
                    + " " + flag + " " + reference;
        }
    }

    private static class Deep extends Point {
        int depth;
        Point[] points;

        Deep(int seed) {
            super(seed);
            depth = seed;
            points = new Point[] {new Point(seed)};
        }

        @Override
        protected Object clone() throws CloneNotSupportedException {
            Deep copy = (Deep) super.clone();
            copy.points = points.clone();
            copy.points[0] = points[0].copy();
            return copy;
        }
    }

    private static class Bare {
        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    private static int arrays(int length) {
        byte[] bytes = new byte[length];
        boolean[] flags = new boolean[length];
        short[] shorts = new short[length];
        char[] chars = new char[length];
        int[] ints = new int[length];
        float[] floats = new float[length];
        long[] longs = new long[length];
        double[] doubles = new double[length];
        String[] texts = new String[length];
        int[][] rows = new int[length][];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 3);
            flags[i] = i % 3 == 0;
            shorts[i] = (short) (i * 257);
            chars[i] = (char) (i * 259);
            ints[i] = i * 0x1234567;
            floats[i] = i / 3f;
            longs[i] = i * 0x123456789ABL;
            doubles[i] = i / 7.0;
            texts[i] = "t" + i % 10;
            rows[i] = new int[] {i};
        }
        byte[] otherBytes = bytes.clone();
        int[] otherInts = ints.clone();
        Object[] objects = texts.clone();
        int[][] otherRows = rows.clone();
        int sum = Arrays.hashCode(otherBytes) + 3 * Arrays.hashCode(flags.clone()) + 5 * Arrays.hashCode(shorts.clone())
                + 7 * Arrays.hashCode(chars.clone()) + 11 * Arrays.hashCode(otherInts)
                + 13 * Arrays.hashCode(floats.clone()) + 17 * Arrays.hashCode(longs.clone())
                + 19 * Arrays.hashCode(doubles.clone()) + 23 * Arrays.hashCode(objects)
                + 29 * objects.getClass().getName().hashCode();
        if (length > 0) {
            otherBytes[0]++;
            otherInts[length - 1]--;
            otherRows[length - 1] = null;
            objects[0] = "other";
            sum += bytes[0] + ints[length - 1] + rows[length - 1][0] + texts[0].length();
            if (otherRows.length > 1 && otherRows[0] != rows[0]) throw new AssertionError();
        }
        return sum;
    }

    // In this loop, the original is read after the copy has changed, and the copy after the original has changed.
    private static long reordered(int[] ints) {
        long sum = 0;
        for (int i = 0; i < ints.length; i++) {
            ints[i] += i;
            int[] copy = ints.clone();
            copy[i] = -1;
            ints[i]++;
            sum += copy[i] + ints[i] + copy[(i + 1) % copy.length];
        }
        return sum;
    }

    private static int lengthOfCopy(int[] ints) {
        return ints.clone().length;
    }

    private static String wrong(Bare bare) {
        try {
            return bare.copy().toString();
        } catch (CloneNotSupportedException exception) {
            return exception.getMessage();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int sum = 0;
        ArrayList<Object> kept = new ArrayList<>();
        for (int round = 0; round < 20_000; round++) {
            sum = sum * 31 + arrays(round % 131);
            Deep deep = new Deep(round);
            deep.next = deep;
            Deep copy = (Deep) deep.copy();
            copy.number++;
            copy.points[0].number++;
            if (copy == deep || copy.next != deep || copy.number == deep.number) throw new AssertionError();
            sum = sum * 31 + deep.toString().hashCode() + copy.toString().hashCode() + copy.depth;
            sum = sum * 31 + deep.points[0].number + copy.points[0].number;
            if (copy.hashCode() == 0 && deep.hashCode() == 0) System.out.println("both are 0");
            if (round % 16 == 0) kept.add(copy);
            if (kept.size() > 500) kept.clear();
            sum += (int) reordered(new int[round % 17 + 1]);
            sum += wrong(new Bare()).hashCode();
            sum += lengthOfCopy(new int[round % 50]);
        }
        System.out.println(sum + " " + kept.size() + " " + wrong(new Bare()));
        for (int length : new int[] {1000, 5000, 100_000, 1_500_000}) {
            Object[] objects = new Object[length];
            objects[length - 1] = "last";
            System.out.println(Arrays.hashCode(new byte[length].clone()) + " " + objects.clone()[length - 1] + " "
                    + new long[length].clone().length);
        }
        try {
            System.out.println(lengthOfCopy(null));
        } catch (NullPointerException exception) {
            System.out.println("null");
        }
    }
}
