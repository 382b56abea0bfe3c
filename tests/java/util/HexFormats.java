// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HexFormat: delimiters, prefixes, upper case, parsing, digits of numbers, texts that are refused.
// since: 21
import java.util.HexFormat;

public class HexFormats {
    public static void main(String[] arguments) {
        byte[] bytes = {0, 1, 127, -128, -1};
        HexFormat plain = HexFormat.of();
        HexFormat fancy = HexFormat.ofDelimiter(", ").withUpperCase().withPrefix("0x").withSuffix("h");
        System.out.println(plain.formatHex(bytes) + " " + fancy.formatHex(bytes) + " " + fancy);
        System.out.println(java.util.Arrays.toString(fancy.parseHex("0x0Ah, 0xffh")));
        System.out.println(plain.toHexDigits((byte) -2) + plain.toHexDigits('x') + plain.toHexDigits(7L, 3));
        System.out.println(HexFormat.fromHexDigits("7fff") + " " + HexFormat.fromHexDigitsToLong("ffffffffffffffff") + " "
                           + HexFormat.isHexDigit('g') + HexFormat.fromHexDigit('C'));
        for (String wrong : new String[] {"abc", "0x0Ah 0xffh", "zz"}) {
            try {
                System.out.println((wrong.length() > 3 ? fancy : plain).parseHex(wrong).length);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            HexFormat.fromHexDigits("123456789");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        StringBuilder out = new StringBuilder();
        fancy.formatHex(out, bytes, 1, 3);
        System.out.println(out + " " + plain.equals(HexFormat.of()) + " " + plain.withUpperCase().isUpperCase());
    }
}
