// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.regex: groups, back references, look-around, replacement, splitting.
import java.util.*;
import java.util.regex.*;

public class Regex {
    public static void main(String[] args) {
        Matcher m =
                Pattern.compile("(?<key>\\w+)=(?<value>[^;]*);?").matcher("a=1;bee=two words;c=");
        while (m.find())
            System.out.println(
                    m.group("key") + " -> " + m.group("value") + " @" + m.start() + "-" + m.end());
        System.out.println(
                "2024-01-15".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3/$2/$1")
                        + " "
                        + "aaa".replaceFirst("a*?", "X")
                        + " "
                        + Pattern.matches("(a|b)*c", "ababc")
                        + " "
                        + "x1y22z333".split("\\d+").length
                        + " "
                        + Pattern.compile("(?i)HELLO").matcher("say hello").find()
                        + " "
                        + Pattern.compile("(\\w)\\1")
                                .matcher("aabbcd")
                                .results()
                                .map(MatchResult::group)
                                .toList());
        System.out.println(
                Pattern.compile("(?<=\\$)\\d+(?!\\d|%)")
                                .matcher("$100 $50% $7")
                                .results()
                                .map(MatchResult::group)
                                .toList()
                        + " "
                        + Pattern.compile("\\b").splitAsStream("two words").toList()
                        + " "
                        + Pattern.compile("[\\p{Lu}&&[^X]]")
                                .matcher("aXBcD")
                                .replaceAll(r -> "<" + r.group() + ">"));
        try {
            Pattern.compile("(unclosed");
        } catch (PatternSyntaxException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                Pattern.compile("^(.*)$", Pattern.MULTILINE).matcher("l1\nl2").results().count()
                        + " "
                        + "日本語".matches("\\p{IsHan}+")
                        + " "
                        + Pattern.quote("a.b"));
    }
}
