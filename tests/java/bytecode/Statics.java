// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Static fields of every type keep their values while other static fields change. They are also accessed through
// subclasses and implementing classes.
public class Statics {
    static class P {
        static byte b = 1;
        static short s = 2;
        static char c = 'c';
        static int i = 4;
        static long l = 5;
        static float f = 6;
        static double d = 7;
        static boolean z = true;
        static Object o = "o";
        static volatile long vl = 8;
        static final int K = 9;
    }

    static class Q extends P {}

    interface K1 {
        int X = compute();

        static int compute() {
            System.out.println("K1 initialised");
            return 3;
        }
    }

    static class U implements K1 {}

    public static void main(String[] args) {
        Q.b--;
        Q.s += 70000;
        Q.c++;
        Q.i *= 3;
        Q.l <<= 40;
        Q.f /= 4;
        Q.d = -Q.d;
        Q.z ^= true;
        Q.o = Q.o + "p";
        Q.vl++;
        System.out.println(
                P.b + " " + P.s + " " + P.c + " " + P.i + " " + P.l + " " + P.f + " " + P.d + " "
                        + P.z + " " + P.o + " " + P.vl + " " + Q.K);
        new U();
        System.out.println("before X");
        System.out.println(U.X);
    }
}
