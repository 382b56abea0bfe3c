public class Distance {
    record Point(int x, int y) {
        Point minus(Point other) {
            return new Point(x - other.x, y - other.y);
        }
    }

    static int distance(int a, int b) {
        Point way = new Point(a, b).minus(new Point(b, 1));
        return Math.abs(way.x) + Math.abs(way.y);
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 100_000_000; i++) sum += distance(i, i >> 3);
        System.out.println("sum " + sum);
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
