// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Math and StrictMath: exact results where the specification requires them, fdlibm's results otherwise.
public class MathFunctions {
    public static void main(String[] args) {
        double[] xs = {
            0,
            -0.0,
            0.5,
            1,
            -1,
            2,
            10,
            1e10,
            1e300,
            -3.7,
            1e-10,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Math.PI,
            100.25
        };
        for (double x : xs) {
            System.out.println(
                    Math.sqrt(x)
                            + " "
                            + Math.floor(x)
                            + " "
                            + Math.ceil(x)
                            + " "
                            + Math.rint(x)
                            + " "
                            + Math.round(x)
                            + " "
                            + Math.abs(x)
                            + " "
                            + Math.signum(x)
                            + " "
                            + Math.ulp(x)
                            + " "
                            + Math.getExponent(x));
            System.out.println(
                    StrictMath.sin(x)
                            + " "
                            + StrictMath.cos(x)
                            + " "
                            + StrictMath.tan(x)
                            + " "
                            + StrictMath.exp(x)
                            + " "
                            + StrictMath.log(x)
                            + " "
                            + StrictMath.log10(x)
                            + " "
                            + StrictMath.cbrt(x));
            System.out.println(
                    StrictMath.asin(x)
                            + " "
                            + StrictMath.acos(x)
                            + " "
                            + StrictMath.atan(x)
                            + " "
                            + StrictMath.sinh(x)
                            + " "
                            + StrictMath.cosh(x)
                            + " "
                            + StrictMath.tanh(x)
                            + " "
                            + StrictMath.expm1(x)
                            + " "
                            + StrictMath.log1p(x));
            for (double y : new double[] {0, 1, -2, 0.5})
                System.out.print(
                        StrictMath.pow(x, y)
                                + " "
                                + StrictMath.atan2(x, y)
                                + " "
                                + StrictMath.hypot(x, y)
                                + " "
                                + Math.IEEEremainder(x, y)
                                + " "
                                + Math.max(x, y)
                                + " "
                                + Math.min(x, y)
                                + " "
                                + Math.copySign(x, y)
                                + " "
                                + Math.nextAfter(x, y)
                                + " ");
            System.out.println();
        }
        System.out.println(
                Math.fma(2.0, 3.0, 4.0)
                        + " "
                        + Math.multiplyHigh(1L << 62, 8)
                        + " "
                        + Math.floorMod(-5L, 3)
                        + " "
                        + Math.scalb(1.0, 5));
    }
}
