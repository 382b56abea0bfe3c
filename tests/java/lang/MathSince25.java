// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Math since 25: unsigned exact arithmetic and powers.
// since: 25
public class MathSince25 {
    static void attempt(String what, java.util.function.Supplier<Object> value) {
        try {
            System.out.println(what + " " + value.get());
        } catch (ArithmeticException e) {
            System.out.println(what + " " + e.getMessage());
        }
    }

    public static void main(String[] arguments) {
        attempt("3^19", () -> Math.powExact(3, 19));
        attempt("3^20", () -> Math.powExact(3, 20));
        attempt("(-2)^31", () -> Math.powExact(-2, 31));
        attempt("2^31", () -> Math.powExact(2, 31));
        attempt("7^22", () -> Math.powExact(7L, 22));
        attempt("7^23", () -> Math.powExact(7L, 23));
        attempt("0^0", () -> Math.powExact(0, 0));
        attempt("2^-1", () -> Math.powExact(2, -1));
        attempt("unsigned 3^20", () -> Integer.toUnsignedString(Math.unsignedPowExact(3, 20)));
        attempt("unsigned 3^21", () -> Math.unsignedPowExact(3, 21));
        attempt("unsigned 2^63", () -> Long.toUnsignedString(Math.unsignedPowExact(2L, 63)));
        attempt("unsigned 2^64", () -> Math.unsignedPowExact(2L, 64));
        attempt("unsigned product", () -> Integer.toUnsignedString(Math.unsignedMultiplyExact(65535, 65537)));
        attempt("unsigned too large", () -> Math.unsignedMultiplyExact(65536, 65536));
        attempt("unsigned long", () -> Long.toUnsignedString(Math.unsignedMultiplyExact(1L << 32, (1L << 32) - 1)));
        attempt("unsigned long too large", () -> Math.unsignedMultiplyExact(1L << 32, 1L << 32));
        attempt("mixed", () -> Long.toUnsignedString(StrictMath.unsignedMultiplyExact(-1L, 1)));
    }
}
