// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records, sealed interfaces and pattern matching: what javac 17 makes of modern Java.
//
// Records get their equals, hashCode and toString through invokedynamic; the VM links that itself.
// Run: ./keyhole examples/Shapes.java

import java.util.List;

public class Shapes {
    sealed interface Shape permits Circle, Rectangle, Group {}

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative radius: " + radius);
            }
        }
    }

    record Rectangle(double width, double height) implements Shape {}

    record Group(String name, List<Shape> members) implements Shape {}

    static double area(Shape shape) {
        if (shape instanceof Circle circle) {
            return Math.PI * circle.radius() * circle.radius();
        }
        if (shape instanceof Rectangle rectangle) {
            return rectangle.width() * rectangle.height();
        }
        if (shape instanceof Group group) {
            return group.members().stream().mapToDouble(Shapes::area).sum();
        }
        throw new AssertionError("sealed: there is no other shape");
    }

    public static void main(String[] arguments) {
        Shape shape = new Group(
                "all", List.of(new Circle(1), new Rectangle(2, 3), new Group("inner", List.of(new Circle(0.5)))));
        System.out.println(shape);
        System.out.println("area: " + area(shape));
        System.out.println("equal: " + new Rectangle(2, 3).equals(new Rectangle(2, 3)));
        System.out.println("hash:  " + new Circle(1).hashCode());
        try {
            new Circle(-1);
        } catch (IllegalArgumentException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
    }
}
