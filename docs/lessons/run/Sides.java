public class Sides {
    interface Shape {
        int sides();
    }
    record Square() implements Shape {
        public int sides() { return 4; }
    }
    record Triangle() implements Shape {
        public int sides() { return 3; }
    }

    static int sides(Shape shape) {
        return shape.sides();
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum += sides(i % 4 == 0 ? new Triangle() : new Square());
        System.out.println("sum " + sum);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
