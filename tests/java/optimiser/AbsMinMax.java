// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Absolute values in a row; minimum and maximum of NaN and of both zeros.
public class AbsMinMax {
    record V(float x, float y, float z) {
        V minus(V o) {
            return new V(x - o.x, y - o.y, z - o.z);
        }

        float taxi() {
            return Math.abs(x) + Math.abs(y) + Math.abs(z);
        }
    }

    static String h(double d) {
        return Long.toHexString(Double.doubleToRawLongBits(d));
    }

    static String h(float d) {
        return Integer.toHexString(Float.floatToRawIntBits(d));
    }

    static double rmin(double[] a) {
        double m = Double.POSITIVE_INFINITY;
        for (double d : a) m = Math.min(m, d);
        return m;
    }

    static double rmax(double[] a) {
        double m = Double.NEGATIVE_INFINITY;
        for (double d : a) m = Math.max(d, m);
        return m;
    }

    static float rminf(float[] a) {
        float m = Float.MAX_VALUE;
        for (float d : a) m = Math.min(d, m);
        return m;
    }

    static float rmaxf(float[] a) {
        float m = -Float.MAX_VALUE;
        for (float d : a) m = Math.max(m, d);
        return m;
    }

    static void ew(float[] a, float[] b, float[] c) {
        for (int i = 0; i < a.length; i++) c[i] = Math.min(a[i], b[i]) + Math.max(a[i], b[i]);
    }

    static void ab(double[] a, double[] c) {
        for (int i = 0; i < a.length; i++) c[i] = -Math.abs(-a[i]);
    }

    static int cmp(double a, double b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a >= b)) r |= 128;
        return r;
    }

    static int cmpf(float a, float b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a >= b)) r |= 128;
        return r;
    }

    static int loopNaN(double lim) {
        int n = 0;
        for (double d = 0; !(d >= lim); d += 1) if (++n > 100) break;
        return n;
    }

    public static void main(String[] s) {
        V c = new V(32, 32, 32);
        int bad = 0;
        double sum = 0;
        for (int x = 0; x <= 90; x++)
            for (int y = 0; y <= 90; y++)
                for (int z = 0; z <= 90; z++) {
                    V p = new V(x, y, z).minus(c);
                    float t = p.taxi();
                    float u = new V(p.x(), p.y(), p.z()).taxi();
                    if (t != u) bad++;
                    sum += t;
                }
        System.out.println(bad + " " + sum);
        double[] sp = {
            0.0,
            -0.0,
            1,
            -1,
            Double.NaN,
            Double.longBitsToDouble(0xfff8000000000123L),
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            1e300
        };
        float[] fp = {
            0f,
            -0f,
            1,
            -1,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            1e30f
        };
        String last = "";
        for (int k = 0; k < 4000; k++) {
            StringBuilder b = new StringBuilder();
            for (double p : sp)
                for (double q : sp) {
                    double mn = Math.min(p, q), mx = Math.max(p, q);
                    b.append(Double.isNaN(mn) ? "N" : h(mn))
                            .append(Double.isNaN(mx) ? "N" : h(mx))
                            .append(cmp(p, q));
                }
            for (float p : fp)
                for (float q : fp) {
                    float mn = Math.min(p, q), mx = Math.max(p, q);
                    b.append(Float.isNaN(mn) ? "N" : h(mn))
                            .append(Float.isNaN(mx) ? "N" : h(mx))
                            .append(cmpf(p, q));
                }
            double[] d = new double[37];
            float[] f = new float[37], g = new float[37], o = new float[37];
            double[] e = new double[37];
            for (int i = 0; i < 37; i++) {
                d[i] = i % 5 == k % 5 ? -0.0 : 0.0;
                f[i] = i == k % 37 ? Float.NaN : i - 18;
                g[i] = i % 2 == 0 ? -0f : 0f;
            }
            ew(f, g, o);
            ab(d, e);
            float fs = 0;
            for (float v : o) if (v == v) fs += v;
            long hs = 0;
            for (double v : e) hs = hs * 31 + Double.doubleToRawLongBits(v);
            String r =
                    h(rmin(d))
                            + h(rmax(d))
                            + Float.isNaN(rminf(f))
                            + Float.isNaN(rmaxf(f))
                            + h(rminf(g))
                            + h(rmaxf(g))
                            + " "
                            + fs
                            + " "
                            + hs
                            + " "
                            + loopNaN(Double.NaN)
                            + loopNaN(5);
            if (k % 5 == 0) {
                String t = Integer.toHexString(b.toString().hashCode());
                if (!t.equals(last)) System.out.println(k + " " + t);
                last = t;
            }
            if (k % 997 == 0) System.out.println(r);
        }
    }
}
