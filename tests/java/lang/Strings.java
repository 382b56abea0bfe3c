// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String methods over Latin-1 and UTF-16 contents.
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Strings {
    public static void main(String[] args) {
        String[] ss = {
            "",
            "a",
            "Hello, World",
            "größe",
            "日本語テキスト",
            "mixed é 日 \uD83D\uDE00 end",
            "   trim me\t\n",
            "aXbXc",
            "ÀÉÎ"
        };
        for (String s : ss) {
            System.out.println(
                    s.length()
                            + " "
                            + s.hashCode()
                            + " "
                            + s.toUpperCase()
                            + " "
                            + s.toLowerCase()
                            + " ["
                            + s.trim()
                            + "] ["
                            + s.strip()
                            + "] "
                            + s.isBlank()
                            + " "
                            + s.indexOf('X')
                            + " "
                            + s.lastIndexOf("X")
                            + " "
                            + s.replace('X', 'é')
                            + " "
                            + new StringBuilder(s).reverse());
            System.out.println(
                    Arrays.toString(s.getBytes(StandardCharsets.UTF_8))
                            + " "
                            + s.codePoints().count()
                            + " "
                            + Arrays.toString(s.split("X"))
                            + " "
                            + s.contains("o")
                            + " "
                            + s.startsWith("Hel")
                            + " "
                            + s.repeat(2).length());
            System.out.println(
                    new String(s.getBytes(StandardCharsets.UTF_16BE), StandardCharsets.UTF_16BE)
                                    .equals(s)
                            + " "
                            + s.compareTo("b")
                            + " "
                            + s.equalsIgnoreCase(s.toUpperCase()));
        }
        System.out.println(
                String.join("-", "a", "b", "c")
                        + " "
                        + "a,b,,c,,".split(",").length
                        + " "
                        + "x".compareTo("日")
                        + " "
                        + "abc".substring(1, 2)
                        + " "
                        + "abcabc".indexOf("ca")
                        + " "
                        + "%".concat("é日"));
        try {
            "abc".substring(2, 1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "abc".charAt(3);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                "line1\nline2\r\nline3".lines().toList()
                        + " "
                        + "ab".chars().sum()
                        + " "
                        + "  x".indent(2).length()
                        + " "
                        + "a\\tb".translateEscapes()
                        + " "
                        + String.valueOf((Object) null)
                        + " "
                        + String.valueOf(new char[] {'o', 'k'}));
    }
}
