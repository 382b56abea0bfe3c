// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BigInteger and BigDecimal.
import java.math.*;

public class BigNumbers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 1; i <= 60; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(
                f
                        + " "
                        + f.bitLength()
                        + " "
                        + f.mod(BigInteger.valueOf(1000007))
                        + " "
                        + f.toString(16));
        BigInteger a = new BigInteger("123456789012345678901234567890"),
                b = new BigInteger("-987654321098765432109876543210");
        System.out.println(
                a.add(b)
                        + " "
                        + a.multiply(b)
                        + " "
                        + b.divide(a)
                        + " "
                        + b.mod(a)
                        + " "
                        + a.gcd(b)
                        + " "
                        + a.pow(7)
                        + " "
                        + a.shiftLeft(70).shiftRight(3)
                        + " "
                        + a.and(b)
                        + " "
                        + a.modPow(BigInteger.TEN, BigInteger.valueOf(97))
                        + " "
                        + new BigInteger("1000003").isProbablePrime(20)
                        + " "
                        + a.sqrt()
                        + " "
                        + a.compareTo(b));
        BigDecimal x = new BigDecimal("1.10"), y = new BigDecimal("3");
        System.out.println(
                x.add(y)
                        + " "
                        + x.multiply(y)
                        + " "
                        + x.divide(y, 20, RoundingMode.HALF_EVEN)
                        + " "
                        + x.setScale(1, RoundingMode.DOWN)
                        + " "
                        + x.equals(new BigDecimal("1.1"))
                        + " "
                        + x.stripTrailingZeros()
                        + " "
                        + new BigDecimal("1E+5").toPlainString()
                        + " "
                        + new BigDecimal(0.1)
                        + " "
                        + y.pow(30, new MathContext(10))
                        + " "
                        + x.negate().remainder(y));
        try {
            BigDecimal.ONE.divide(y);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                new BigInteger("9".repeat(300))
                        .multiply(new BigInteger("7".repeat(300)))
                        .hashCode());
    }
}
