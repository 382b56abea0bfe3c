// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method has one implementation, and is called until the callers are compiled. While they run, a class that overrides
// the method is loaded: in a callee, in another thread, by another loader, or below a class that inherits the method.
// From then on, each call on an instance of the new class must reach the override.
import java.io.InputStream;
import java.util.function.Supplier;

public class LaterClasses {
    public abstract static class Shape {
        final int number;
        public Shape(int number) { this.number = number; }
        abstract int area();
        int pack() { return 8; }
        int unused() { return 1; }
    }
    public static class First extends Shape {
        public First() { super(1); }
        int area() { return 1; }
    }
    public static class Second extends Shape {
        public Second() { super(2); }
        int area() { return 2; }
    }
    public static class Own extends Shape {
        public Own() { super(9); }
        int area() { return 9; }
        int pack() { return 9; }
    }
    // When another loader defines Foreign, its pack() does not override the package-private pack() of Shape, although
    // javac assumes that it does.
    public static class Foreign extends Shape {
        public Foreign() { super(9); }
        int area() { return 9; }
        int pack() { return 9; }
    }

    interface Named {
        default int name() { return 10; }
    }
    abstract static class Thing implements Named { }
    static class Plain extends Thing { }
    static class Renamed extends Thing {
        public int name() { return 20; }
    }

    interface Counted { int count(); }
    abstract static class Counting implements Counted { }
    static class Three extends Counting {
        public int count() { return 3; }
    }
    interface FourCounted extends Counted {
        default int count() { return 4; }
    }
    static class Four extends Counting implements FourCounted { }

    interface Made { int make(); }
    static class Five implements Made {
        public int make() { return 5; }
    }
    static class Six implements Made {
        public int make() { return 6; }
    }

    static class Top { int level() { return 11; } }
    static class Middle extends Top { }
    static class Bottom extends Middle { }
    static class Lower extends Middle { int level() { return 12; } }

    static abstract class Thrower {
        final int number;
        Thrower(int number) { this.number = number; }
        abstract int of(int index);
    }
    static class Calm extends Thrower {
        Calm() { super(0); }
        int of(int index) { return index; }
    }
    static class Angry extends Thrower {
        Angry() { super(1); }
        int of(int index) { throw new IllegalStateException("angry"); }
    }

    static abstract class Spun {
        final int number;
        Spun(int number) { this.number = number; }
        abstract int value();
    }
    static class Still extends Spun {
        Still() { super(1); }
        int value() { return 1; }
    }
    static class Moving extends Spun {
        Moving() { super(2); }
        int value() { return 2; }
    }

    static abstract class Looped {
        final int number;
        Looped(int number) { this.number = number; }
        abstract int value();
    }
    static class Before extends Looped {
        Before() { super(1); }
        int value() { return 1; }
    }
    static class After extends Looped {
        After() { super(2); }
        int value() { return 2; }
    }

    static final int warm = 60_000;

    static Object make(String name) {
        return make(name, LaterClasses.class.getClassLoader());
    }

    static Object make(String name, ClassLoader loader) {
        try {
            var constructor = Class.forName("LaterClasses$" + name, true, loader).getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // Defines one class by itself.
    static class Loader extends ClassLoader {
        private final String own;
        Loader(String own) {
            super(LaterClasses.class.getClassLoader());
            this.own = "LaterClasses$" + own;
        }
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(own)) return super.loadClass(name, resolve);
            try (InputStream in = LaterClasses.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static int areas(Shape shape, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += shape.area();
        return sum / times;
    }

    static int packs(Shape shape, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += shape.pack();
        return sum / times;
    }

    static int names(Thing thing, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += thing.name();
        return sum / times;
    }

    static int counts(Counting thing, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += thing.count();
        return sum / times;
    }

    static int makes(Made thing, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += thing.make();
        return sum / times;
    }

    static int levels(Middle thing, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) sum += thing.level();
        return sum / times;
    }

    // --- a class is loaded while frames are inside calls -------------------------------------------------------------

    static abstract class Deep {
        final int number;
        Deep(int number) { this.number = number; }
        abstract int value();
    }
    static class Shallow extends Deep {
        Shallow() { super(1); }
        int value() { return 1; }
    }
    static class Deeper extends Deep {
        Deeper() { super(2); }
        int value() { return 2; }
    }

    static Deep deep = new Shallow();
    static Runnable atTheEnd = () -> { };

    // `atTheEnd` loads the class in the innermost call, while all other frames of descend() are inside a call.
    static int descend(int depth) {
        if (depth == 0) {
            atTheEnd.run();
            return 0;
        }
        int below = descend(depth - 1);
        return below + deep.value();
    }

    static Thrower thrower = new Calm();
    static int caught(int depth) {
        if (depth == 0) {
            atTheEnd.run();
            return 0;
        }
        int below = caught(depth - 1);
        try {
            return below + thrower.of(0);
        } catch (IllegalStateException e) {
            return below + 1;
        }
    }

    // --- other threads -----------------------------------------------------------------------------------------------

    static volatile Spun spun = new Still();
    static volatile Looped looped = new Before();
    static volatile boolean hasFailed;

    static int other(int i) {
        return i % 7 == 0 ? Integer.toString(i).length() : i;
    }

    static void spin(Supplier<Boolean> isDone) {
        int sum = 0;
        while (!isDone.get()) {
            for (int i = 0; i < 10_000; i++) {
                Spun current = spun;
                if (current.value() != current.number) hasFailed = true;
                sum += other(i);
            }
        }
        if (sum == 42) System.out.println();
    }

    static void loop() {
        int right = 0;
        while (right < 200_000) {
            Looped current = looped;
            if (current.value() != current.number) hasFailed = true;
            if (current.number == 2) right++;
        }
    }

    static void by(Runnable loader, Runnable worker) throws InterruptedException {
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) (workers[i] = new Thread(worker)).start();
        Thread.sleep(300);   // gives the compiler time; without compiled methods the test passes, too
        loader.run();
        for (Thread each : workers) each.join();
    }

    public static void main(String[] arguments) throws Exception {
        Shape shape = new First();
        for (int i = 0; i < 20; i++) areas(shape, warm);
        System.out.println("abstract: " + areas(shape, 10) + " then " + areas((Shape) make("Second"), 10));

        descend(1);   // resolves the recursive call, so that the compiler knows its callee
        int before = 0;
        for (int i = 0; i < warm / 4; i++) before = descend(40);
        atTheEnd = () -> deep = (Deep) make("Deeper");
        int after = descend(40);
        System.out.println("in a call: " + before / 40 + " then " + after / 40 + ", " + after / 2 + " frames");
        atTheEnd = () -> { };

        Thing thing = new Plain();
        for (int i = 0; i < 20; i++) names(thing, warm);
        System.out.println("default: " + names(thing, 10) + " then " + names((Thing) make("Renamed"), 10));

        Counting counting = new Three();
        for (int i = 0; i < 20; i++) counts(counting, warm);
        System.out.println("inherited default: " + counts(counting, 10) + " then " + counts((Counting) make("Four"), 10));

        Made made = new Five();
        for (int i = 0; i < 20; i++) makes(made, warm);
        int six = makes((Made) make("Six"), 10);
        int seven = makes(() -> 7, 10);
        System.out.println("interface: " + makes(made, 10) + " then " + six + ", lambda " + seven);

        for (int i = 0; i < 20; i++) packs(shape, warm);
        int foreign = packs((Shape) make("Foreign", new Loader("Foreign")), warm);
        for (int i = 0; i < 20; i++) packs(shape, warm);
        System.out.println("of another loader: package-private " + foreign + ", then "
                + packs((Shape) make("Own"), warm));

        Middle middle = new Bottom();
        for (int i = 0; i < 20; i++) levels(middle, warm);
        System.out.println("in the middle: " + levels(middle, 10) + " then " + levels((Middle) make("Lower"), 10));

        caught(1);
        for (int i = 0; i < warm / 4; i++) caught(40);
        atTheEnd = () -> thrower = (Thrower) make("Angry");
        System.out.println("exception: caught " + caught(40));

        long end = System.nanoTime() + 500_000_000;
        by(() -> spun = (Spun) make("Moving"), () -> spin(() -> System.nanoTime() > end));
        System.out.println("by another thread: " + (hasFailed ? "wrong" : "right"));
        by(() -> looped = (Looped) make("After"), LaterClasses::loop);
        System.out.println("in a loop without calls: " + (hasFailed ? "wrong" : "right"));
    }
}
