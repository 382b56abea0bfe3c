// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Switches that mix constants with patterns, on strings and boxed values: guards before unguarded patterns, yields, and
// a fall-through.
// since: 21
public class StringSwitchPatterns {
    static String answer(String given) {
        return switch (given) {
            case null -> "nothing";
            case "yes", "YES" -> "agreed";
            case "no" -> "refused";
            case String s when s.length() > 10 -> {
                int half = s.length() / 2;
                yield s.substring(0, half);
            }
            case String s when s.isBlank() -> "blank";
            case String s -> "what is " + s + "?";
        };
    }

    static String number(Integer given) {
        return switch (given) {
            case 0 -> "zero";
            case Integer i when i < 0 -> "negative " + number(-i);
            case 1, 2, 3 -> "few";
            case Integer i when i % 2 == 0 -> "even";
            case Integer i -> "odd";
        };
    }

    static int letter(Character c) {
        int points = 0;
        switch (c) {
            case 'a', 'e':
                points += 1;
            case 'i':
                points += 10;
                break;
            case Character upper when Character.isUpperCase(upper):
                points += 100;
                break;
            default:
                points--;
        }
        return points;
    }

    public static void main(String[] arguments) {
        for (String each : new String[] {null, "yes", "YES", "no", "a rather long text", "  ", "maybe", "no".repeat(1)})
            System.out.println(answer(each));
        for (int i : new int[] {0, -2, -7, 3, 4, 5, Integer.MIN_VALUE + 1}) System.out.println(number(i));
        for (char c : "aeixQ".toCharArray()) System.out.println(letter(c));
        try {
            number(null);
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
    }
}
