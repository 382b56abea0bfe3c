// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Narrowing and widening: saturation from floating point, sign extension, char is unsigned.
public class Conversions {
    public static void main(String[] args) {
        double[] ds = {
            0,
            1.9,
            -1.9,
            1e10,
            -1e10,
            1e20,
            -1e20,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            2147483647.5,
            -2147483648.9,
            9.3e18
        };
        for (double d : ds) {
            float f = (float) d;
            System.out.println(
                    (int) d
                            + " "
                            + (long) d
                            + " "
                            + (int) f
                            + " "
                            + (long) f
                            + " "
                            + (byte) d
                            + " "
                            + (char) (int) d
                            + "|"
                            + (short) d);
        }
        int[] is = {0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -1, Integer.MIN_VALUE};
        for (int i : is) {
            System.out.println(
                    (byte) i
                            + " "
                            + (short) i
                            + " "
                            + (int) (char) i
                            + " "
                            + (long) i
                            + " "
                            + (float) i
                            + " "
                            + (double) i);
        }
        long[] ls = {0, 1L << 40, -1, Long.MAX_VALUE, Long.MIN_VALUE, 16777217};
        for (long l : ls) {
            System.out.println((int) l + " " + (float) l + " " + (double) l);
        }
    }
}
