// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Casts to interfaces, of objects of one class for a long time, then of another class, of null, and of wrong classes.
import java.util.ArrayList;
import java.util.List;

public class CastsOfOneClass {
    interface Shape { int area(int side); }
    interface Named { String name(); }
    static class Square implements Shape, Named {
        public int area(int side) { return side * side; }
        public String name() { return "square"; }
    }
    static class Strip implements Shape {
        public int area(int side) { return 3 * side; }
    }
    static final class Thin extends Strip {
        @Override public int area(int side) { return side; }
    }

    static int areaOf(Object object, int side) { return ((Shape) object).area(side); }
    static boolean isCast(Object object) {
        Shape shape = (Shape) object;
        return shape == null;
    }
    static int areaOrLength(Object object) {
        try {
            return ((Shape) object).area(2);
        } catch (ClassCastException e) {
            return object.toString().length();
        } catch (NullPointerException e) {
            return -1;
        }
    }
    static <T extends Shape & Named> String described(List<T> list, int index) {
        return list.get(index).name() + list.get(index).area(index);
    }
    static String caught(Runnable action) {
        try {
            action.run();
            return "nothing";
        } catch (ClassCastException | NullPointerException e) {
            return e.getClass().getSimpleName();
        }
    }

    public static void main(String[] arguments) {
        Object[] usual = {new Square()}, later = {new Strip(), new Thin(), new Square()};
        long sum = 0;
        for (int i = 0; i < 30_000; i++) sum = sum * 31 + areaOf(usual[0], i & 15) + (isCast(usual[0]) ? 1 : 2);
        System.out.println("one class: " + sum);
        for (int i = 0; i < 30_000; i++) sum = sum * 31 + areaOf(later[i % 3], i & 15) + (isCast(later[i % 3]) ? 1 : 2);
        System.out.println("three classes: " + sum);
        for (int i = 0; i < 200; i++) {
            if (!caught(() -> areaOf(null, 1)).equals("NullPointerException")) throw new AssertionError("null");
            if (!caught(() -> areaOf("text", 1)).equals("ClassCastException")) throw new AssertionError("text");
            if (!isCast(null)) throw new AssertionError("null cannot be cast");
        }
        Object[] mixed = {new Square(), "four", null, new Strip(), new int[0].getClass()};
        for (int i = 0; i < 30_000; i++) sum = sum * 31 + areaOrLength(usual[0]);
        for (int i = 0; i < 30_000; i++) sum = sum * 31 + areaOrLength(mixed[i % mixed.length]);
        System.out.println("caught: " + sum);
        List<Square> squares = new ArrayList<>();
        for (int i = 0; i < 100; i++) squares.add(new Square());
        int length = 0;
        for (int i = 0; i < 30_000; i++) length += described(squares, i % 100).length();
        @SuppressWarnings({"unchecked", "rawtypes"}) List<Square> polluted = (List) new ArrayList<>(List.of(new Strip()));
        System.out.println("described: " + length + ", " + caught(() -> described(polluted, 0)));
    }
}
