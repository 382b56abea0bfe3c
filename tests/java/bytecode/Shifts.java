// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shift counts are masked: 5 bits for int, 6 for long.
public class Shifts {
    public static void main(String[] args) {
        int[] counts = {0, 1, 31, 32, 33, 63, 64, 65, -1};
        for (int c : counts) {
            System.out.println((0x80000001 << c) + " " + (0x80000001 >> c) + " " + (0x80000001 >>> c));
            System.out.println(
                    (0x8000000000000001L << c) + " " + (0x8000000000000001L >> c) + " " + (0x8000000000000001L >>> c));
        }
    }
}
