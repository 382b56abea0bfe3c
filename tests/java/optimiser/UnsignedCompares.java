// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Unsigned comparisons inside large hot methods.
public class UnsignedCompares {
    static final int T = 1, F = 0;

    static int geu(int a, int b) {
        return Integer.compareUnsigned(a, b) >= 0 ? T : F;
    }

    static int gtu(int a, int b) {
        return Integer.compareUnsigned(a, b) > 0 ? T : F;
    }

    static int leu(int a, int b) {
        return Integer.compareUnsigned(a, b) <= 0 ? T : F;
    }

    static int ltu(int a, int b) {
        return Integer.compareUnsigned(a, b) < 0 ? T : F;
    }

    static int gel(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? T : F;
    }

    static int rev(byte[] m, int p, int n) {
        int i = p, j = p + n - 1;
        while (geu(i, j) == 0) {
            byte t = m[i];
            m[i] = m[j];
            m[j] = t;
            i++;
            j--;
            if (geu(j, p) == 0) break;
        }
        int h = 0;
        for (byte b : m) h = h * 31 + b;
        return h;
    }

    static long big(int a, int b) {
        long r = 0;
        if (geu(a, b) != 0) r += 1;
        else r += 2;
        if (gtu(a, b) != 0) {
            r ^= a;
            if (ltu(a, 100) != 0) r += 3;
        }
        if (leu(b, a) == F) r += 7;
        if (geu(a - b, b) == T) r = r * 3 + 1;
        if (gel(a, b) == 1) r = r * 5 + 2;
        if (gel((long) a << 32, b & 0xffffffffL) == 0) r += 11;
        r = r * 31 + Integer.divideUnsigned(a, b | 1) + Integer.remainderUnsigned(a, b | 1);
        r =
                r * 31
                        + Long.divideUnsigned((long) a << 20, (long) b | 1)
                        + Long.remainderUnsigned(a, b | 1L);
        for (int i = 0; ltu(i, a & 15) != 0; i++) r += i;
        for (int i = -3; geu(i, -5) != 0; i--) r += i;
        r =
                r * 31
                        + Integer.toUnsignedString(a).hashCode()
                        + Long.toUnsignedString(b).hashCode()
                        + Integer.parseUnsignedInt(Integer.toUnsignedString(b));
        return r;
    }

    public static void main(String[] x) {
        int[] v = {
            0,
            1,
            -1,
            2,
            7,
            100,
            -100,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            0x80000001,
            0xfffffff0,
            65536,
            -65536
        };
        long last = 0;
        for (int k = 0; k < 3000; k++) {
            long h = 0;
            for (int a : v) for (int b : v) h = h * 31 + big(a, b);
            byte[] m = new byte[64];
            for (int i = 0; i < 64; i++) m[i] = (byte) i;
            for (int n = 0; n < 9; n++) h = h * 31 + rev(m, 3, n);
            if (h != last) System.out.println(k + " " + h);
            last = h;
        }
    }
}
