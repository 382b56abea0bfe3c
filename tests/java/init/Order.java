// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Static and instance initialisers run in textual order, superclass first, once.
public class Order {
    static StringBuilder log = new StringBuilder();

    static int note(String s) {
        log.append(s).append(' ');
        return 1;
    }

    static class P {
        static int a = note("P.static");
        int b = note("P.field");

        {
            note("P.block");
        }

        P() {
            note("P()");
            virtual();
        }

        void virtual() {
            note("P.virtual");
        }

        static {
            note("P.block-static");
        }
    }

    static class Q extends P {
        static int a = note("Q.static");
        int c = note("Q.field");
        String s = "set";

        Q() {
            super();
            note("Q()");
        }

        Q(int x) {
            this();
            note("Q(int)");
        }

        @Override
        void virtual() {
            note("Q.virtual:" + s);
        }
    }

    static class Never {
        static {
            note("NEVER");
        }

        static final int CONSTANT = 5;
    }

    static class Lazy {
        static {
            note("Lazy");
        }

        static void touch() {}
    }

    public static void main(String[] args) {
        note("main");
        Q[] none = new Q[3];
        note("array-made");
        new Q(1);
        new Q();
        int k = Never.CONSTANT;
        Class<?> c = Lazy.class;
        note("literal");
        Lazy.touch();
        System.out.println(log);
    }
}
