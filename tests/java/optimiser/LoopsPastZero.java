// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The value of a counter after a loop without a body, as text.
public class LoopsPastZero {
    static int bad;
    static String firstBad = "";

    static void one(int s, int d, int e) {
        int i = s;
        while ((i -= d) > 0)
            ;
        String v = i + "";
        if (v.length() != Integer.toString(e).length() || !v.equals(String.valueOf(e))) {
            bad++;
            if (bad < 4) System.out.println(v + " " + i);
        }
    }

    static void two() {
        int i = 8;
        while ((i -= 3) > 0)
            ;
        String v = i + "";
        if (!v.equals("-1")) {
            bad++;
            if (bad < 4) System.out.println(v);
        }
    }

    static void three() {
        long i = 8;
        while ((i -= 3) > 0)
            ;
        String v = "" + i;
        if (!v.equals("-1")) bad++;
        int j = 9;
        do {
            j -= 4;
        } while (j > 0);
        StringBuilder b = new StringBuilder();
        b.append(j).append(i);
        if (!b.toString().equals("-3-1")) bad++;
    }

    static String digits(int i) {
        char[] c = new char[3];
        int p = 3;
        boolean n = i < 0;
        if (!n) i = -i;
        while (i <= -10) {
            int q = i / 10;
            c[--p] = (char) ('0' - (i - q * 10));
            i = q;
        }
        c[--p] = (char) ('0' - i);
        if (n) c[--p] = '-';
        return new String(c, p, 3 - p);
    }

    public static void main(String[] x) {
        for (int k = 0; k < 40000; k++) {
            one(8, 3, -1);
            one(9, 3, 0);
            one(7, 4, -1);
            one(20, 11, -2);
            two();
            three();
            int z = 10;
            while (z > 0) z -= 3;
            if (!digits(z).equals("-2") || !digits(k % 90).equals("" + k % 90)) bad++;
        }
        System.out.println("bad " + bad);
    }
}
