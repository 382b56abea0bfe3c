// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Statements before super() and this(): fields that are set before the superclass's constructor reads them, checks of
// arguments, nested and local classes.
// since: 25
import java.util.ArrayList;
import java.util.List;

public class FlexibleConstructors {
    static final List<String> steps = new ArrayList<>();

    static class Base {
        Base(int size) {
            steps.add("base " + size + " " + describe());
        }

        String describe() {
            return "base";
        }
    }

    static class Derived extends Base {
        private final int size;
        private String name = "set later";
        private final String early;

        Derived(int size, String early) {
            steps.add("before");
            if (size < 0) throw new IllegalArgumentException("negative");
            this.size = size;
            this.early = early;
            int doubled = size * 2;
            super(doubled);
            steps.add("after " + name);
        }

        Derived(String both) {
            String[] parts = both.split(":");
            var number = Integer.parseInt(parts[0]);
            this(number, parts[1]);
        }

        @Override
        String describe() {
            return size + early + name;
        }
    }

    class Inner extends Base {
        final int outerState;

        Inner() {
            int seen = counter;   // reads a field of the enclosing object before super()
            outerState = seen + 1;
            super(seen);
        }
    }

    int counter = 41;

    record Range(int low, int high) {
        Range(int single) {
            int next = single + 1;
            this(single, next);
        }
    }

    enum Level {
        LOW(1), HIGH(2);

        final String text;

        Level(int number) {
            String made = "level " + number;
            this.text = made;
        }
    }

    public static void main(String[] arguments) {
        new Derived(3, "e");
        new Derived("4:f");
        try {
            new Derived(-1, "x");
        } catch (IllegalArgumentException e) {
            steps.add(e.getMessage());
        }
        System.out.println(new FlexibleConstructors().new Inner().outerState);
        steps.forEach(System.out::println);
        System.out.println(new Range(7) + " " + Level.HIGH.text);
    }
}
