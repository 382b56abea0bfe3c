// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// javac itself: compiles this file; the class files must be the same to the byte.
// main: com.sun.tools.javac.Main
// module: jdk.compiler
// args: -g -d made {source}
import java.util.List;
import java.util.function.Function;

public class JavacItself {
    sealed interface Shape permits Circle, Square {}
    record Circle(double r) implements Shape {}
    record Square(double side) implements Shape {}
    enum Unit { CM, M { @Override double scale() { return 100; } }; double scale() { return 1; } }

    static <T extends Comparable<T>> T max(List<? extends T> list) {
        T best = null;
        for (T t : list) if (best == null || t.compareTo(best) > 0) best = t;
        return best;
    }

    static double area(Shape s, Unit u) {
        if (s instanceof Circle c) return Math.PI * c.r() * c.r() * u.scale();
        return switch (u) {
            case CM -> ((Square) s).side();
            case M -> {
                double d = ((Square) s).side();
                yield d* d;
            }
        };
    }

    public static void main(String[] args) {
        Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b;
        try (AutoCloseable c = () -> System.out.println("closed " + args.length)) {
            String text = """
                block %d
                """.formatted(add.apply(1).apply(2));
            System.out.println(text + area(new Circle(1), Unit.M) + max(List.of("a", "b")));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
