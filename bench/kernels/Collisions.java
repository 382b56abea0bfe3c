// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Spheres that move in a box: vectors as objects, a grid of lists, pairs that meet.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Collisions extends Kernel {
    static final class Vector {
        final double x, y, z;
        Vector(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }
        Vector plus(Vector other) { return new Vector(x + other.x, y + other.y, z + other.z); }
        Vector minus(Vector other) { return new Vector(x - other.x, y - other.y, z - other.z); }
        Vector times(double factor) { return new Vector(x * factor, y * factor, z * factor); }
        double dot(Vector other) { return x * other.x + y * other.y + z * other.z; }
    }
    record Cell(int x, int y, int z) {}
    static final class Body {
        Vector position, speed;
        int met;
        Body(Vector position, Vector speed) {
            this.position = position;
            this.speed = speed;
        }
        Cell cell() {
            return new Cell((int) Math.floor(position.x), (int) Math.floor(position.y), (int) Math.floor(position.z));
        }
        void move(double time) {
            position = position.plus(speed.times(time));
            speed = new Vector(turned(position.x, speed.x), turned(position.y, speed.y), turned(position.z, speed.z));
        }
        private static double turned(double at, double speed) {
            return at < 0 ? Math.abs(speed) : at > 5 ? -Math.abs(speed) : speed;
        }
    }
    private static void collide(Body a, Body b) {
        Vector between = b.position.minus(a.position);
        double distance = between.dot(between);
        if (distance >= 0.09 || distance == 0) return;
        Vector push = between.times(b.speed.minus(a.speed).dot(between) / distance);
        a.speed = a.speed.plus(push);
        b.speed = b.speed.minus(push);
        a.met++;
        b.met++;
    }
    protected long work() {
        List<Body> bodies = new ArrayList<>();
        int seed = 42;
        for (int i = 0; i < 200; i++) {
            double[] random = new double[6];
            for (int k = 0; k < 6; k++) {
                seed = seed * 1103515245 + 12345;
                random[k] = (seed >>> 8) / (double) (1 << 24);
            }
            bodies.add(new Body(new Vector(random[0] * 5, random[1] * 5, random[2] * 5),
                                new Vector(random[3] - 0.5, random[4] - 0.5, random[5] - 0.5)));
        }
        for (int step = 0; step < 15; step++) {
            Map<Cell, List<Body>> grid = new HashMap<>();
            for (Body body : bodies) {
                body.move(0.1);
                grid.computeIfAbsent(body.cell(), cell -> new ArrayList<>()).add(body);
            }
            for (List<Body> near : grid.values()) {
                for (int i = 0; i < near.size(); i++)
                    for (int k = i + 1; k < near.size(); k++) collide(near.get(i), near.get(k));
            }
        }
        long sum = 0;
        for (Body body : bodies) sum = sum * 31 + body.met;
        return sum;
    }
    public static void main(String[] arguments) { new Collisions().measure(arguments); }
}
