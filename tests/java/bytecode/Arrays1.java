// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of every element type: defaults, stores with narrowing, lengths, clone, multi-dimensional
// with ragged and zero sizes.
public class Arrays1 {
    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = new byte[3];
        char[] c = new char[3];
        short[] s = new short[3];
        int[] i = new int[3];
        long[] l = new long[3];
        float[] f = new float[3];
        double[] d = new double[3];
        String[] o = new String[3];
        System.out.println(
                z[0]
                        + " "
                        + b[0]
                        + " "
                        + (int) c[0]
                        + " "
                        + s[0]
                        + " "
                        + i[0]
                        + " "
                        + l[0]
                        + " "
                        + f[0]
                        + " "
                        + d[0]
                        + " "
                        + o[0]);
        int big = 0x12345678 + o.length;
        z[1] = big > 0;
        b[1] = (byte) big;
        c[1] = (char) big;
        s[1] = (short) big;
        i[1] = big;
        l[1] = big * 3L;
        f[1] = big;
        d[1] = big / 7.0;
        o[1] = "x";
        System.out.println(
                z[1]
                        + " "
                        + b[1]
                        + " "
                        + (int) c[1]
                        + " "
                        + s[1]
                        + " "
                        + i[1]
                        + " "
                        + l[1]
                        + " "
                        + f[1]
                        + " "
                        + d[1]
                        + " "
                        + o[1]);
        int[][][] deep = new int[2][3][];
        System.out.println(deep.length + " " + deep[1].length + " " + deep[1][2]);
        int[][] none = new int[0][5];
        System.out.println(none.length + " " + new int[3][0][7][0].length);
        int[][] ragged = {{1}, {2, 3}, {}};
        int[][] copy = ragged.clone();
        System.out.println((copy == ragged) + " " + (copy[1] == ragged[1]) + " " + copy[1][1]);
        long[][] ll = new long[2][2];
        ll[1][0] = 5;
        System.out.println(ll[1][0] + ll[0][1]);
        System.out.println(
                ragged.getClass().getName()
                        + " "
                        + deep.getClass().getSimpleName()
                        + " "
                        + o.getClass()
                        + " "
                        + z.getClass());
    }
}
