// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of all sizes in a class hierarchy do not overlap.
public class FieldLayout {
    static class A {
        byte a1 = 1;
        long a2 = 2;
        boolean a3 = true;
    }

    static class B extends A {
        short b1 = 3;
        Object b2 = "b";
        byte b3 = 4;
        double b4 = 5;
    }

    static class C extends B {
        int c1 = 6;
        byte c2 = 7;
        char c3 = '8';
        float c4 = 9;
        Object c5 = "c";
        long c6 = 10;
        volatile int c7 = 11;
    }

    public static void main(String[] args) {
        C c = new C();
        for (int round = 0; round < 3; round++) {
            System.out.println(
                    c.a1 + " " + c.a2 + " " + c.a3 + " " + c.b1 + " " + c.b2 + " " + c.b3 + " "
                            + c.b4 + " " + c.c1 + " " + c.c2 + " " + c.c3 + " " + c.c4 + " " + c.c5
                            + " " + c.c6 + " " + c.c7);
            c.a1 += 100;
            c.a2 = ~c.a2;
            c.a3 = !c.a3;
            c.b1 *= 1000;
            c.b2 = c.b2 + "!";
            c.b3 -= 77;
            c.b4 /= 3;
            c.c1 ^= -1;
            c.c2 <<= 3;
            c.c3 += 9;
            c.c4 = -c.c4;
            c.c5 = null;
            c.c6 = Long.MIN_VALUE;
            c.c7--;
            System.gc();
        }
    }
}
