// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills the heap several times: short-lived arrays, some that are kept for a while, and one that needs regions of its
// own.
public class Regions {
    static byte[][] kept = new byte[200][];
    static byte[] large;

    public static void main(String[] arguments) {
        large = new byte[3_000_000];
        for (int i = 0; i < 200_000; i++) {
            byte[] array = new byte[1000];
            if (i % 100 == 0) kept[i / 100 % kept.length] = array;
            if (i == 100_000) large = null;
        }
        System.gc();
        System.out.println(kept[7].length);
    }
}
