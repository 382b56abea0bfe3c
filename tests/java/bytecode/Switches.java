// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// tableswitch and lookupswitch, on ints, chars, strings and enums; defaults, gaps and extremes.
public class Switches {
    enum Color {
        RED,
        GREEN,
        BLUE
    }

    static String dense(int x) {
        switch (x) {
            case -1:
                return "m";
            case 0:
                return "z";
            case 1:
                return "o";
            case 3:
                return "t";
            default:
                return "?";
        }
    }

    static String sparse(int x) {
        switch (x) {
            case Integer.MIN_VALUE:
                return "min";
            case -100:
                return "h";
            case 7:
                return "seven";
            case 1000000:
                return "M";
            case Integer.MAX_VALUE:
                return "max";
            default:
                return "?";
        }
    }

    static int strings(String s) {
        switch (s) {
            case "Aa":
                return 1;
            case "BB":
                return 2;
            case "":
                return 3;
            default:
                return 0;
        }
    }

    static int arrow(Color c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> {
                int q = 5;
                yield q * 2;
            }
            case BLUE -> 3;
        };
    }

    static int fall(int x) {
        int r = 0;
        switch (x) {
            case 1:
                r += 1;
            case 2:
                r += 2;
            case 3:
                r += 4;
                break;
            case 4:
                r = 100;
        }
        return r;
    }

    public static void main(String[] args) {
        for (int i = -3; i < 6; i++) System.out.print(dense(i) + fall(i) + " ");
        System.out.println();
        for (int i :
                new int[] {
                    Integer.MIN_VALUE, -101, -100, 0, 7, 8, 999999, 1000000, Integer.MAX_VALUE
                }) System.out.print(sparse(i) + " ");
        System.out.println();
        System.out.println(
                strings("Aa") + " " + strings("BB") + " " + strings("") + " " + strings("C"));
        for (Color c : Color.values()) System.out.println(c + " " + arrow(c));
    }
}
