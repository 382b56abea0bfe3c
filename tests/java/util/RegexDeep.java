// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Regular expressions: lookaround, named groups, possessive, flags, unicode, replacement, splitting, errors.
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

public class RegexDeep {
    public static void main(String[] args) {
        Matcher m = Pattern.compile("(?<y>\\d{4})-(?<m>\\d\\d)(?=\\D|$)").matcher("on 2024-05, 1999-123 and 2001-12");
        while (m.find()) System.out.print(m.group("y") + "/" + m.group("m") + "@" + m.start() + " ");
        System.out.println(m.replaceAll("${m}.$1") + " " + m.reset().replaceFirst(r -> "<" + r.group().length() + ">"));
        System.out.println("aaa".matches("a*+a") + " "
                + "aaa".matches("a*?a") + " " + Pattern.matches("(?i)stra\\x{df}e", "STRA\u00dfE") + " "
                + Pattern.compile("^b$", Pattern.MULTILINE).matcher("a\nb\nc").find() + " "
                + Pattern.compile("a.c", Pattern.DOTALL).matcher("a\nc").matches() + " "
                + "x1y22".replaceAll("(?<!\\d)\\d(?!\\d)", "#"));
        System.out.println(Pattern.compile("\\p{Lu}\\p{IsGreek}+\\b", Pattern.UNICODE_CHARACTER_CLASS)
                                   .matcher("\u0391\u03b2\u03b3")
                                   .matches()
                + " "
                + "\ud83d\ude00x".replaceAll(".", "-") + " " + Pattern.compile("\\R").split("a\r\nb\u2028c").length
                + " "
                + "\u00e9".matches("e\u0301") + " "
                + Pattern.compile("e\u0301", Pattern.CANON_EQ).matcher("\u00e9").matches());
        System.out.println(java.util.Arrays.toString("a,b,,c,,".split(","))
                + java.util.Arrays.toString("a,b,,".split(",", -1)) + java.util.Arrays.toString(",a".split(",", 1))
                + java.util.Arrays.toString("abc".split(""))
                + Pattern.compile("\\s*;\\s*").splitAsStream("x ; y;z").toList());
        System.out.println(Pattern.quote("a\\Eb") + " " + Matcher.quoteReplacement("$1\\") + " "
                + Pattern.compile("(a(b)?)+").matcher("aba").replaceAll("[$2]") + " "
                + Pattern.compile("(\\w)\\1").matcher("hello").results().map(r -> r.group()).toList());
        for (String bad :
                new String[] {"(", "[a", "a{2,1}", "*", "(?<1a>x)", "\\", "\\k<n>", "[z-a]", "(?<=a+)", "\\p{Nope}"}) {
            try {
                Pattern.compile(bad);
                System.out.println(bad + " fine");
            } catch (PatternSyntaxException e) {
                System.out.println(e.getMessage().replace("\n", "|"));
            }
        }
        m = Pattern.compile("(a)|(b)").matcher("b");
        try {
            m.group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(m.find() + " " + m.group(1) + m.group(2) + m.start(1) + m.groupCount() + m.hitEnd()
                + m.requireEnd() + m.toMatchResult().end());
        try {
            m.group(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
