// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns of primitive types, a preview of 25: exact conversions in instanceof and switch, over all kinds of numbers.
// since: 25
// javac: --enable-preview
// jvm: --enable-preview
public class PrimitivePatterns {
    record Reading(double value) {}

    static String fits(long value) {
        StringBuilder said = new StringBuilder(value + ":");
        if (value instanceof byte b) said.append(" byte ").append(b);
        if (value instanceof short s) said.append(" short ").append(s);
        if (value instanceof char c) said.append(" char ").append((int) c);
        if (value instanceof int i) said.append(" int ").append(i);
        if (value instanceof float f) said.append(" float ").append(f);
        if (value instanceof double d) said.append(" double ").append(d);
        return said.toString();
    }

    static String kind(double value) {
        return switch (value) {
            case 0.0 -> "zero";
            case byte b when b < 0 -> "small negative " + b;
            case int i -> "int " + i;
            case float f -> "float " + f;
            case double d -> "double " + d;
        };
    }

    static String read(Reading reading) {
        return switch (reading) {
            case Reading(int whole) -> "whole " + whole;
            case Reading(double any) -> "any " + any;
        };
    }

    static String choose(boolean flag) {
        return switch (flag) {
            case true -> "on";
            case false -> "off";
        };
    }

    static String boxed(Object any) {
        return switch (any) {
            case int i when i > 5 -> "large int " + i;
            case Integer i -> "int " + i;
            case char c -> "char " + c;
            default -> "other";
        };
    }

    public static void main(String[] arguments) {
        for (long value : new long[] {0, 127, 128, -129, 65535, 1L << 24, (1L << 24) + 1, Long.MAX_VALUE,
            Long.MIN_VALUE})
            System.out.println(fits(value));
        for (double value : new double[] {0.0, -0.0, -3, 77, 0.5, 0.1, Double.NaN, 1e300,
            Integer.MAX_VALUE}) System.out.println(kind(value));
        System.out.println(read(new Reading(4.0)) + " " + read(new Reading(4.5)) + " " + choose(true) + choose(false));
        System.out.println(boxed(9) + " " + boxed(2) + " " + boxed('q') + " " + boxed(2L));
        long big = 5_000_000_000L;
        System.out.println(switch (big) {
            case 1L -> "one";
            case 5_000_000_000L -> "five thousand million";
            case long other -> "other";
        });
    }
}
