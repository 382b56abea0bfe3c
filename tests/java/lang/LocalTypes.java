// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Local records, enums and interfaces, anonymous classes, captured variables, and the names of all these classes.
import java.util.function.IntSupplier;

public class LocalTypes {
    interface Shape { double area(); }
    public static void main(String[] args) {
        record Pair(int a, int b) {
            Pair {
                if (a > b)
                    throw new IllegalArgumentException(a + ">" + b);
            }
            int sum() {
                return a + b;
            }
            static int made() {
                return 3;
            }
        }
        enum Level { LOW { int n() { return 1; } }, HIGH { int n() { return 9; } }; abstract int n(); }
        interface Doubler { int twice(int x); default int four(int x) { return twice(twice(x)); } }
        int captured = args.length + 5;
        class Local implements IntSupplier {
            int own = captured;
            public int getAsInt() { return own + captured; }
            class Inner { int both() { return own * captured; } }
        }
        Doubler d = x -> x * 2;
        Shape s = new Shape() { final double r = captured; public double area() { return r * r; } };
        System.out.println(new Pair(1, 2) + " " + new Pair(1, 2).sum() + " " + Pair.made() + " " + Level.HIGH.n() + " "
                + Level.valueOf("LOW").n() + " " + d.four(3));
        System.out.println(new Local().getAsInt() + " " + new Local().new Inner().both() + " " + s.area());
        for (Class<?> c : new Class<?>[] {Pair.class, Level.class, Level.LOW.getClass(), Doubler.class, Local.class,
                     Local.Inner.class, s.getClass(), Shape.class, int[].class, LocalTypes[][].class}) {
            System.out.println(c.getName() + " [" + c.getSimpleName() + "] " + c.getCanonicalName() + " "
                    + c.isLocalClass() + c.isAnonymousClass() + c.isMemberClass() + " " + c.getEnclosingMethod() + " "
                    + c.getEnclosingClass() + " " + c.getDeclaringClass() + " "
                    + java.lang.reflect.Modifier.toString(c.getModifiers()));
        }
        try {
            new Pair(2, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(java.util.Arrays.toString(Pair.class.getRecordComponents()) + " "
                + Level.LOW.getDeclaringClass() + " " + Pair.class.isRecord() + Level.LOW.getClass().isEnum());
    }
}
