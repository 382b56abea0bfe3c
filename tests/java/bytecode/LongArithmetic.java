// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// 64-bit arithmetic on values that take two slots, with int locals between them.
public class LongArithmetic {
    static long[] samples = {0, 1, -1, 3, -3, 1L << 32, -(1L << 32), 1000000007L, Long.MAX_VALUE, Long.MIN_VALUE};

    static long mix(int a, long b, int c, long d, int e) {
        return a * b - c * d + e;
    }

    public static void main(String[] args) {
        for (long x : samples) {
            for (long y : samples) {
                System.out.print(
                        (x + y) + " " + (x - y) + " " + (x * y) + " " + (x & y) + " " + (x | y) + " " + (x ^ y));
                if (y != 0) System.out.print(" " + (x / y) + " " + (x % y));
                System.out.println(" " + Long.compare(x, y) + " " + (x < y) + " " + (x >= y));
            }
            System.out.println(mix(1, x, 2, x, 3));
        }
    }
}
