// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Integer and Long: caches, parsing, radixes, unsigned, bits.
public class IntegerText {
    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        Long e = -128L, f = -128L, g = -129L, h = -129L;
        System.out.println((a == b) + " " + (c == d) + " " + (e == f) + " " + (g == h) + " "
                + (Character.valueOf('\u007f') == Character.valueOf('\u007f')) + " "
                + (Byte.valueOf((byte) -1) == Byte.valueOf((byte) -1)) + " " + c.equals(d));
        System.out.println(Integer.toString(Integer.MIN_VALUE, 36) + " " + Integer.toBinaryString(-8) + " "
                + Long.toOctalString(-1) + " " + Long.toString(Long.MIN_VALUE, 2).length() + " "
                + Integer.toString(5, 99));
        System.out.println(Integer.parseUnsignedInt("4294967295") + " " + Long.toUnsignedString(-1) + " "
                + Integer.divideUnsigned(-1, 7) + " " + Long.remainderUnsigned(-1, 1000) + " "
                + Long.compareUnsigned(-1, 1) + " " + Long.parseUnsignedLong("ffffffffffffffff", 16));
        System.out.println(Integer.reverse(1) + " " + Integer.reverseBytes(0x01020304) + " "
                + Long.numberOfTrailingZeros(0) + " " + Integer.highestOneBit(100) + " " + Long.bitCount(-1) + " "
                + Integer.rotateLeft(1, 33) + " " + Integer.signum(-5) + " " + Short.reverseBytes((short) 1));
        System.out.println(Integer.decode("-0x1F") + " " + Integer.decode("#ff") + " " + Integer.decode("010") + " "
                + Long.decode("0X7fffffffffffffff") + " " + Integer.parseInt("+7") + " " + Integer.parseInt("-\u0667")
                + " " + Integer.parseInt("xx99yy", 2, 4, 10));
        for (String s : new String[] {"", "-", "2147483648", "-2147483649", "1 ", "0x1", null, "9a"}) {
            try {
                System.out.println(Integer.parseInt(s));
            } catch (NumberFormatException x) {
                System.out.println(x.getMessage());
            }
        }
        try {
            Integer.parseInt("1", 99);
        } catch (NumberFormatException x) {
            System.out.println(x.getMessage());
        }
        try {
            Math.toIntExact(1L << 40);
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
        try {
            Math.multiplyExact(1L << 40, 1L << 40);
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(Math.floorMod(-7, 3) + " " + Math.floorDiv(-7, 3) + " " + Math.abs(Integer.MIN_VALUE) + " "
                + Math.multiplyHigh(Long.MAX_VALUE, 4) + " " + Long.hashCode(1L << 32) + " " + Boolean.hashCode(true));
    }
}
