// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// BigInteger and BigDecimal: large products and divisions, roots, powers, primes, scales.
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

public class BigArithmetic {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 1500; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f.bitLength() + " " + f.toString().substring(0, 30) + " "
                + f.mod(BigInteger.valueOf(1_000_003)) + " " + f.hashCode());
        BigInteger a = BigInteger.valueOf(3).pow(3000), b = BigInteger.valueOf(7).pow(901);
        BigInteger[] qr = a.divideAndRemainder(b);
        System.out.println(qr[0].multiply(b).add(qr[1]).equals(a) + " " + qr[1].bitCount() + " "
                + a.gcd(a.multiply(b)).equals(a) + " " + a.sqrt().bitLength());
        System.out.println(a.multiply(b).hashCode() + " " + a.multiply(a).hashCode() + " "
                + BigInteger.valueOf(3)
                        .pow(500)
                        .modPow(BigInteger.valueOf(65537), BigInteger.valueOf(7).pow(301))
                        .bitLength()
                + " " + a.toString(36).hashCode());
        System.out.println(new BigInteger("-123456789012345678901234567890").shiftRight(17) + " "
                + new BigInteger("ff00ff00ff00ff00ff", 16).not().xor(BigInteger.TEN) + " "
                + BigInteger.valueOf(-5).mod(BigInteger.valueOf(3)));
        System.out.println(new BigInteger("170141183460469231731687303715884105727").isProbablePrime(5) + " "
                + BigInteger.valueOf(97).modInverse(BigInteger.valueOf(1000)) + " "
                + new BigInteger("1000000").nextProbablePrime());
        BigDecimal d = new BigDecimal("12345.678900");
        System.out.println(d.stripTrailingZeros() + " " + d.scale() + " " + d.setScale(2, RoundingMode.HALF_EVEN) + " "
                + d.negate().setScale(0, RoundingMode.CEILING) + " " + d.movePointLeft(10) + " "
                + d.movePointLeft(10).toEngineeringString() + " " + d.precision());
        System.out.println(BigDecimal.ONE.divide(new BigDecimal("7"), new MathContext(50)) + " " + new BigDecimal(0.1)
                + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("2").sqrt(new MathContext(60)));
        System.out.println(new BigDecimal("1E+400").add(new BigDecimal("1E-20")).precision() + " "
                + new BigDecimal("1e-500").doubleValue() + " " + new BigDecimal("1e500").floatValue() + " "
                + new BigDecimal("0.00").equals(BigDecimal.ZERO) + " "
                + new BigDecimal("0.00").compareTo(BigDecimal.ZERO) + " " + new BigDecimal("100").stripTrailingZeros());
        for (String bad : new String[] {"", "1e", "--1", "1.2.3", "0x1"}) {
            try {
                new BigDecimal(bad);
            } catch (NumberFormatException e) {
                System.out.println(bad + " " + e.getMessage());
            }
        }
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            BigInteger.ONE.shiftLeft(70).longValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
