// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A float that accumulates doubles, and conversions that saturate.
public class FloatAccumulation {
    static float a = 23.504F;
    static long ic;
    static volatile short sf;
    static float[][] f = new float[150][150];

    static void v() {
        int i;
        double d = i = 1;
        while (++i < 132) {
            a += d;
            f[i][i] = sf = 8;
            d -= ic;
            for (int j = 1; j < 12; ++j) ic = (long) a;
        }
    }

    static long conv(double d) {
        float f = (float) d;
        return ((int) d) * 31L
                + (long) d * 17
                + (int) f * 13L
                + (long) f * 7
                + (byte) d
                + (char) d * 3
                + (short) f * 5;
    }

    static long arr(double[] s, int[] t, long[] u, byte[] b, char[] c) {
        for (int i = 0; i < s.length; i++) {
            t[i] = (int) s[i];
            u[i] = (long) s[i];
            b[i] = (byte) s[i];
            c[i] = (char) s[i];
        }
        long h = 0;
        for (int i = 0; i < s.length; i++) h = h * 31 + t[i] + u[i] * 3 + b[i] * 5 + c[i] * 7;
        return h;
    }

    static int dmod(double a, double b) {
        return Double.hashCode(a % b);
    }

    static int fmod(float a, float b) {
        return Float.hashCode(a % b);
    }

    static long l2d(long l) {
        return Double.doubleToLongBits((double) l)
                ^ Float.floatToIntBits((float) l)
                ^ Float.floatToIntBits((float) (int) l);
    }

    public static void main(String[] x) {
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 200; j++) v();
            System.out.println(a + " " + ic + " " + f[7][7]);
            if (i == 4) {
                a = 1e18f;
                ic = 0;
            }
        }
        double[] s = {
            0,
            -0.0,
            0.5,
            -0.5,
            127.9,
            128,
            -129,
            255,
            65535.9,
            65536,
            2147483647,
            2147483648.0,
            -2147483649.0,
            4294967296.0,
            9.3e18,
            -9.3e18,
            1e30,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            4.9e-324,
            9007199254740993.0,
            16777217,
            0.1 + 0.2
        };
        long[] ls = {
            0,
            1,
            -1,
            16777217,
            33554433,
            9007199254740993L,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            0x7fffff4000000000L,
            0x7fffffbfffffffffL,
            0x20000030000001L,
            -16777219
        };
        long last = 0;
        for (int k = 0; k < 8000; k++) {
            long h = 0;
            for (double d : s) h = h * 31 + conv(d);
            h =
                    h * 31
                            + arr(
                                    s,
                                    new int[s.length],
                                    new long[s.length],
                                    new byte[s.length],
                                    new char[s.length]);
            for (double p : s)
                for (double q : s)
                    if ((k & 15) == 0) h = h * 31 + dmod(p, q) * 0 + fmod((float) p, (float) q) * 0;
            for (long l : ls) h = h * 31 + l2d(l);
            if (h != last) System.out.println(k + " " + h);
            last = h;
        }
        long h = 0;
        for (int k = 0; k < 300; k++)
            for (double p : s)
                for (double q : s) {
                    int d = dmod(p, q), e = fmod((float) p, (float) q);
                    if (p % q == p % q) h = h * 31 + d;
                    if ((float) p % (float) q == (float) p % (float) q) h = h * 31 + e;
                }
        System.out.println(h);
    }
}
