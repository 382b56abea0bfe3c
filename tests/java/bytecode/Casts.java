// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// checkcast and instanceof over classes, interfaces, arrays and null, with ClassCastException's
// text.
import java.io.Serializable;
import java.util.*;

public class Casts {
    interface I {}

    interface J extends I {}

    static class A implements I {}

    static class B extends A implements J {}

    static final class C {}

    static void cast(Object x, int kind) {
        try {
            switch (kind) {
                case 0:
                    A a = (A) x;
                    break;
                case 1:
                    B b = (B) x;
                    break;
                case 2:
                    I i = (I) x;
                    break;
                case 3:
                    J j = (J) x;
                    break;
                case 4:
                    Object[] o = (Object[]) x;
                    break;
                case 5:
                    int[] p = (int[]) x;
                    break;
                case 6:
                    Comparable<?> c = (Comparable<?>) x;
                    break;
                case 7:
                    Serializable s = (Serializable) x;
                    break;
                case 8:
                    String[] t = (String[]) x;
                    break;
                case 9:
                    I[] q = (I[]) x;
                    break;
                case 10:
                    Integer n = (Integer) x;
                    break;
            }
            System.out.print("ok ");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Object[] values = {
            null,
            new A(),
            new B(),
            new C(),
            "s",
            1,
            new int[1],
            new String[1],
            new B[1],
            new int[1][1],
            new Object[0],
            new ArrayList<String>()
        };
        for (Object v : values) {
            System.out.println(
                    (v instanceof A)
                            + " "
                            + (v instanceof B)
                            + " "
                            + (v instanceof I)
                            + " "
                            + (v instanceof J)
                            + " "
                            + (v instanceof Object[])
                            + " "
                            + (v instanceof int[])
                            + " "
                            + (v instanceof Comparable)
                            + " "
                            + (v instanceof Serializable)
                            + " "
                            + (v instanceof Cloneable)
                            + " "
                            + (v instanceof I[])
                            + " "
                            + (v instanceof Object[][]));
            for (int k = 0; k <= 10; k++) cast(v, k);
            System.out.println();
        }
    }
}
