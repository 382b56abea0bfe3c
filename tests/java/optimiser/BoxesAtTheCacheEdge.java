// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Identity of boxes at the border of their cache, and boxes near the largest int.
public class BoxesAtTheCacheEdge {
    static int id(int i) {
        Integer a = i, b = i;
        return (a == b ? 1 : 0) + (a.equals(b) ? 2 : 0);
    }

    static int far(int n) {
        int s = 0;
        for (int i = Integer.MAX_VALUE - n; i > 0; i++) {
            Integer q = i;
            if (q < 0) return -1;
            s += q;
            if (i >= 256) {
                Integer z = i;
                s ^= z.hashCode();
            }
        }
        return s;
    }

    static int lid(long l) {
        Long a = l, b = l;
        return (a == b ? 1 : 0) + (a.equals(b) ? 2 : 0) + (a.equals((Object) (int) l) ? 4 : 0);
    }

    static int cid(char c) {
        Character a = c, b = c;
        return (a == b ? 1 : 0) + (a.equals(b) ? 2 : 0);
    }

    static int did(double d) {
        Double a = d, b = d;
        return (a.equals(b) ? 2 : 0)
                + (a.doubleValue() == b.doubleValue() ? 4 : 0)
                + (a == b ? 1 : 0);
    }

    static int merge(int i, boolean c) {
        Object o = c ? (Object) i : (Object) (long) i;
        Object p = c ? i : (long) i;
        return (o instanceof Integer ? 1 : 0) + (p instanceof Long ? 2 : 0) + o.hashCode();
    }

    static int loop(int n) {
        Integer s = 0;
        for (Integer i = 120; i < n; i++) {
            s += i;
            if (i == Integer.valueOf(i)) s++;
        }
        return s;
    }

    static int nul(Integer i, int c) {
        try {
            return c > 0 ? i : 0;
        } catch (NullPointerException e) {
            return -9;
        }
    }

    static Object keep;

    static int esc(int i) {
        Integer a = i;
        if ((i & 1023) == 77) keep = a;
        Integer b = a;
        return (a == b ? 1 : 0) + (keep == a ? 2 : 0) + a;
    }

    public static void main(String[] x) {
        long last = 0;
        for (int k = 0; k < 6000; k++) {
            long h = 0;
            for (int i :
                    new int[] {
                        -129, -128, 0, 127, 128, 255, 256, Integer.MAX_VALUE, Integer.MIN_VALUE
                    }) {
                h =
                        h * 31
                                + id(i)
                                + lid(i) * 5
                                + cid((char) i) * 11
                                + merge(i, true)
                                + merge(i, false) * 3;
                h = h * 31 + did(i);
            }
            h = h * 31 + did(Double.NaN) + did(-0.0);
            h = h * 31 + far(40);
            h = h * 31 + loop(140);
            h = h * 31 + nul(null, 1) + nul(null, 0) + nul(5, 1);
            for (int i = 1090; i < 1110; i++) h = h * 31 + esc(i);
            if (h != last) System.out.println(k + " " + h);
            last = h;
        }
    }
}
