// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Switches on strings: colliding hashes, fall through, defaults in the middle, yields.
public class StringSwitches {
    static int big(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "BBBB": return 4;
            case "AaBB": return 5;
            case "": return 6;
            case "\u00e9": return 7;
            default: return -1;
            case "BBAa": return 8;
        }
    }
    static String fall(String s) {
        StringBuilder out = new StringBuilder();
        switch (s) {
            case "one": out.append("1");
            default: out.append("d");
            case "two": out.append("2"); break;
            case "three": out.append("3");
        }
        return out.toString();
    }
    static int arrow(String s) {
        return switch (s) {
            case "a", "b", "c" -> 1;
            case "yield" -> { int x = s.length(); yield x * 2; }
            default -> throw new IllegalArgumentException(s);
        };
    }
    enum Color { RED, GREEN, BLUE }
    static String color(Color c) {
        return switch (c) { case RED -> "r"; case GREEN -> "g"; case BLUE -> "b"; };
    }
    public static void main(String[] args) {
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "\u00e9", "C#"})
            System.out.print(big(s) + " ");
        System.out.println();
        for (String s : new String[] {"one", "two", "three", "four"}) System.out.print(fall(s) + " ");
        System.out.println(arrow("b") + arrow("yield"));
        try {
            arrow("z");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            arrow(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            color(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        for (Color c : Color.values()) System.out.print(color(c));
        System.out.println();
    }
}
