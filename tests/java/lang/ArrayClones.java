// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of arrays: clone is shallow, types at run time, covariance, default values, multi-dimensional creation.
import java.util.Arrays;

public class ArrayClones {
    public static void main(String[] args) {
        int[][] a = {{1, 2}, {3}, null};
        int[][] b = a.clone();
        b[0][0] = 9;
        b[1] = new int[] {7};
        System.out.println(Arrays.deepToString(a) + Arrays.deepToString(b) + (a[0] == b[0]) + a.getClass()
                + Arrays.deepEquals(a, b) + Arrays.deepHashCode(a));
        long[][][] m = new long[2][3][];
        System.out.println(m.length + " " + m[1].length + " " + m[1][2] + " " + m.getClass().getName() + " "
                + m[0].getClass().getComponentType());
        Object[] o = new String[2];
        Object[][] oo = new Integer[2][2];
        try {
            o[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            oo[0] = new String[1];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] n = new int[2][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] n = new int[0][-5];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        Object x = new int[0][0];
        System.out.println((x instanceof Object[]) + " " + (x instanceof Cloneable[]) + " " + (x instanceof int[][])
                + " " + (x instanceof Object[][]) + " " + (new int[0] instanceof java.io.Serializable));
        try {
            String[] s = (String[]) new Object[] {"a"};
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        char[][] c = new char[2][2];
        boolean[] z = new boolean[1];
        System.out.println((int) c[1][1] + " " + z[0] + " " + new float[1][1][0].length + " "
                + Arrays.toString((Object[]) new String[1]));
        int[][][][][] deep = new int[1][1][1][1][1];
        System.out.println(deep[0][0][0][0][0] + " " + deep.getClass().getName() + " "
                + Arrays.asList(new Integer[] {1, 2}).getClass().getSimpleName() + " "
                + Arrays.copyOf(new Object[] {"q"}, 2, String[].class).getClass());
    }
}
