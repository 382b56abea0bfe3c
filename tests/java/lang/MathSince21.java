// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Math since 18: clamp, rounding-up and exact divisions, unsigned products, also in StrictMath; compress and expand.
// since: 21
public class MathSince21 {
    static void attempt(String what, java.util.function.Supplier<Object> value) {
        try {
            System.out.println(what + " " + value.get());
        } catch (ArithmeticException | IllegalArgumentException e) {
            System.out.println(what + " " + e);
        }
    }

    public static void main(String[] arguments) {
        System.out.println(Math.clamp(15L, 0, 10) + " " + Math.clamp(-5L, -3L, 8L) + " " + Math.clamp(2.5, 0.0, 2.0)
                           + " " + Math.clamp(-0.0f, 0.0f, 1.0f) + " " + Math.clamp(Double.NaN, 1.0, 2.0));
        attempt("wrong bounds", () -> Math.clamp(1L, 5, 2));
        attempt("NaN bound", () -> Math.clamp(1.0, Double.NaN, 2.0));
        attempt("zeros", () -> Math.clamp(1.0, 0.0, -0.0));
        int[] values = {7, -7, 0, Integer.MIN_VALUE, Integer.MAX_VALUE};
        int[] divisors = {2, -2, 3, -1, 1};
        for (int a : values) {
            StringBuilder line = new StringBuilder().append(a).append(':');
            for (int b : divisors) {
                line.append(' ').append(Math.ceilDiv(a, b)).append('/').append(Math.ceilMod(a, b)).append('/')
                    .append(Math.ceilDiv((long) a, b)).append('/').append(StrictMath.ceilMod((long) a, (long) b));
            }
            System.out.println(line);
        }
        attempt("exact", () -> Math.divideExact(Integer.MIN_VALUE, -1));
        attempt("exact long", () -> Math.divideExact(Long.MIN_VALUE, -1L));
        attempt("exact floor", () -> Math.floorDivExact(-7, 2));
        attempt("exact ceil", () -> Math.ceilDivExact(Long.MIN_VALUE, -1L));
        attempt("ceil by zero", () -> Math.ceilDiv(1, 0));
        System.out.println(Math.unsignedMultiplyHigh(-1L, -1L) + " " + Math.unsignedMultiplyHigh(1L << 63, 6)
                           + " " + StrictMath.unsignedMultiplyHigh(Long.MAX_VALUE, -3L));
        System.out.println(StrictMath.clamp(99L, 1, 5) + " " + Long.compress(0xF0F0L, 0xFF00L) + " "
                           + Integer.expand(0b101, 0xF0) + " "
                               + Integer.toBinaryString(Integer.compress(0xABCD, 0x0FF0)));
    }
}
