// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the motion of planets: floating-point arithmetic on fields of objects.
public class NBody extends Kernel {
    static final class Body {
        double x, y, z, vx, vy, vz, mass;

        Body(double s) {
            x = s;
            y = s * 0.7;
            z = s * 0.3;
            vx = 0.1 / s;
            vy = 0.2 / s;
            vz = -0.1 / s;
            mass = 1 / s;
        }
    }

    static void advance(Body[] bodies, double dt) {
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) {
                Body b = bodies[j];
                double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                double squared = dx * dx + dy * dy + dz * dz;
                double magnitude = dt / (squared * Math.sqrt(squared));
                a.vx -= dx * b.mass * magnitude;
                a.vy -= dy * b.mass * magnitude;
                a.vz -= dz * b.mass * magnitude;
                b.vx += dx * a.mass * magnitude;
                b.vy += dy * a.mass * magnitude;
                b.vz += dz * a.mass * magnitude;
            }
        }
        for (Body body : bodies) {
            body.x += dt * body.vx;
            body.y += dt * body.vy;
            body.z += dt * body.vz;
        }
    }

    protected long work() {
        Body[] bodies = new Body[5];
        for (int i = 0; i < 5; i++) bodies[i] = new Body(i + 1.5);
        for (int i = 0; i < 9_000; i++) advance(bodies, 0.001);
        double sum = 0;
        for (Body body : bodies) sum += body.x + body.vx;
        return Double.doubleToLongBits(sum);
    }

    public static void main(String[] arguments) {
        new NBody().measure(arguments);
    }
}
