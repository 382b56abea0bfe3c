// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// IEEE arithmetic, NaN comparisons in both directions, remainder, negative zero.
public class FloatingPoint {
    public static void main(String[] args) {
        double[] samples = {
            0.0,
            -0.0,
            1.0,
            -1.5,
            1e308,
            1e-308,
            Double.MIN_VALUE,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Math.PI
        };
        for (double x : samples) {
            for (double y : samples) {
                System.out.println(
                        (x + y) + " " + (x - y) + " " + (x * y) + " " + (x / y) + " " + (x % y)
                                + " " + (x < y) + (x <= y) + (x > y) + (x >= y) + (x == y)
                                + (x != y));
                float f = (float) x, g = (float) y;
                System.out.println(
                        (f + g) + " " + (f * g) + " " + (f / g) + " " + (f % g) + " " + (f < g)
                                + (f >= g));
            }
        }
        System.out.println(
                Float.floatToRawIntBits(-(0.0f)) + " " + Double.doubleToRawLongBits(-(0.0)));
    }
}
