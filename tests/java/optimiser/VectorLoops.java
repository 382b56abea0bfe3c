// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops that read and write one array at different offsets, and reductions of all types.
public class VectorLoops {
    static double[] dist(double[] a, int d) {
        for (int i = 0; i < a.length - d; i++) a[i + d] = a[i] + 1;
        return a;
    }

    static int[] distI(int[] a, int d) {
        for (int i = d; i < a.length; i++) a[i - d] = a[i] * 3;
        return a;
    }

    static long[] two(long[] a, long[] b) {
        for (int i = 1; i < a.length; i++) {
            a[i] = b[i - 1] + 1;
            b[i] = a[i] ^ i;
        }
        return a;
    }

    static byte[] bytes(byte[] a, byte[] b) {
        for (int i = 0; i < a.length; i++) a[i] = (byte) (a[i] + b[i] >> 1);
        return a;
    }

    static long red(int[] a) {
        int s = 0, x = 0, o = 0, n = -1, mi = Integer.MAX_VALUE, ma = Integer.MIN_VALUE;
        long l = 0;
        int c = 0;
        for (int i = 0; i < a.length; i++) {
            s += a[i];
            x ^= a[i];
            o |= a[i];
            n &= a[i];
            mi = Math.min(mi, a[i]);
            ma = Math.max(ma, a[i]);
            l += a[i];
            if (a[i] > 0) c++;
        }
        return s * 3L + x * 5L + o * 7L + n * 11L + mi * 13L + ma * 17L + l * 19 + c;
    }

    static float fs(float[] a) {
        float s = 0;
        for (float f : a) s += f;
        return s;
    }

    static double ds(double[] a) {
        double s = 0, p = 1;
        for (double f : a) {
            s += f;
            p *= 1 + f * 1e-9;
        }
        return s + p;
    }

    static int sb(byte[] a) {
        int s = 0;
        short t = 0;
        byte u = 0;
        for (byte b : a) {
            s += b;
            t += b;
            u += b;
            s += b & 255;
        }
        return s * 31 + t * 7 + u;
    }

    static int dot(short[] a, short[] b) {
        int s = 0;
        for (int i = 0; i < a.length; i++) s += a[i] * b[i];
        return s;
    }

    static long mulred(long[] a) {
        long p = 1;
        for (long l : a) p *= l | 1;
        return p;
    }

    static int cond(int[] a, int[] b) {
        int r = 0;
        for (int i = 0; i < a.length; i++) {
            b[i] = a[i] > 3 ? a[i] : -a[i];
            r += a[i] == b[i] ? 1 : 2;
        }
        return r;
    }

    static int gather(int[] a, int[] ix) {
        int r = 0;
        for (int i = 0; i < ix.length; i++) r = r * 3 + a[ix[i]];
        return r;
    }

    static void scatter(int[] a, int[] ix) {
        for (int i = 0; i < ix.length; i++) a[ix[i]] += i;
    }

    static char[] inv(char[] a) {
        for (int i = 0; i < a.length; i++) a[i] = (char) ~a[i];
        return a;
    }

    static long sh(long[] a, int[] s) {
        long r = 0;
        for (int i = 0; i < a.length; i++) r += a[i] << s[i] ^ a[i] >>> -s[i];
        return r;
    }

    static long h(long[] a) {
        return java.util.Arrays.hashCode(a);
    }

    public static void main(String[] z) {
        long last = 0;
        for (int k = 0; k < 2500; k++) {
            long r = 0;
            for (int n : new int[] {0, 1, 3, 15, 16, 17, 31, 64, 67, 129}) {
                double[] d = new double[n];
                int[] a = new int[n], b = new int[n], ix = new int[n];
                long[] l = new long[n], m = new long[n];
                byte[] y = new byte[n], w = new byte[n];
                float[] f = new float[n];
                short[] s = new short[n], t = new short[n];
                char[] c = new char[n];
                for (int i = 0; i < n; i++) {
                    d[i] = i * 1.1;
                    a[i] = i * 0x9E3779B9;
                    b[i] = i;
                    ix[i] = (i * 7) % n;
                    l[i] = i * 0x9E3779B97F4A7C15L;
                    m[i] = -i;
                    y[i] = (byte) (i * 5);
                    w[i] = (byte) -i;
                    f[i] = i * 0.1f;
                    s[i] = (short) (i * 777);
                    t[i] = (short) (i * -333);
                    c[i] = (char) i;
                }
                r =
                        r * 31
                                + red(a)
                                + java.util.Arrays.hashCode(dist(d, 1))
                                + java.util.Arrays.hashCode(dist(d.clone(), 2))
                                + java.util.Arrays.hashCode(dist(d.clone(), 3))
                                + java.util.Arrays.hashCode(distI(a.clone(), 1))
                                + java.util.Arrays.hashCode(distI(a.clone(), 5))
                                + h(two(l.clone(), m))
                                + h(two(l, l))
                                + java.util.Arrays.hashCode(bytes(y, w))
                                + java.util.Arrays.hashCode(bytes(y, y))
                                + Float.floatToIntBits(fs(f))
                                + Double.doubleToLongBits(ds(d))
                                + sb(y)
                                + dot(s, t)
                                + mulred(l)
                                + cond(b, a)
                                + cond(b, b)
                                + gather(a, ix)
                                + java.util.Arrays.hashCode(inv(c))
                                + sh(m, b);
                scatter(a, ix);
                r = r * 31 + java.util.Arrays.hashCode(a);
                if (n > 0) {
                    java.util.Arrays.fill(ix, n / 2);
                    scatter(a, ix);
                    java.util.Arrays.fill(b, n - 1);
                    scatter(ix, b);
                    r = r * 31 + java.util.Arrays.hashCode(a) + java.util.Arrays.hashCode(ix);
                }
            }
            if (r != last) System.out.println(k + " " + r);
            last = r;
        }
    }
}
