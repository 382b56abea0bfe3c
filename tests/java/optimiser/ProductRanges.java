// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranges of products of longs, multiplication by constants, shifts, exact arithmetic.
public class ProductRanges {
    static int a(long x) {
        long y = (x & 0x7fffffffL) * 0x7fffffffL;
        return y > 0x3fffffff00000000L ? 1 : y < 0 ? 2 : 3;
    }

    static int b(long x, long z) {
        long p = (x & 0xffffffffL) * (z & 0x7fffffffL);
        return p < 0 ? 1 : (p >>> 62) != 0 ? 2 : 3;
    }

    static long c(int x) {
        return x * 7L
                - (x << 3)
                + x * -5
                + (long) x * 0x100000000L
                + x * 15
                + x * 17
                + x * 31
                + x * 65
                + x * (1 << 31);
    }

    static int d(int x, int s) {
        return (x << s)
                ^ (x >> s)
                ^ (x >>> s)
                ^ (int) ((long) x << s)
                ^ (int) ((long) x >>> s)
                ^ (int) ((long) x >> -s)
                ^ (x << -s)
                ^ (x << 33)
                ^ (x >>> 32);
    }

    static String e(int x, int y) {
        String r = "";
        try {
            r += Math.addExact(x, y);
        } catch (ArithmeticException q) {
            r += q.getMessage();
        }
        try {
            r += Math.multiplyExact(x, y);
        } catch (ArithmeticException q) {
            r += q.getMessage();
        }
        try {
            r += Math.subtractExact((long) x << 32, (long) y << 32);
        } catch (ArithmeticException q) {
            r += q.getMessage();
        }
        try {
            r += Math.negateExact(x) + Math.incrementExact(y) + Math.toIntExact((long) x * y);
        } catch (ArithmeticException q) {
            r += q.getMessage();
        }
        return r;
    }

    static long f(int x) {
        long r = 0;
        int[] ds = {};
        r +=
                x / 3
                        + x / -3
                        + x / 7
                        + x / 10
                        + x / 1000000007
                        + x / 64
                        + x / -64
                        + x / Integer.MIN_VALUE
                        + x / 1
                        + x / -1;
        r =
                r * 31
                        + x % 3
                        + x % -7
                        + x % 10
                        + x % 64
                        + x % Integer.MIN_VALUE
                        + x % -1
                        + x % Integer.MAX_VALUE;
        long l = (long) x << 31 | x;
        r =
                r * 31
                        + l / 3
                        + l / -10
                        + l % 1000
                        + l / 4096
                        + l % 4096
                        + l / Long.MIN_VALUE
                        + l % -1
                        + l / -1;
        return r;
    }

    static int g(int x, int y) {
        int r = 0;
        try {
            r = x / y + x % y;
        } catch (ArithmeticException q) {
            r = -77;
        }
        try {
            r += (int) ((long) x / y) + (int) ((long) x % (long) y);
        } catch (ArithmeticException q) {
            r -= 99;
        }
        return r;
    }

    static long h(long x, int y) {
        return Math.floorDiv(x, y == 0 ? 3 : y) * 3
                + Math.floorMod(x, y == 0 ? -3 : y)
                + Math.multiplyHigh(x, y)
                + Math.multiplyFull((int) x, y)
                + Long.rotateLeft(x, y)
                + Integer.rotateRight((int) x, y)
                + Long.bitCount(x)
                + Long.numberOfLeadingZeros(x)
                + Long.numberOfTrailingZeros(x)
                + Integer.reverse(y)
                + Integer.reverseBytes(y)
                + Long.highestOneBit(x)
                + Character.reverseBytes((char) x)
                + Short.reverseBytes((short) y)
                + Integer.numberOfLeadingZeros((int) x);
    }

    static int sh(int[] a) {
        int r = 0;
        for (int i = 0; i < a.length; i++) {
            a[i] = (a[i] << i) >>> (i + 3);
            r += a[i] >> 40;
            byte b = (byte) (a[i] >>> 24);
            r += b;
            b >>>= 1;
            r += b;
            char c = (char) -a[i];
            c <<= 3;
            r += c;
            short s = (short) (c * b);
            s >>= 35;
            r ^= s;
        }
        return r;
    }

    public static void main(String[] q) {
        int[] v = {
            0,
            1,
            -1,
            2,
            3,
            5,
            -7,
            10,
            31,
            32,
            33,
            63,
            64,
            255,
            -256,
            46341,
            65536,
            0x7fffffff,
            0x80000000,
            0x80000001,
            0x55555555,
            0x7ffffffe
        };
        long last = 0;
        for (int k = 0; k < 1500; k++) {
            long r = 0;
            for (int x : v) {
                r = r * 31 + a(x) + c(x) + f(x);
                for (int y : v) {
                    r = r * 31 + b(x, y) + d(x, y) + g(x, y) + h((long) x << 29 ^ y, y);
                    if (k % 50 == 0) r += 0;
                }
            }
            int[] a = v.clone();
            r = r * 31 + sh(a);
            if (r != last) System.out.println(k + " " + r);
            last = r;
            if (k % 300 == 0) for (int x : v) for (int y : v) last += 0 * e(x, y).length();
        }
        int h = 0;
        for (int k = 0; k < 60; k++)
            for (int x : v) for (int y : v) h = h * 31 + e(x, y).hashCode();
        System.out.println(h);
    }
}
