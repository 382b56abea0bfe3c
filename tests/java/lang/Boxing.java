// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Boxes, caches, unboxing, parsing and printing of numbers in all radixes.
public class Boxing {
    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        Long l = 5L;
        Character ch = 'x';
        Boolean z = true;
        Double dd = 1.5;
        System.out.println(
                (a == b)
                        + " "
                        + (c == d)
                        + " "
                        + c.equals(d)
                        + " "
                        + l.equals(5)
                        + " "
                        + l.equals(5L)
                        + " "
                        + (char) (ch + 1)
                        + " "
                        + (z ^ true)
                        + " "
                        + (dd + a));
        System.out.println(
                Integer.toBinaryString(-5)
                        + " "
                        + Integer.toHexString(255)
                        + " "
                        + Integer.toString(-255, 36)
                        + " "
                        + Long.toOctalString(1L << 40)
                        + " "
                        + Integer.parseInt("-7fffffff", 16)
                        + " "
                        + Long.parseUnsignedLong("18446744073709551615")
                        + " "
                        + Integer.toUnsignedString(-1));
        System.out.println(
                Integer.bitCount(0x12345)
                        + " "
                        + Long.numberOfTrailingZeros(64)
                        + " "
                        + Integer.reverse(1)
                        + " "
                        + Integer.highestOneBit(100)
                        + " "
                        + Long.reverseBytes(1)
                        + " "
                        + Integer.compareUnsigned(-1, 1)
                        + " "
                        + Character.getNumericValue('9')
                        + " "
                        + Character.isLetter('é')
                        + " "
                        + Character.toChars(0x1F600).length);
        for (String s :
                new String[] {
                    "12", "-0", "2147483648", "", "abc", "1.5e3", "0x1p3", "NaN", "1e400"
                }) {
            try {
                System.out.print(Integer.parseInt(s) + " ");
            } catch (NumberFormatException e) {
                System.out.print(e.getMessage() + " ");
            }
            try {
                System.out.println(Double.parseDouble(s));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(
                Float.toString(1e10f)
                        + " "
                        + Double.toString(123456789.123)
                        + " "
                        + 1e-5
                        + " "
                        + 100.0f
                        + " "
                        + 1.0E7
                        + " "
                        + 0.1f
                        + " "
                        + (0.1 + 0.2)
                        + " "
                        + Float.MIN_VALUE
                        + " "
                        + Double.toHexString(0.1));
    }
}
