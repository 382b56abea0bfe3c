// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A parameter that is stored through a shifted index and then overwritten.
public class ShiftedIndexStores {
    long n;
    final int len = 200;

    void o(int d) {
        byte by = (byte) (d | 8);
        long[] e = new long[len];
        for (int f = 0; f < e.length; f++) e[f] = 25319043172877155L + f;
        e[d >> 1] = d;
        e[d >>> 2] -= by;
        d = by;
        e[d & 63] ^= d;
        for (int f = 0; f < e.length; f++) n += e[f];
    }

    void all() {
        for (int h = 0; h < 40; h++) {
            int i = 1;
            while (++i < 100) o(i);
        }
        System.out.println(n);
    }

    public static void main(String[] a) {
        ShiftedIndexStores j = new ShiftedIndexStores();
        for (int g = 0; g < 12; g++) j.all();
    }
}
