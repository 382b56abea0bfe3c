// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chains of long, float and double comparisons, NaN on both sides, in conditions and ternaries.
public class LongCompares {
    static String order(double a, double b) {
        return (a < b ? "<" : "") + (a <= b ? "L" : "") + (a > b ? ">" : "") + (a >= b ? "G" : "") + (a == b ? "=" : "")
                + (a != b ? "!" : "") + (!(a < b) ? "n" : "") + (!(a > b) ? "m" : "");
    }
    static String order(float a, float b) {
        return (a < b ? "<" : "") + (a <= b ? "L" : "") + (a > b ? ">" : "") + (a >= b ? "G" : "") + (a == b ? "=" : "")
                + (a != b ? "!" : "") + (!(a < b) ? "n" : "") + (!(a > b) ? "m" : "");
    }
    static String order(long a, long b) {
        return (a < b ? "<" : "") + (a <= b ? "L" : "") + (a > b ? ">" : "") + (a >= b ? "G" : "") + (a == b ? "=" : "")
                + (a != b ? "!" : "");
    }
    static strictfp double strict(double x) { return x * 1e308 / 1e308; }
    static boolean between(long a, long x, long b) { return a <= x && x < b || a == b && x == a; }
    public static void main(String[] args) {
        double[] d = {0.0, -0.0, 1, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        for (double a : d) for (double b : d) System.out.print(order(a, b) + " ");
        System.out.println();
        for (double a : d) for (double b : d) System.out.print(order((float) a, (float) b) + " ");
        System.out.println();
        long[] l = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, (1L << 32) + 1, -(1L << 32)};
        for (long a : l) for (long b : l) System.out.print(order(a, b) + " ");
        System.out.println();
        System.out.println(strict(10) + " " + between(1, 5, 10) + between(5, 5, 5) + between(5, 4, 5) + " "
                + (Double.NaN > 1 || !(Double.NaN <= 1)) + " " + Math.max(-0.0, 0.0) + Math.min(-0.0f, 0.0f)
                + Math.max(Double.NaN, 1));
        int count = 0;
        for (long i = Integer.MAX_VALUE - 2L; i <= Integer.MAX_VALUE + 2L; i++) count += i > Integer.MAX_VALUE ? 10 : 1;
        for (float f = 0; f < 1; f += 0.1f) count++;
        for (double x = 1; x != 0 && x > 1e-300; x /= 2) count++;
        System.out.println(count);
    }
}
