// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// A loop whose shapes change from time to time: each time, what the compiler has assumed is wrong.
// Run: ./keyhole --look examples/findings/Deoptimizing.java

public class Deoptimizing {
    interface Shape {
        int area();
    }
    record Square(int side) implements Shape {
        public int area() { return side * side; }
    }
    record Strip(int length) implements Shape {
        public int area() { return length; }
    }
    record Point(int at) implements Shape {
        public int area() { return 0; }
    }
    record Double(Shape shape) implements Shape {
        public int area() { return 2 * shape.area(); }
    }

    static long sum(Object[] shapes, int mode) {
        long sum = 0;
        for (Object each : shapes) {
            if (mode == 0) sum += ((Shape) each).area();
            else if (mode == 1) sum += ((Shape) each).area() * 3L;
            else if (mode == 2) sum -= ((Shape) each).area();
            else if (mode == 3) sum ^= ((Shape) each).area();
            else sum += each.hashCode();
        }
        return sum;
    }

    public static void main(String[] arguments) {
        long sum = 0;
        Object[][] rounds = {fill(0), fill(1), fill(2), fill(3)};
        for (int mode = 0; mode < 5; mode++) {
            for (Object[] shapes : rounds) {
                long until = System.nanoTime() + 150_000_000;
                while (System.nanoTime() < until) sum += sum(shapes, mode);
            }
        }
        System.out.println("summed " + (sum != 0));
    }

    static Object[] fill(int kind) {
        Object[] shapes = new Object[1000];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = switch (kind) {
                case 0 -> new Square(i);
                case 1 -> new Strip(i);
                case 2 -> new Point(i);
                default -> new Double(new Square(i));
            };
        }
        return shapes;
    }
}
