// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two array fields that become the same array between two loops.
public class AliasedArrayFields {
    int n = 300;
    int[] m = new int[n], c = new int[n];
    long[] w = new long[n], v = new long[n];

    void step(int k) {
        for (int i = 46; i > 9; --i) {
            m[i + 1] = k;
            c[i] = k + 1;
        }
        for (int i = 0; i < 30; ++i) c = m;
        for (int i = 10; i < 40; i++) {
            w[i] = v[i - 1] + m[i];
            v[i] = w[i] ^ c[i + 1];
        }
        if ((k & 7) == 3) v = w;
        if ((k & 7) == 6) v = new long[n];
    }

    long sum() {
        long s = 0;
        for (int i = 0; i < n; i++) s = s * 31 + m[i] + c[i] * 3 + w[i] * 5 + v[i] * 7;
        return s;
    }

    public static void main(String[] a) {
        AliasedArrayFields t = new AliasedArrayFields();
        for (int i = 0; i < 40000; i++) {
            t.step(i);
            if (i % 4000 == 1)
                System.out.println(t.m[11] + " " + t.c[11] + " " + Long.toHexString(t.sum()));
        }
        System.out.println(Long.toHexString(t.sum()));
    }
}
