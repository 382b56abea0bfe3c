// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The language and java.util after release 17: patterns, sealed types, sequenced collections, gatherers, and an
// instance main method.
// since: 25
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class AfterSeventeen {
    sealed interface Shape permits Circle, Box, Group {}
    record Circle(double radius) implements Shape {}
    record Box(int width, int height) implements Shape {}
    record Group(List<Shape> parts, String name) implements Shape {}
    enum Color { RED, GREEN }

    static String say(Object what) {
        return switch (what) {
            case null -> "null";
            case Circle(var radius) when radius > 3 -> "large circle";
            case Circle circle -> "circle " + circle.radius();
            case Box(int width, int height) -> "box of " + width * height;
            case Group(var parts, String name) -> name + parts.stream().map(AfterSeventeen::say).toList();
            case Color color when color == Color.RED -> "red";
            case Color _ -> "another color";
            case Integer i when i > 100 -> "many";
            case Integer _ -> "a few";
            case String text -> "text " + text.length();
            case int[] numbers -> numbers.length + " numbers";
            default -> what.getClass().getName();
        };
    }

    static class Base {
        final String seen;

        Base() {
            seen = describe();
        }

        String describe() {
            return "base";
        }
    }

    static class Derived extends Base {
        final String name;

        Derived(String given) {
            if (given.isEmpty()) throw new IllegalArgumentException("no name");
            name = given.strip();
            super();
        }

        @Override
        String describe() {
            return "derived " + name;
        }
    }

    void main() throws Exception {
        Object[] things = {new Circle(1), new Circle(4), new Box(3, 4), Color.RED, Color.GREEN, 5, 500, "abc", null,
            new int[3], 2.5, new Group(List.of(new Box(1, 1), new Circle(9)), "both")};
        for (Object thing : things) IO.println(say(thing));
        var list = new ArrayList<>(List.of(1, 2, 3));
        list.addFirst(0);
        IO.println(list.reversed() + " " + list.getLast() + " " + list.removeFirst());
        var map = new LinkedHashMap<String, Integer>();
        map.put("one", 1);
        map.putFirst("zero", 0);
        IO.println(map + " " + map.lastEntry() + " " + map.sequencedKeySet().reversed());
        IO.println(Stream.of(1, 2, 3, 4, 5).gather(Gatherers.windowFixed(2)).toList());
        IO.println(Stream.of(1, 2, 3).gather(Gatherers.scan(() -> 0, Integer::sum)).toList());
        IO.println(new StringBuilder().repeat("ab", 3) + " " + "a,b;c".splitWithDelimiters("[,;]", 0).length);
        IO.println(Math.clamp(15L, 0, 10) + " " + "emoji".indexOf('j', 0, 5) + " " + Character.toString(128512).length());
        IO.println(new Derived(" x ").seen);
        try {
            new Derived("");
        } catch (IllegalArgumentException e) {
            IO.println(e.getMessage());
        }
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var squares = IntStream.range(0, 100).mapToObj(i -> executor.submit(() -> i * i)).toList();
            int sum = 0;
            for (var square : squares) sum += square.get();
            IO.println(sum);
        }
    }
}
