// Programs that are right on a machine with store buffers, because an operation other than a plain store makes each
// write visible. No program fails under --memory=tso.
public class StoreBuffers {
    static int value, other;
    static Object[] objects = new String[1];
    static volatile boolean isSet;

    static class Lazy {
        static int content;
        static int[] array;

        static {
            content = 1;
            array = new int[] {1, 2};
            content = 2;
        }
    }

    static void check(boolean isGood, String what) {
        if (!isGood) throw new AssertionError(what);
    }

    static void together(Runnable... bodies) throws InterruptedException {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) threads[i] = new Thread(bodies[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    // A thread that finds a class initialised sees the static fields that the class initialiser has written.
    static void initializer() throws InterruptedException {
        Runnable body = () -> check(Lazy.content == 2 && Lazy.array[1] == 2, "content " + Lazy.content);
        together(body, body);
    }

    // A thread that has joined another thread, or finds that thread ended, sees the other thread's writes.
    static void join() throws InterruptedException {
        Thread writer = new Thread(() -> {
            value = 1;
            other = value + 1;
        });
        writer.start();
        if (!writer.isAlive()) check(value == 1 && other == 2, "ended, and the value is " + value);
        value = 0;
        writer.join();
        check(other == 2 || other == 1, "joined, and the other value is " + other);
    }

    // A native method of the library (arraycopy) writes to the elements that the thread has stored to.
    static void copy() throws InterruptedException {
        int[] source = {7, 8}, shared = new int[2];
        together(() -> {
            shared[0] = 1;
            System.arraycopy(source, 0, shared, 0, 2);
            check(shared[0] == 7, "the copy is lost: " + shared[0]);
            shared[1] = 9;
            check(shared[1] == 9 && shared.clone()[1] == 9, "the own store is not seen");
        }, () -> other = shared[0] + shared[1]);
        check(shared[0] == 7 && shared[1] == 9, "at the end " + shared[0] + " " + shared[1]);
    }

    static void interned() throws InterruptedException {
        char[] text = {'a', 'b'};
        String[] made = new String[2];
        together(() -> made[0] = new String(text).intern(), () -> made[1] = new String(text).intern());
        check(made[0] == made[1] && made[0].hashCode() == "ab".hashCode(), "interned twice");
    }

    // A store that throws writes nothing: neither the new value at once, nor the old value when the buffer drains.
    static void refusedStore() throws InterruptedException {
        together(() -> {
            try {
                value = 1;
                objects[0] = Integer.valueOf(1);
                check(false, "stored");
            } catch (ArrayStoreException e) {
                value = 2;
            }
        }, () -> {
            objects[0] = "text";
            other = value;
        });
        check("text".equals(objects[0]) && value == 2, "at the end " + objects[0]);
    }

    static void exception() throws InterruptedException {
        together(() -> {
            try {
                value = 1;
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                synchronized (objects) {
                    isSet = true;
                }
            }
        }, () -> {
            synchronized (objects) {
                if (isSet) check(value == 1, "set, and the value is " + value);
            }
            other = value;
        });
    }

    // A thread sees its own stores of all sizes, even to fields that another thread stores to.
    static class Sizes {
        byte small;
        char letter;
        short number;
        long wide;
        double real;
        Object reference;
    }

    static void ownThread() throws InterruptedException {
        Sizes sizes = new Sizes();
        Runnable body = () -> {
            Object own = new Object();
            sizes.small = -3;
            sizes.letter = '\uFFFE';
            sizes.number = -300;
            sizes.wide = Long.MIN_VALUE + 5;
            sizes.real = -0.5;
            sizes.reference = own;
            check(sizes.small == -3 && sizes.letter == '\uFFFE' && sizes.number == -300, "narrow");
            check(sizes.wide == Long.MIN_VALUE + 5 && sizes.real == -0.5 && sizes.reference != null, "wide");
        };
        together(body, body);
        body.run();
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "initializer" -> initializer();
            case "join" -> join();
            case "copy" -> copy();
            case "interned" -> interned();
            case "refusedStore" -> refusedStore();
            case "exception" -> exception();
            case "ownThread" -> ownThread();
        }
    }
}
