// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Float.toString, Double.toString and parsing at the corners: subnormals, halfway cases, hexadecimal, extremes.
public class FloatText {
    public static void main(String[] args) {
        double[] d = {0.0, -0.0, 1.0, 1e7, 9999999.999, 1e-3, 9.999e-4, 1e21, 2e-3, Double.MIN_VALUE, Double.MIN_NORMAL,
                Double.MAX_VALUE, Math.PI, 1.0 / 3, 2.2250738585072011e-308, 123456789012345680.0, 4.35, 2.0E-5, 1.1E23,
                5e-324 * 3, 100.0, 1e100, 0.1 + 0.2, Double.NaN, Double.POSITIVE_INFINITY, 2.2e-322,
                9007199254740993.0};
        for (double x : d) System.out.print(x + " " + Double.toHexString(x) + " ");
        System.out.println();
        float[] f = {0f, -0f, 1f, 1e7f, 3.4e38f, Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, 0.1f, 16777216f,
                1.17549435E-38f, 3.3e-5f, 1e10f, 8.5e-7f, 33554432f, Float.NaN};
        for (float x : f) System.out.print(x + " " + Float.toHexString(x) + " ");
        System.out.println();
        for (String s : new String[] {"1e-400", "1e400", "0x1p-1074", "0x1.8p1", "  5 ", "5d", "5f", "NaN", "-Infinity",
                     "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
                     "179769313486231580793728971405301e276", "9007199254740993", "0.1e1f", "1_000", "", "0x", "e5",
                     ".5", "5.", "+.5e-1", "Infinity5", "\u0661"}) {
            try {
                System.out.print(s + "=" + Double.parseDouble(s) + "/" + Float.parseFloat(s) + " ");
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println();
        System.out.println(String.format("%.3e %g %a %10.2f %+d %(.1f %08.3f %.0f %s", 12345.678, 0.0001234, 1.0,
                Math.E, 5, -2.55, -3.14159, 0.5, 1e-5f));
        System.out.println(Math.ulp(1.0) + " " + Math.nextUp(0f) + " " + Math.scalb(1.5, -1074) + " "
                + Math.fma(1e308, 10, -1e308) + " " + Double.compare(0.0, -0.0) + " " + (0.0 == -0.0) + " "
                + Double.valueOf(Double.NaN).equals(Double.NaN));
        System.out.println(Double.doubleToRawLongBits(Double.longBitsToDouble(0x7ff0000000000001L)) + " "
                + Float.floatToIntBits(Float.intBitsToFloat(0x7f800001)) + " " + Float.floatToRawIntBits(-0f));
    }
}
