// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.arraycopy: overlap, all element types, store checks in the middle, messages.
import java.util.Arrays;

public class ArrayCopy {
    static void run(Runnable r) {
        try {
            r.run();
            System.out.println("ok");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        int[] a = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.arraycopy(a, 0, a, 3, 6);
        System.out.println(Arrays.toString(a));
        System.arraycopy(a, 3, a, 1, 6);
        System.out.println(Arrays.toString(a));
        Object[] o = {"a", "b", 3, "d"};
        String[] s = new String[4];
        run(() -> System.arraycopy(o, 0, s, 0, 4));
        System.out.println(Arrays.toString(s));
        run(() -> System.arraycopy(a, 0, new long[10], 0, 1));
        run(() -> System.arraycopy(a, 8, new int[10], 0, 3));
        run(() -> System.arraycopy(a, -1, a, 0, 1));
        run(() -> System.arraycopy(a, 0, a, 9, 2));
        run(() -> System.arraycopy(a, 0, a, 0, -1));
        run(() -> System.arraycopy("x", 0, a, 0, 1));
        run(() -> System.arraycopy(a, 0, o, 0, 1));
        run(() -> System.arraycopy(null, 0, a, 0, 0));
        run(() -> System.arraycopy(a, 10, a, 10, 0));
        String[] t = {"p", "q"};
        Object[] u = new Object[3];
        System.arraycopy(t, 0, u, 1, 2);
        System.out.println(Arrays.toString(u));
        byte[] b = new byte[100];
        for (int i = 0; i < 100; i++) b[i] = (byte) i;
        System.arraycopy(b, 10, b, 11, 80);
        System.out.println(Arrays.hashCode(b));
        long[] l = {1, 2, 3};
        long[] m = Arrays.copyOf(l, 5);
        System.out.println(Arrays.toString(m) + Arrays.toString(Arrays.copyOfRange(o, 1, 3)));
        int[][] grid = {{1}, {2}};
        int[][] copy = new int[3][];
        System.arraycopy(grid, 0, copy, 1, 2);
        System.out.println(Arrays.deepToString(copy));
    }
}
