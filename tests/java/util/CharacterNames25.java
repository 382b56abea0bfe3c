// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Character in 25: scripts, blocks and names of Unicode 16.
// since: 25
public class CharacterNames25 {
    public static void main(String[] arguments) {
        for (int point : new int[] {0x1FAE9, 0x10D40, 0x16100, 0x1CCD6, 0x105C0, 0x31350, 'a'}) {
            System.out.println(Integer.toHexString(point) + " " + Character.getName(point) + " "
                + Character.UnicodeScript.of(point) + " "
                               + Character.UnicodeBlock.of(point) + " " + Character.getType(point)
                                   + Character.isLetter(point)
                               + Character.isDigit(point) + Character.isUnicodeIdentifierStart(point)
                                   + Character.isEmoji(point));
        }
        System.out.println(Character.codePointOf("LATIN SMALL LETTER A") + " " + Character.digit(0x10D43, 10) + " "
            + Character.toChars(0x1FAE9).length);
        System.out.println("x\u030a".length() + " " + java.text.Normalizer.normalize("A\u030a",
            java.text.Normalizer.Form.NFC).length()
                           + " " + "\ud83e\udee9!".codePointCount(0, 3) + " " + "👩‍👧".split("\\b{g}").length);
    }
}
