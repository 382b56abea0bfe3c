// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String concatenation: many operands, constants with control characters, side effects, nulls, chars, compound
// assignment.
public class ConcatCorners {
    static int calls;
    static int next() { return ++calls; }
    static class Loud { public String toString() { calls += 10; return "loud" + calls; } }
    static class Nullish { public String toString() { return null; } }
    static String[] array = {"x"};
    static int index() { System.out.print("index "); return 0; }

    public static void main(String[] args) {
        String s = "";
        System.out.println("" + next() + next() + 'c' + 1L + 2.0f + 3.0 + true + null + (byte) 4 + (short) 5
                + new Loud() + next());
        System.out.println("\u0001" + next() + "\u0002" + (Object) null + "\u0001\u0002" + s);
        System.out.println(new Nullish() + "|" + new Nullish() + (String) null + new char[0].length);
        array[index()] += "y" + next();
        System.out.println(array[0]);
        s += 1 + 2 + "3" + 4 + 5;
        s += 'a' + 1;
        s += (char) ('a' + 1);
        System.out.println(s);
        char c = 'x';
        c += 1;
        System.out.println(c + 1 + "" + c + 1);
        int i = 5;
        System.out.println("i" + i++ + i + ++i + i-- + (i = 9) + i);
        String long1 = "a" + i + "b" + i + "c" + i + "d" + i + "e" + i + "f" + i + "g" + i + "h" + i + "i" + i + "j" + i
                + "k" + i + "l" + i + "m" + i + "n" + i + "o" + i + "p" + i + "q" + i + "r" + i + "s" + i + "t" + i
                + "u" + i + "v" + i + "w" + i + "x" + i + "y" + i + "z" + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                + i + i + i + i + i + i + i + i + i + i + i + i;
        System.out.println(long1.length() + " " + long1.hashCode());
        System.out.println("\u4e2d" + 1 + "\u00e9" + 'x' + "\ud83d\ude00" + -1 + Integer.MIN_VALUE + Long.MIN_VALUE
                + Float.MIN_VALUE + Double.MAX_VALUE);
        final String constant = "con" + "stant" + 1 + 'c' + 2.5 + true;
        System.out.println(constant == ("con" + "stant" + 1 + 'c' + 2.5 + true));
        try {
            System.out.println("a" + new Object() {
                public String toString() {
                    throw new IllegalStateException("from toString");
                }
            } + next());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + calls);
        }
    }
}
