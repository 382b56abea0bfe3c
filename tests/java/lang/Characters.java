// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Character: properties over the whole range as checksums, digits, names, blocks, scripts.
public class Characters {
    public static void main(String[] args) {
        long letters = 0, digits = 0, upper = 0, lower = 0, types = 0, mirrored = 0, directions = 0, ids = 0, space = 0;
        for (int c = 0; c <= 0x2FFFF; c += 1 + (c >> 12)) {
            if (Character.isLetter(c)) letters += c;
            digits += Character.digit(c, 36);
            upper += Character.toUpperCase(c);
            lower += Character.toLowerCase(c);
            types = types * 31 + Character.getType(c);
            if (Character.isMirrored(c)) mirrored += c;
            directions = directions * 17 + Character.getDirectionality(c);
            if (Character.isUnicodeIdentifierPart(c)) ids += c;
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) space += c;
        }
        System.out.println(letters + " " + digits + " " + upper + " " + lower + " " + types + " " + mirrored + " "
                + directions + " " + ids + " " + space);
        System.out.println(Character.getName('\u00e9') + ", " + Character.getName(0x1F600) + ", "
                + Character.codePointOf("LATIN SMALL LETTER A"));
        System.out.println(Character.UnicodeBlock.of('\u0416') + " " + Character.UnicodeScript.of(0x4e2d) + " "
                + Character.UnicodeBlock.forName("Greek") + " " + Character.UnicodeScript.forName("latn"));
        System.out.println(Character.getNumericValue('\u2167') + " "
                + " " + Character.forDigit(35, 36) + " " + (int) Character.forDigit(36, 36));
    }
}
