// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Integer division by zero throws, for int and long; floating-point division does not.
public class ArithmeticErrors {
    static int zero = 0;
    static long lzero = 0;

    static void run(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        run(() -> System.out.println(1 / zero));
        run(() -> System.out.println(1 % zero));
        run(() -> System.out.println(1L / lzero));
        run(() -> System.out.println(1L % lzero));
        run(() -> System.out.println(1.0 / zero));
        run(() -> System.out.println(Math.addExact(Integer.MAX_VALUE, 1)));
        run(() -> System.out.println(Math.toIntExact(1L << 40)));
        run(() -> System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2)));
    }
}
