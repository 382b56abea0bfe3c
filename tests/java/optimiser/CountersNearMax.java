// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops with a step above one whose limit is the largest int.
public class CountersNearMax {
    static boolean prime(int n) {
        double s = Math.sqrt(n);
        for (int i = 2; i <= s; i++) if (n % i == 0) return false;
        return true;
    }

    static int gen(int from, int limit) {
        int last = 0, n = 0;
        for (int i = from; i <= limit; i += 2) {
            if (i > 0 && (i & 1023) == 1 && prime(i)) last = i;
            if (++n > 3000) return last * 2 + 1;
        }
        return last;
    }

    static int gen3(int from) {
        int n = 0;
        for (int i = from; i <= Integer.MAX_VALUE; i += 3) if (++n > 3000) break;
        return n;
    }

    static int genArr(int[] a, int from, int lim) {
        int n = 0;
        try {
            for (int i = from; i <= lim; i += 2) {
                n += a[i];
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return n * 1000 + e.getMessage().length();
        }
        return n;
    }

    public static void main(String[] x) {
        int[] a = new int[100];
        for (int i = 0; i < 100; i++) a[i] = i;
        for (int i = 0; i < 400; i++) {
            int h =
                    gen(3, Integer.MAX_VALUE)
                            + gen(Integer.MAX_VALUE - 100, Integer.MAX_VALUE) * 3
                            + gen(Integer.MAX_VALUE - 100, Integer.MAX_VALUE - 1) * 5
                            + gen3(Integer.MAX_VALUE - 50) * 7
                            + genArr(a, 0, Integer.MAX_VALUE) * 11
                            + genArr(a, 1, 98) * 13
                            + genArr(a, -2, 4) * 17;
            if (i % 99 == 0) System.out.println(h);
        }
    }
}
