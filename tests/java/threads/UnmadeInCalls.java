import java.lang.ref.WeakReference;

// Tests objects that do not escape and are live across a call. Compiled code does not allocate these objects for the
// call. If the code deoptimizes after the call, all of these objects must exist, with their contents, and locked as
// often as the program has entered them. The callee now and then throws, collects, locks, walks the stack, or loads a
// class that did not exist when the callers were compiled.
public class UnmadeInCalls {
    static final int ROUNDS = 6000;
    static final Object everybodys = new Object();
    static Object leaked;
    static int collections, walks, thrown, blocked;

    static class Rare extends RuntimeException {
        Rare(String message) {
            super(message);
        }
    }

    static boolean isRare(int i) {
        return i % 500 == 499;
    }

    static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    // --- callees: they are recursive, so they are not inlined completely

    static int plain(int i, int depth) {
        return depth > 0 ? plain(i + 1, depth - 1) - 1 : i;
    }

    static int throwing(int i, int depth) {
        if (depth > 0) return throwing(i, depth - 1);
        if (isRare(i)) {
            ++thrown;
            throw new Rare("at " + i);
        }
        return i;
    }

    static int collecting(int i, int depth) {
        if (depth > 0) return collecting(i, depth - 1);
        if (isRare(i)) {
            ++collections;
            System.gc();
        }
        return i;
    }

    static int walking(int i, int depth) {
        if (depth > 0) return walking(i, depth - 1);
        if (isRare(i)) {
            String trace = "";
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (!frame.getMethodName().equals("walking")) trace += frame.getMethodName() + " ";
            }
            check(trace.startsWith("plus inlined walked "), trace);
            ++walks;
        }
        return i;
    }

    static int locking(int i, int depth) {
        if (depth > 0) return locking(i, depth - 1);
        synchronized (everybodys) {
            if (isRare(i)) {
                try {
                    everybodys.wait(1);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                if (i % 1000 == 999) throw new Rare("locked " + i);
            }
            return i;
        }
    }

    // --- values

    static class All {
        byte b;
        short s;
        char c;
        boolean z;
        int i;
        long j;
        float f;
        double d;
        Object reference;
        All next;

        String text() {
            return b + " " + s + " " + (int) c + " " + z + " " + i + " " + j + " " + f + " " + d + " " + reference;
        }
    }

    static String fieldsOfAllTypes(int i) {
        All all = new All();
        all.b = (byte) i;
        all.s = (short) -i;
        all.c = (char) i;
        all.z = (i & 1) == 0;
        all.j = (long) i << 33;
        all.f = i / 4f;
        all.d = i / 8d;
        all.reference = isRare(i) ? "rare" : "usual";
        all.i = 3 * throwing(i - i % 500, 3) + plain(i, 2);
        return isRare(i) ? all.text() : null;
    }

    // --- identity

    static class Pair {
        Pair left, right;
        int value;

        Pair(int value) {
            this.value = value;
        }
    }

    // Two locals, a field, an array and an argument of an inlined method refer to one object.
    static int namedBy(Pair alias, Pair holder, int i) {
        int before = alias.value;
        int result;
        try {
            result = throwing(i, 2);
        } catch (Rare e) {
            check(e.getMessage().equals("at " + i), "message");
            result = -1;
        }
        alias.value += before;
        if (isRare(i)) {
            check(result == -1, "no exception");
            check(holder.left == alias && holder.right == holder, "identity inside");
        }
        return result;
    }

    static int identity(int i) {
        Pair object = new Pair(i), holder = new Pair(-i);
        Pair[] array = {object, holder, null};
        holder.left = object;
        holder.right = holder;
        int result = namedBy(object, holder, i);
        check(object.value == 2 * i, "stored through another name");
        if (isRare(i)) {
            leaked = array;
            check(array[0] == object && array[1].left == object && holder.right.right == holder && array[2] == null,
                  "identity");
            check(((Pair[]) leaked)[0].value == 2 * i, "value");
        }
        return result + array[0].value + holder.left.value;
    }

    static Pair returning(int i, int depth) {
        return depth > 0 ? returning(i, depth - 1) : new Pair(i);
    }

    static int returned(int i) {
        Pair first = new Pair(i), second = new Pair(2 * i);
        second.left = first;
        Pair other = returning(i, 2);
        check(other.value == i && other.left == null && second.left.value == i, "returned");
        return other.value + second.value;
    }

    // --- references that only scalar-replaced objects hold

    static int reached(int i) {
        Pair holder = new Pair(i);
        All inner = new All();
        String[] payload = new String[40];
        payload[i % 40] = "payload " + i;
        inner.reference = payload;
        WeakReference<Object> weak = new WeakReference<>(payload);
        payload = null;
        holder.value += collecting(i, 3);
        check(weak.get() == inner.reference, "collected");
        String text = ((String[]) inner.reference)[i % 40];
        check(text.length() >= 9 && text.endsWith(Integer.toString(i)), "payload");
        return holder.value + text.length();
    }

    // --- monitors

    static class Counter {
        int value;

        synchronized int plus(int i) {
            int called = locking(i, 2);
            value += called;
            return value;
        }

        synchronized int twice(int i) {
            value += plain(i, 1);
            int result = plus(i) + plus(i);
            return result + value;
        }

        // The method's handler runs with the monitor held. Another thread may get the monitor only after all levels are
        // released.
        synchronized int caught(int i) {
            try {
                return twice(i);
            } catch (Rare e) {
                check(Thread.holdsLock(this), "held in the handler");
                Counter self = this;
                Thread other = new Thread(() -> {
                    synchronized (self) {
                        ++self.value;
                    }
                });
                other.start();
                while (other.getState() != Thread.State.BLOCKED) Thread.yield();
                ++blocked;
                leaked = other;
                return -1;
            }
        }
    }

    static int monitors(int i) throws InterruptedException {
        Counter counter = new Counter();
        int result = counter.caught(i);
        if (result == -1) {
            ((Thread) leaked).join();
            check(!Thread.holdsLock(counter), "given back");
            check(counter.value == i + 1, "value of the counter: " + counter.value + " at " + i);
        }
        return result;
    }

    // --- frames

    static class Sum {
        int value;

        int plus(int i) {
            return value += walking(i, 2);
        }
    }

    static int inlined(Sum sum, int i) {
        return 2 * sum.plus(i) + sum.value;
    }

    static int walked(int i) {
        Sum sum = new Sum();
        sum.value = i;
        return 5 * i + inlined(sum, i);
    }

    // Each activation has an object of its own, also when an exception passes up to the activation that catches it.
    static int recursive(int depth, int i) {
        Sum sum = new Sum();
        sum.value = depth;
        int result;
        if (depth == 0) {
            result = throwing(i, 1);
        } else if (depth == 5) {
            try {
                result = recursive(depth - 1, i);
            } catch (Rare e) {
                result = 1000;
            }
        } else {
            result = recursive(depth - 1, i);
        }
        if (isRare(i)) leaked = sum;
        return result + sum.value;
    }

    // --- classes that are loaded after their callers were compiled

    static class Shape {
        int area() {
            return 1;
        }
    }

    static class Square extends Shape {
        @Override
        int area() {
            return 4;
        }
    }

    static int loading(int i, int depth) {
        if (depth > 0) return loading(i, depth - 1);
        if (i == ROUNDS - 10) leaked = new Square();
        return i;
    }

    static int bound(Shape shape, int i) {
        Sum sum = new Sum();
        sum.value = shape.area();
        int result = shape.area() + loading(i, 2);
        if (isRare(i)) leaked = sum;
        return result * shape.area() + sum.value;
    }

    public static void main(String[] arguments) throws InterruptedException {
        long hash = 0;
        Shape shape = new Shape();
        for (int i = 0; i < ROUNDS; ++i) {
            String text;
            try {
                text = fieldsOfAllTypes(i);
            } catch (Rare e) {
                text = e.getMessage();
            }
            if (text != null) hash = hash * 31 + text.hashCode();
            hash = hash * 31 + identity(i);
            hash = hash * 31 + returned(i);
            hash = hash * 31 + reached(i);
            hash = hash * 31 + monitors(i);
            hash = hash * 31 + walked(i);
            hash = hash * 31 + recursive(9, i);
            hash = hash * 31 + bound(shape, i);
        }
        System.out.println(hash + " " + collections + " collections, " + walks + " walks, " + thrown + " exceptions, "
            + blocked + " blocked");
    }
}
