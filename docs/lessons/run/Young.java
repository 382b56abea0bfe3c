public class Young {
    static Object[] kept = new Object[1000];

    public static void main(String[] args) {
        for (int i = 0; i < 3_000_000; i++) {
            byte[] fresh = new byte[24];
            if (i % 3000 == 0) kept[i / 3000] = fresh;
        }
        System.out.println(kept.length + " of 3000000 are alive");
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
