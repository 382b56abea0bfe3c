// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Deep but legal recursion, mutual recursion, and many arguments of all types.
public class Recursion {
    static int ackermann(int m, int n) {
        return m == 0
                ? n + 1
                : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static String all(
            byte a,
            short b,
            char c,
            int d,
            long e,
            float f,
            double g,
            boolean h,
            String i,
            int[] j,
            long k,
            double l) {
        return a + "," + b + "," + c + "," + d + "," + e + "," + f + "," + g + "," + h + "," + i
                + "," + j.length + "," + k + "," + l;
    }

    static long fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static void main(String[] args) {
        System.out.println(ackermann(2, 9) + " " + even(2000) + " " + odd(1999) + " " + fib(20));
        System.out.println(
                all(
                        (byte) -1,
                        (short) -2,
                        'x',
                        4,
                        5L << 35,
                        6.5f,
                        7.25,
                        true,
                        "i",
                        new int[3],
                        Long.MIN_VALUE,
                        Double.MAX_VALUE));
    }
}
