// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Unnamed variables and patterns: in lambdas, loops, catch clauses, resources, records and switches.
// since: 25
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class UnnamedVariables {
    record Point(int x, int y) {}
    record Colored(Point where, String color) {}

    static class Resource implements AutoCloseable {
        @Override
        public void close() {
            System.out.println("closed");
        }
    }

    static String say(Object what) {
        return switch (what) {
            case Colored(Point(var x, _), _) when x > 10 -> "far right";
            case Colored(_, String color) -> color;
            case Point(_, int y) -> "y " + y;
            case Integer _, Long _ -> "whole";
            case String _ -> "text";
            default -> "other";
        };
    }

    public static void main(String[] arguments) {
        int count = 0;
        for (var _ : List.of(1, 2, 3)) count++;
        System.out.println(count);
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException _) {
            System.out.println("no number");
        }
        try (var _ = new Resource(); var _ = new Resource()) {
            System.out.println("open");
        }
        Map<String, Integer> map = new TreeMap<>(Map.of("a", 1, "b", 2));
        map.replaceAll((_, value) -> value * 10);
        map.computeIfAbsent("c", _ -> 5);
        map.merge("a", 1, (_, _) -> 0);
        System.out.println(map);
        for (Object each : new Object[] {new Colored(new Point(1, 2), "red"), new Colored(new Point(20, 2), "red"),
                                         new Point(3, 4), 5, 6L, "s", 'c'}) System.out.println(say(each));
        var _ = count++;
        int _ = count++;
        System.out.println(count);
        System.out.println(new Point(1, 2) instanceof Point(_, _));
    }
}
