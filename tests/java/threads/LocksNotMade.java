// Tests monitors of objects that do not escape. Compiled code neither allocates the objects nor enters the monitors.
// Every hundredth call inspects the monitors. A monitor must be held as often as the program has entered it, in the
// right order among other monitors, and must be released where the program releases it.
public class LocksNotMade {
    static final LocksNotMade everybodys = new LocksNotMade();
    static int looks;

    int value;

    LocksNotMade() {}

    LocksNotMade(int value) {
        this.value = value;
    }

    // --- who looks

    static void expect(boolean held, Object object, String what) {
        if (Thread.holdsLock(object) != held) throw new AssertionError(what + (held ? ": not held" : ": held"));
    }

    // A thread that wants the object's monitor. It gets the monitor only when the owner has released all its levels.
    static class Other extends Thread {
        final Object object;
        volatile boolean has;

        Other(Object object) {
            this.object = object;
            start();
        }

        @Override
        public void run() {
            synchronized (object) {
                has = true;
            }
        }

        void expectBlocked(String what) {
            while (getState() == Thread.State.NEW || getState() == Thread.State.RUNNABLE) Thread.yield();
            if (has || getState() != Thread.State.BLOCKED) throw new AssertionError(what + ": others have it");
        }

        void expectFree(String what) {
            try {
                join(10_000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (!has) throw new AssertionError(what + ": not given back");
        }
    }

    static boolean isLooked(int i) {
        return i % 100 == 99;
    }

    // Uses the object's monitor and hash code: notifies, waits (which releases all levels and acquires them again), and
    // takes the hash code before and after a collection.
    static void use(Object object, int i) {
        ++looks;
        try {
            object.notify();
            if (i % 300 == 99) object.wait(1);
            object.notifyAll();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        int hash = System.identityHashCode(object);
        if (i % 5000 == 99) System.gc();
        if (hash != System.identityHashCode(object)) throw new AssertionError("hash code");
    }

    // --- regions

    static int once(int i) {
        LocksNotMade object = new LocksNotMade(i);
        synchronized (object) {
            object.value += 3;
            if (isLooked(i)) {
                expect(true, object, "once");
                use(object, i);
            }
            object.value *= 2;
        }
        if (isLooked(i)) expect(false, object, "once");
        return object.value;
    }

    static int threeLevels(int i) {
        LocksNotMade object = new LocksNotMade(i);
        Other other = null;
        synchronized (object) {
            synchronized (object) {
                synchronized (object) {
                    object.value += 3;
                    if (isLooked(i)) {
                        other = new Other(object);
                        other.expectBlocked("three levels");
                        use(object, i);
                    }
                }
                if (isLooked(i)) expect(true, object, "two levels");
            }
            if (isLooked(i)) expect(true, object, "one level");
        }
        if (isLooked(i)) {
            expect(false, object, "no level");
            other.expectFree("no level");
        }
        return object.value;
    }

    // Each of the inlined frames has locked an object of its own.
    synchronized int inner(LocksNotMade around, int i) {
        LocksNotMade another = new LocksNotMade(value);
        synchronized (another) {
            another.value += i;
            if (isLooked(i)) {
                expect(true, this, "this");
                expect(true, around, "around");
                expect(true, another, "another");
                use(another, i);
                use(around, i);
                use(this, i);
            }
        }
        if (isLooked(i)) {
            expect(false, another, "another");
            expect(true, this, "this");
        }
        return another.value + around.value;
    }

    static int frames(int i) {
        LocksNotMade around = new LocksNotMade(i), object = new LocksNotMade(i + 1);
        int result;
        synchronized (around) {
            result = object.inner(around, i);
            if (isLooked(i)) {
                expect(false, object, "inlined");
                expect(true, around, "around");
            }
        }
        if (isLooked(i)) expect(false, around, "around");
        return result;
    }

    // Locks the new object inside the monitor of a shared object. The program enters the shared monitor twice, compiled
    // code only once.
    static int inside(int i) {
        LocksNotMade object = new LocksNotMade(i);
        synchronized (everybodys) {
            synchronized (everybodys) {
                synchronized (object) {
                    object.value += everybodys.value;
                    if (isLooked(i)) {
                        expect(true, object, "inside");
                        use(object, i);
                        use(everybodys, i);
                    }
                }
                if (isLooked(i)) expect(false, object, "inside");
            }
            if (isLooked(i)) expect(true, everybodys, "everybody's");
        }
        if (isLooked(i)) expect(false, everybodys, "everybody's");
        return object.value;
    }

    // Locks a shared object inside the monitor of the new object. Compiled code allocates the new object, because the
    // new object's lock record must lie below the shared object's.
    static int outside(int i) {
        LocksNotMade object = new LocksNotMade(i);
        synchronized (object) {
            synchronized (everybodys) {
                object.value += everybodys.value;
                if (isLooked(i)) use(object, i);
            }
            if (isLooked(i)) {
                expect(true, object, "outside");
                expect(false, everybodys, "everybody's");
            }
        }
        return object.value;
    }

    // Locks the new object between two regions of a shared object. Compiled code coarsens these two regions, so it
    // still holds the shared monitor between them.
    static int between(int i) {
        LocksNotMade object = new LocksNotMade(i);
        synchronized (everybodys) {
            everybodys.value = i & 15;
        }
        synchronized (object) {
            object.value += i;
            if (isLooked(i)) {
                expect(false, everybodys, "between");
                expect(true, object, "between");
                use(object, i);
            }
        }
        synchronized (everybodys) {
            object.value += everybodys.value;
        }
        return object.value;
    }

    // Two exceptions leave the locked region through the frame of this inlined method: one of the division, and one of
    // the throw.
    synchronized int divided(int i, int divisor) {
        value += i / divisor;
        if (value % 50 == 0) throw new IllegalStateException();
        return value;
    }

    static int thrown(int i) {
        LocksNotMade object = new LocksNotMade(i);
        int result = 0;
        try {
            synchronized (object) {
                result += object.divided(i, i % 40);
            }
        } catch (ArithmeticException | IllegalStateException e) {
            result = e instanceof ArithmeticException ? -1 : -2;
            if (isLooked(i)) expect(false, object, "thrown");
        }
        return result + object.value;
    }

    // In compiled code, the first loop polls once in a thousand iterations, the second one in each iteration.
    static int loops(int[] values, int i) {
        LocksNotMade object = new LocksNotMade(i);
        synchronized (object) {
            for (int at = 0; at < values.length; ++at) object.value += values[at];
            for (int at = i; at != 0; at >>= 1) object.value ^= at;
            if (isLooked(i)) {
                expect(true, object, "loops");
                use(object, i);
            }
        }
        if (isLooked(i)) expect(false, object, "loops");
        return object.value;
    }

    // A class with synchronized methods, like StringBuffer and Vector.
    static class Counter {
        private int count;

        synchronized int add(int amount) {
            count += amount;
            return count;
        }

        synchronized int get() {
            return count;
        }
    }

    static int counter(int i, int divisor) {
        Counter counter = new Counter();
        counter.add(i);
        counter.add(counter.get() / divisor);
        synchronized (counter) {
            counter.add(1000 / divisor);
            return counter.get();
        }
    }

    public static void main(String[] arguments) {
        int[] values = new int[2500];
        for (int i = 0; i < values.length; i++) values[i] = i % 17;
        long sum = 0;
        for (int i = 0; i < 6000; i++) {
            sum = sum * 31 + once(i);
            if (i % 100 != 99 || i % 600 == 99) sum = sum * 31 + threeLevels(i);
            sum = sum * 31 + frames(i);
            sum = sum * 31 + inside(i);
            sum = sum * 31 + outside(i);
            sum = sum * 31 + between(i);
            sum = sum * 31 + thrown(i);
            if (i % 4 == 3) sum = sum * 31 + loops(values, i);
            try {
                sum = sum * 31 + counter(i, i % 200);
            } catch (ArithmeticException e) {
                sum += i;
            }
        }
        System.out.println(sum + " " + looks);
    }
}
