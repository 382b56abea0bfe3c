// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The receivers of the call in line 26 have one class, until one receiver has another class. The loop in line 32 runs
// for long in the first call of its method. tests/launcher/recording.py expects both lines.
public class Tiers {
    interface Shape {
        int area();
    }
    static final class Square implements Shape {
        int side = 3;
        public int area() {
            return side * side;
        }
    }
    static final class Strip implements Shape {
        int length = 7;
        public int area() {
            return length;
        }
    }

    static int areas(Shape[] shapes) {
        int sum = 0;
        for (Shape shape : shapes)
            sum += shape.area();
        return sum;
    }

    static long count(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++)
            sum += i ^ sum >> 3;
        return sum;
    }

    public static void main(String[] arguments) {
        Shape[] squares = new Shape[1000], mixed = new Shape[1000];
        for (int i = 0; i < squares.length; i++) squares[i] = mixed[i] = new Square();
        mixed[500] = new Strip();
        int sum = 0;
        for (int i = 0; i < 20; i++) sum += areas(squares);
        sum += areas(mixed);
        System.out.println(sum + " " + (count(3_000_000) != 0));
    }
}
