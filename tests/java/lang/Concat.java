// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String concatenation of every type, nulls, side effects in order, long chains.
public class Concat {
    static int n;

    static int next() {
        return ++n;
    }

    public static void main(String[] args) {
        byte b = -1;
        short s = 2;
        char c = 'c';
        int i = 3;
        long l = 4L << 33;
        float f = 1.5f;
        double d = 2.25;
        boolean z = true;
        Object o = null;
        String str = null;
        char[] ca = {'x'};
        System.out.println("" + b + s + c + i + l + f + d + z + o + str + (ca != null));
        System.out.println(next() + "-" + next() + "-" + next() * 2);
        System.out.println("é" + 1 + "日" + 2L + '\u0001' + "\u0002" + 'ü');
        String chain =
                "" + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i
                        + l + l + l + l + l + d + d + d + f + f + c + c + z + z + o + o;
        System.out.println(chain);
        String acc = "";
        for (int k = 0; k < 30; k++) acc += k + ",";
        System.out.println(acc);
        System.out.println(
                new Object() {
                            public String toString() {
                                return "custom";
                            }
                        }
                        + "!"
                        + new int[0].length
                        + Integer.MIN_VALUE
                        + Long.MIN_VALUE
                        + Float.NaN
                        + Double.MIN_VALUE
                        + -0.0);
        try {
            Object bad =
                    new Object() {
                        public String toString() {
                            throw new IllegalStateException("in toString");
                        }
                    };
            System.out.println("x" + bad);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Object nul =
                new Object() {
                    public String toString() {
                        return null;
                    }
                };
        System.out.println("[" + nul + "]");
    }
}
