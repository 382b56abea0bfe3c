// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One call site with many receivers: objects of the first class, of a class that inherits the method, and of a class
// that overrides it; null as the first receiver or a later one; arrays; overrides that also have another vtable index;
// and several threads whose first receivers differ.
public class CallSites {
    static class Base {
        int number() { return 1; }
        int twice() { return 2 * number(); }
    }
    static class Same extends Base {}
    static class Other extends Base { @Override int number() { return 10; } }
    static final class Last extends Other {
        @Override
        int number() {
            return 100 + super.number();
        }
        @Override
        int twice() {
            return -1;
        }
    }

    static int number(Base base) {
        try {
            return base.number();   // one site
        } catch (NullPointerException e) {
            return -7;
        }
    }
    static int fresh(Base base) {
        try {
            return base.twice();    // the first receiver of this call site is null
        } catch (NullPointerException e) {
            return -8;
        }
    }

    interface Greets { default String greet() { return "hello from " + name(); } String name(); }
    static abstract class Greeter implements Greets {}
    static class English extends Greeter { public String name() { return "English"; } }
    static class French extends Greeter {
        public String name() {
            return "French";
        }
        @Override
        public String greet() {
            return "bonjour";
        }
    }
    static String greet(Greeter greeter) { return greeter.greet(); }

    static int hash(Object object) { return object.hashCode(); }
    static String text(Object object) { return object.toString(); }
    static boolean same(Object left, Object right) { return left.equals(right); }

    // An override with a narrower result type also gets a bridge method, so two vtable entries lead to the override.
    static class Shape { Object corner() { return "a corner"; } }
    static class Square extends Shape { @Override String corner() { return "a right angle"; } }
    static class Tilted extends Square { @Override String corner() { return "a tilted one"; } }
    static Object corner(Shape shape) { return shape.corner(); }
    static String cornerOfSquare(Square square) { return square.corner(); }

    static int raced(Base base) { return base.number() + base.twice(); }

    public static void main(String[] args) throws InterruptedException {
        Base[] all = {new Base(), new Base(), new Same(), null, new Same(), new Other(), new Last(), null, new Base(),
                new Other()};
        for (Base base : all) System.out.print(number(base) + " ");
        System.out.println();
        for (Base base : new Base[] {null, null, new Last(), null, new Last(), new Base(), new Other(), new Same()})
            System.out.print(fresh(base) + " ");
        System.out.println();
        for (Greeter greeter : new Greeter[] {new English(), new English(), new French(), new English()})
            System.out.print(greet(greeter) + "; ");
        System.out.println();
        Object[] objects = {"text", "text", 17, 17L, "other", 'c', new StringBuilder("built"), java.util.List.of(1, 2)};
        for (Object object : objects) if (!(object instanceof StringBuilder)) System.out.print(hash(object) + " ");
        for (Object object : objects) System.out.print(text(object) + " " + same(object, "text") + " ");
        System.out.println();
        int[] numbers = {1, 2};
        System.out.println(same(numbers, numbers) + " " + same(numbers, numbers.clone()) + " " + same("text", numbers)
                + " " + (hash(numbers) == hash(numbers)) + " " + text(new int[0]).startsWith("[I@") + " "
                + text(new String[0][]).startsWith("[[Ljava.lang.String;@"));
        for (Shape shape : new Shape[] {new Square(), new Square(), new Tilted(), new Shape(), new Square()})
            System.out.print(corner(shape) + "; ");
        for (Square square : new Square[] {new Square(), new Tilted(), new Square()})
            System.out.print(cornerOfSquare(square) + "; ");
        System.out.println();

        Base[] kinds = {new Base(), new Same(), new Other(), new Last()};
        int[] wanted = {3, 3, 30, 109};
        int[] wrong = new int[kinds.length];
        Thread[] threads = new Thread[kinds.length];
        for (int i = 0; i < threads.length; i++) {
            int first = i;
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 4000; k++) {
                    int kind = k < 1000 ? first : (first + k) % kinds.length;
                    if (raced(kinds[kind]) != wanted[kind]) wrong[first]++;
                }
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(java.util.Arrays.toString(wrong));
    }
}
