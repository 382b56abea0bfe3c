// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// NullPointerException messages without names of locals: "<parameter1>" names a parameter that no code has assigned.
// javac: -g:none
public class NullParameters {
    static int[] none() { return null; }

    static int writtenBehindItsUse(int[] values, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += values[i];
            values = null;
        }
        return sum;
    }

    static int writtenBeforeItsUse(int[] values, int n) {
        if (n > 0) values = null;
        return values[0];
    }

    static int writtenOnOneWay(int[] values, int n) {
        switch (n) {
            case 1: values = none(); break;
            case 2: return values[2];
            default: n++;
        }
        return values[n];
    }

    int inAHandler(int[] values, int n) {
        try {
            values = none();
            if (n > 0) throw new IllegalStateException();
        } catch (IllegalStateException e) {
            return values[n];
        }
        return values[n + 1];
    }

    int inFinally(int[] values, int n) {
        try {
            values = null;
            return n / (n - 1);
        } finally {
            n = values[0];
        }
    }

    static int readOnlyBehind(int n, int[] values) {
        int k = 0;
        while (true) {
            if (k++ == n) return values[k];
            if (k > 5) values = null;
        }
    }

    static int ofManyLocals(int n, int[] values) {
        int v0 = n + 0;
        int v1 = n + 1;
        int v2 = n + 2;
        int v3 = n + 3;
        int v4 = n + 4;
        int v5 = n + 5;
        int v6 = n + 6;
        int v7 = n + 7;
        int v8 = n + 8;
        int v9 = n + 9;
        int v10 = n + 10;
        int v11 = n + 11;
        int v12 = n + 12;
        int v13 = n + 13;
        int v14 = n + 14;
        int v15 = n + 15;
        int v16 = n + 16;
        int v17 = n + 17;
        int v18 = n + 18;
        int v19 = n + 19;
        int v20 = n + 20;
        int v21 = n + 21;
        int v22 = n + 22;
        int v23 = n + 23;
        int v24 = n + 24;
        int v25 = n + 25;
        int v26 = n + 26;
        int v27 = n + 27;
        int v28 = n + 28;
        int v29 = n + 29;
        int v30 = n + 30;
        int v31 = n + 31;
        int v32 = n + 32;
        int v33 = n + 33;
        int v34 = n + 34;
        int v35 = n + 35;
        int v36 = n + 36;
        int v37 = n + 37;
        int v38 = n + 38;
        int v39 = n + 39;
        int v40 = n + 40;
        int v41 = n + 41;
        int v42 = n + 42;
        int v43 = n + 43;
        int v44 = n + 44;
        int v45 = n + 45;
        int v46 = n + 46;
        int v47 = n + 47;
        int v48 = n + 48;
        int v49 = n + 49;
        int v50 = n + 50;
        int v51 = n + 51;
        int v52 = n + 52;
        int v53 = n + 53;
        int v54 = n + 54;
        int v55 = n + 55;
        int v56 = n + 56;
        int v57 = n + 57;
        int v58 = n + 58;
        int v59 = n + 59;
        int v60 = n + 60;
        int v61 = n + 61;
        int v62 = n + 62;
        int v63 = n + 63;
        int v64 = n + 64;
        int v65 = n + 65;
        int[] last = values;
        if (n == 0) return values[v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9 + v10 + v11 + v12 + v13
                + v14 + v15 + v16 + v17 + v18 + v19 + v20 + v21 + v22 + v23 + v24 + v25 + v26 + v27
                + v28 + v29 + v30 + v31 + v32 + v33 + v34 + v35 + v36 + v37 + v38 + v39 + v40 + v41
                + v42 + v43 + v44 + v45 + v46 + v47 + v48 + v49 + v50 + v51 + v52 + v53 + v54 + v55
                + v56 + v57 + v58 + v59 + v60 + v61 + v62 + v63 + v64 + v65];
        if (n == 1) return last[n];
        last = none();
        return last[v65];
    }

    static int wide(long a, double b, int[][] values, int n) {
        for (int i = 0; ; i++) {
            if (i == n) return values[i][i];
            values[i] = null;
            b += a;
        }
    }

    static int increased(int[][] values, int n) {
        int sum = 0;
        do {
            sum += values[n][n];
            n++;
        } while (n < 3);
        return sum;
    }

    static String chosen(String a, String b, boolean first) {
        for (int i = 0; i < 2; i++) {
            int length = (first ? a : b).length();
            a = b;
            first = length == 0;
        }
        return a;
    }

    static void show(String name, Runnable body) {
        try {
            body.run();
            System.out.println(name + ": nothing");
        } catch (RuntimeException e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        show("behind", () -> writtenBehindItsUse(new int[3], 3));
        show("behind, at once", () -> writtenBehindItsUse(null, 3));
        show("before", () -> writtenBeforeItsUse(new int[3], 1));
        for (int n = 0; n < 4; n++) {
            int m = n;
            show("one way " + n, () -> writtenOnOneWay(null, m));
            show("handler " + n, () -> new NullParameters().inAHandler(null, m));
            show("finally " + n, () -> new NullParameters().inFinally(null, m));
            show("read behind " + n, () -> readOnlyBehind(m, null));
            show("many " + n, () -> ofManyLocals(m, null));
            show("wide " + n, () -> wide(1, 2, new int[4][], m));
            show("increased " + n, () -> increased(new int[][] {{1, 2, 3}, null, {1, 2, 3}}, m));
            show("chosen " + n, () -> chosen(m < 2 ? null : "a", m % 2 == 0 ? null : "b", m < 2));
        }
        show("this", () -> new NullParameters().inAHandler(new int[2], 0));
    }
}
