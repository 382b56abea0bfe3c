// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Record patterns: nested, with var, generic records, null components, variables used in the condition and after it.
// since: 21
import java.util.List;

public class RecordPatterns {
    record Point(int x, int y) {}
    record Line(Point from, Point to) {}
    record Pair<A, B>(A first, B second) {}
    record Holder(Object value) {}

    static String line(Object what) {
        if (!(what instanceof Line(Point(int a, int b), Point(var c, var d)))) return "no line";
        return a + "," + b + " to " + c + "," + d;
    }

    static int sum(Pair<Pair<Integer, Integer>, Integer> tree) {
        return tree instanceof Pair<Pair<Integer, Integer>, Integer>(Pair(var a, var b), var c) ? a + b + c : -1;
    }

    public static void main(String[] arguments) {
        System.out.println(line(new Line(new Point(1, 2), new Point(3, 4))));
        System.out.println(line(new Line(null, new Point(3, 4))));
        System.out.println(line("text"));
        System.out.println(line(null));
        System.out.println(sum(new Pair<>(new Pair<>(1, 2), 3)));
        System.out.println(sum(new Pair<>(null, 3)));
        for (Object each : List.of(new Holder("text"), new Holder(7), new Holder(new Holder(2.5)), new Pair<>("a", 1))) {
            if (each instanceof Holder(String text)) System.out.println("text " + text.length());
            else if (each instanceof Holder(Integer number) && number > 5) System.out.println("number " + number);
            else if (each instanceof Holder(Holder(var inner))) System.out.println("inner " + inner);
            else if (each instanceof Pair<?, ?>(String a, Integer b)) System.out.println("pair " + a + b);
        }
        System.out.println(new Holder(null) instanceof Holder(var value) ? "any " + value : "none");
        System.out.println(new Holder(null) instanceof Holder(String value) ? "text " + value : "no text");
    }
}
