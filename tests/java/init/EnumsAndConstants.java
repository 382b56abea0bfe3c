// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Enums with bodies and fields, valueOf, EnumMap, EnumSet, constants inlined across classes.
import java.util.*;

public class EnumsAndConstants {
    enum Op {
        PLUS("+") {
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES("*") {
            int apply(int a, int b) {
                return a * b;
            }
        };
        final String sign;

        Op(String s) {
            sign = s;
        }

        abstract int apply(int a, int b);
    }

    public static void main(String[] args) {
        for (Op o : Op.values())
            System.out.println(
                    o
                            + " "
                            + o.sign
                            + " "
                            + o.ordinal()
                            + " "
                            + o.apply(6, 7)
                            + " "
                            + o.getClass().getName()
                            + " "
                            + o.getDeclaringClass().getName());
        System.out.println(Op.valueOf("PLUS") == Op.PLUS);
        try {
            Op.valueOf("MINUS");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        EnumMap<Op, Integer> m = new EnumMap<>(Op.class);
        m.put(Op.TIMES, 1);
        m.put(Op.PLUS, 2);
        System.out.println(m);
        System.out.println(
                EnumSet.allOf(Op.class)
                        + " "
                        + EnumSet.noneOf(Op.class)
                        + " "
                        + Op.PLUS.compareTo(Op.TIMES));
    }
}
