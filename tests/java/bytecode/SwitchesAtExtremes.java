// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String switches over equal hashes, and switches over extreme values.
public class SwitchesAtExtremes {
    static int s(String x) {
        switch (x) {
            case "Aa":
                return 1;
            case "BB":
                return 2;
            case "AaAa":
                return 3;
            case "BBBB":
                return 4;
            case "AaBB":
                return 5;
            case "":
                return 6;
            case "\0":
                return 7;
            case "\u00e9":
                return 8;
            case "\ud83d\ude00":
                return 9;
            case "polygenelubricants":
                return 10;
            default:
                return x.length() * 100;
        }
    }

    static int t(int x) {
        switch (x) {
            case Integer.MIN_VALUE:
                return 1;
            case Integer.MIN_VALUE + 1:
                return 2;
            case -1:
                return 3;
            case 0:
                return 4;
            case Integer.MAX_VALUE:
                return 5;
            case Integer.MAX_VALUE - 1:
                return 6;
            case 1000000:
                return 7;
            default:
                return 8;
        }
    }

    static int u(int x) {
        switch (x) {
            case Integer.MAX_VALUE - 3:
                return 1;
            case Integer.MAX_VALUE - 2:
                return 2;
            case Integer.MAX_VALUE - 1:
                return 3;
            case Integer.MAX_VALUE:
                return 4;
        }
        return 0;
    }

    static int w(int x) {
        switch (x) {
            case Integer.MIN_VALUE:
                return 1;
            case Integer.MIN_VALUE + 1:
                return 2;
            case Integer.MIN_VALUE + 2:
                return 3;
            default:
                return 4;
        }
    }

    static int fall(int x) {
        int r = 0;
        switch (x & 7) {
            case 5:
                r++;
            case 1:
                r += 10;
            case 3:
                r += 100;
                break;
            case 0:
                r = 7;
            default:
                r += 1000;
            case 6:
                r += 5;
        }
        return r;
    }

    static int ch(char c) {
        return switch (c) {
            case 'a', 'e', 'i' -> 1;
            case '\uffff' -> 2;
            case 0 -> 3;
            default -> {
                int z = c;
                yield z * 2;
            }
        };
    }

    static int by(byte c) {
        return switch (c) {
            case -128 -> 1;
            case 127 -> 2;
            case -1 -> 3;
            default -> c;
        };
    }

    enum E {
        A,
        B {
            int q() {
                return 5;
            }
        },
        C;

        int q() {
            return ordinal();
        }
    }

    static int en(E e) {
        return switch (e) {
            case A -> 10;
            case B -> 20 + e.q();
            case C -> 30;
        };
    }

    public static void main(String[] a) {
        String[] v = {
            "Aa",
            "BB",
            "AaAa",
            "BBBB",
            "AaBB",
            "BBAa",
            "",
            "\0",
            "\u00e9",
            "\ud83d\ude00",
            "polygenelubricants",
            "zz",
            new String("Aa"),
            "GydZG_",
            "C#"
        };
        int[] n = {
            0,
            1,
            -1,
            Integer.MIN_VALUE,
            Integer.MIN_VALUE + 1,
            Integer.MIN_VALUE + 2,
            Integer.MIN_VALUE + 3,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE - 1,
            Integer.MAX_VALUE - 2,
            Integer.MAX_VALUE - 3,
            Integer.MAX_VALUE - 4,
            1000000,
            5,
            3,
            6
        };
        long last = 0;
        for (int k = 0; k < 15000; k++) {
            long h = 0;
            for (String x : v) h = h * 31 + s(x);
            for (int x : n)
                h =
                        h * 31
                                + t(x)
                                + u(x) * 7
                                + w(x) * 11
                                + fall(x) * 13
                                + ch((char) x) * 17
                                + by((byte) x) * 19;
            for (E e : E.values()) h = h * 31 + en(e);
            try {
                s(null);
            } catch (NullPointerException e) {
                h++;
            }
            try {
                en(null);
            } catch (NullPointerException e) {
                h++;
            }
            if (h != last) System.out.println(k + " " + h);
            last = h;
        }
    }
}
