// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays larger than a region survive, their references follow the objects that move, and the arrays die.
public class LargeObjects {
    public static void main(String[] args) {
        Object[] big = new Object[400_000];
        for (int i = 0; i < big.length; i += 100) big[i] = Integer.valueOf(i);
        long[] nums = new long[300_000];
        nums[299_999] = 5;
        for (int r = 0; r < 20; r++) {
            byte[] junk = new byte[2_000_000];
            junk[r] = 1;
            System.gc();
        }
        long s = 0;
        for (int i = 0; i < big.length; i += 100) s += (Integer) big[i];
        System.out.println(s + " " + nums[299_999] + " " + big[1]);
        int[][] rows = new int[100][];
        for (int i = 0; i < 3000; i++) rows[i % 100] = new int[10_000];
        System.out.println(rows[99].length);
    }
}
