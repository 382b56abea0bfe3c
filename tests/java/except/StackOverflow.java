// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Endless recursion gives StackOverflowError, which can be caught, again and again.
public class StackOverflow {
    static int depth;

    static void dive() {
        depth++;
        dive();
    }

    static long wide(long a, long b, double c, Object d) {
        depth++;
        return wide(b, a + 1, c * 2, d) + 1;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                dive();
            } catch (StackOverflowError e) {
                System.out.println(
                        "caught " + (depth > 500) + " " + (e.getStackTrace().length == 1024));
            }
            depth = 0;
            try {
                wide(1, 2, 3, "x");
            } catch (StackOverflowError e) {
                System.out.println("caught wide " + (depth > 500));
            }
        }
        String s = "still " + "alive";
        System.out.println(s + new int[5].length);
    }
}
