// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// 32-bit arithmetic wraps, division truncates towards zero, MIN_VALUE / -1 does not trap.
public class IntArithmetic {
    static int[] samples = {0, 1, -1, 2, -2, 7, -7, 1000003, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x55555555};

    public static void main(String[] a) {
        for (int x : samples) {
            for (int y : samples) {
                System.out.print(
                        (x + y) + " " + (x - y) + " " + (x * y) + " " + (x & y) + " " + (x | y) + " " + (x ^ y));
                if (y != 0) System.out.print(" " + (x / y) + " " + (x % y));
                System.out.println();
            }
            System.out.println(-x + " " + ~x + " " + (x << 1) + " " + (x >> 1) + " " + (x >>> 1));
        }
    }
}
