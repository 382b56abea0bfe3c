// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Switches that cover a sealed hierarchy without a default: generic, nested, records taken apart along two dimensions.
// since: 21
public class SealedExhaustiveness {
    sealed interface Expression<T> permits Constant, Sum, Negation, Text {}
    record Constant(int value) implements Expression<Integer> {}
    record Sum(Expression<Integer> left, Expression<Integer> right) implements Expression<Integer> {}
    record Negation(Expression<Integer> of) implements Expression<Integer> {}
    record Text(String text) implements Expression<String> {}

    sealed interface Bit permits Zero, One {}
    record Zero() implements Bit {}
    record One() implements Bit {}
    record Two(Bit high, Bit low) {}

    static int evaluate(Expression<Integer> expression) {
        return switch (expression) {   // Text is no Expression<Integer>
            case Constant(int value) -> value;
            case Sum(Constant(int a), Constant(int b)) -> a + b;
            case Sum(var left, var right) -> evaluate(left) + evaluate(right);
            case Negation(Negation(var inner)) -> evaluate(inner);
            case Negation(var inner) -> -evaluate(inner);
        };
    }

    static int value(Two bits) {
        return switch (bits) {
            case Two(Zero high, Zero low) -> 0;
            case Two(Zero high, One low) -> 1;
            case Two(One high, Zero low) -> 2;
            case Two(One high, One low) -> 3;
        };
    }

    public static void main(String[] arguments) {
        Expression<Integer> tree = new Sum(new Negation(new Negation(new Constant(4))),
                                           new Sum(new Negation(new Constant(1)),
                                               new Sum(new Constant(2), new Constant(3))));
        System.out.println(tree);
        System.out.println(evaluate(tree));
        for (Bit high : new Bit[] {new Zero(), new One()})
            for (Bit low : new Bit[] {new Zero(), new One()}) System.out.println(value(new Two(high, low)));
        try {
            value(new Two(null, new One()));
        } catch (MatchException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            evaluate(null);
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
    }
}
