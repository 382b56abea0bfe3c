// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Record patterns over generic records: inferred arguments, wildcards, primitive components, deep nesting with guards.
// since: 21
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

public class NestedGenericRecords {
    sealed interface Tree<T> permits Leaf, Node {}
    record Leaf<T>(T value) implements Tree<T> {}
    record Node<T>(Tree<T> left, Tree<T> right) implements Tree<T> {}
    record Box<T>(T content) {}
    record Measured<N extends Number & Comparable<N>>(N amount, char unit) {}

    static <T> List<T> leaves(Tree<T> tree) {
        List<T> found = new ArrayList<>();
        collect(tree, found);
        return found;
    }

    static <T> void collect(Tree<T> tree, List<? super T> into) {
        switch (tree) {
            case Node<T>(Leaf<T>(var a), Leaf<T>(var b)) -> {
                into.add(a);
                into.add(b);
            }
            case Node(var left, var right) -> {
                collect(left, into);
                collect(right, into);
            }
            case Leaf(var value) -> into.add(value);
        }
    }

    static String open(Box<? extends Box<?>> box) {
        return switch (box) {
            case Box(Box(String text)) when text.isEmpty() -> "empty text";
            case Box(Box(CharSequence text)) -> "text of " + text.length();
            case Box(Box(Box(var inner))) -> "box of " + inner;
            case Box(Box(Optional<?> maybe)) when maybe.isPresent() -> "some " + maybe.get();
            case Box(var other) -> "other " + other;
        };
    }

    static String measure(Measured<?> measured) {
        return switch (measured) {
            case Measured(Integer i, char unit) when i > 9 -> "many " + unit;
            case Measured(Integer i, char unit) -> i + " " + (unit + 0);
            case Measured(Double d, char unit) -> d / 2 + "" + unit;
            case Measured(Number n, char unit) -> n.getClass().getSimpleName();
        };
    }

    public static void main(String[] arguments) {
        System.out.println(leaves(new Node<>(new Node<>(new Leaf<>(1), new Leaf<>(2)), new Leaf<>(3))));
        System.out.println(leaves(new Leaf<>("only")));
        for (Object content : new Object[] {"", "abc", new StringBuilder("x"), new Box<>(7), Optional.of(1),
            Optional.empty(), 4L})
            System.out.println(open(new Box<>(new Box<>(content))));
        System.out.println(open(new Box<>(null)));
        System.out.println(measure(new Measured<>(10, 'm')) + measure(new Measured<>(2, 'a'))
            + measure(new Measured<>(5.0, 's')) + measure(new Measured<>(7L, 'x')));
    }
}
