// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An int counter that is compared as long, float or double with a limit that it never reaches.
public class WidenedCounters {
    static volatile long sink;

    static long pure(int from, long lim) {
        long s = 0;
        for (int i = from; (long) i < lim; i++) s += i;
        return s;
    }

    static long guarded(int from, long lim) {
        long n = 0;
        for (int i = from; (long) i < lim; i++) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    static long guardedF(int from, float lim) {
        long n = 0;
        for (int i = from; i < lim; i++) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    static long guardedD(int from, double lim) {
        long n = 0;
        for (int i = from; i <= lim; i++) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    static long bytes(int lim) {
        long n = 0;
        for (byte b = 0; b < lim; b++) {
            if (++n > 700) return -n;
        }
        return n;
    }

    static long shorts(int lim) {
        long n = 0;
        for (short b = 32000; b < lim; b++) {
            if (++n > 70000) return -n;
        }
        return n;
    }

    static long le(int from) {
        long n = 0;
        for (int i = from; i <= Integer.MAX_VALUE; i++) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    static long ge(int from) {
        long n = 0;
        for (int i = from; i >= Integer.MIN_VALUE; i--) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    static long idx(int[] a, long lim) {
        long n = 0;
        try {
            for (int i = 0; i < lim; i++) n += a[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return n * 10 + e.getMessage().length();
        }
        return n;
    }

    static long down(int from, long lim) {
        long n = 0;
        for (int i = from; i > lim; i--) {
            if (++n > 5000) return -n;
        }
        return n;
    }

    public static void main(String[] x) throws Exception {
        int[] a = {3, 4, 5};
        for (int k = 0; k < 2500; k++) {
            long h = guarded(Integer.MAX_VALUE - 1000, 2147483648L);
            h = h * 7 + guarded(Integer.MAX_VALUE - 1000, 2147483647L);
            h = h * 7 + guardedF(Integer.MAX_VALUE - 1000, 2147483648f);
            h = h * 7 + guardedD(Integer.MAX_VALUE - 1000, 2147483647.0);
            h = h * 7 + bytes(200) + bytes(127);
            if (k < 50) h += shorts(40000) * 0;
            h = h * 7 + le(Integer.MAX_VALUE - 100) + ge(Integer.MIN_VALUE + 100);
            h = h * 7 + idx(a, 1L << 40) + idx(a, 3) + down(Integer.MIN_VALUE + 10, -2147483649L);
            if (k % 499 == 0) System.out.println(h);
        }
        System.out.println(shorts(40000) + " " + pure(Integer.MAX_VALUE - 10, 2147483647L));
        for (int i = 0; i < 2000; i++) sink += pure(2147480000, 2147483647L);
        System.out.println(sink);
        Thread t =
                new Thread(
                        () -> {
                            sink = pure(2_000_000_000, 2147483648L);
                            System.out.println("returned " + sink);
                        });
        t.setDaemon(true);
        t.start();
        t.join(1000);
        System.out.println("alive " + t.isAlive());
    }
}
