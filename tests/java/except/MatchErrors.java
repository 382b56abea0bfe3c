// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exhaustive switches over records, sealed types and enums: the exceptions when the value or a component is null.
// since: 21
public class MatchErrors {
    enum Color { RED, GREEN }
    sealed interface Shape permits Circle, Box {}
    record Circle(int radius) implements Shape {}
    record Box(int side) implements Shape {}
    record Pair(Shape first, Color second) {}

    static int area(Pair pair) {
        return switch (pair) {
            case Pair(Circle(int r), Color c) -> 3 * r * r;
            case Pair(Box(int s), Color c) -> s * s;
        };
    }

    static String name(Color color) {
        return switch (color) {
            case RED -> "red";
            case GREEN -> "green";
        };
    }

    static void attempt(Runnable action) {
        try {
            action.run();
            System.out.println("none");
        } catch (MatchException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        } catch (NullPointerException e) {
            System.out.println("NullPointerException");
        }
    }

    public static void main(String[] arguments) {
        System.out.println(area(new Pair(new Circle(2), Color.RED)) + " " + area(new Pair(new Box(3), null)) + " "
            + name(Color.GREEN));
        attempt(() -> area(new Pair(null, Color.RED)));
        attempt(() -> area(null));
        attempt(() -> name(null));
        System.out.println(new MatchException("text", new Error("cause")).getCause() + " "
            + new MatchException(null, null));
    }
}
