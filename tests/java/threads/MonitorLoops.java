// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hot loops in methods that hold monitors: compiled code takes over in the middle, holds the frame's monitors, and
// releases them at the end. After each part no monitor is held, and another thread can enter all of them.
// expected: inside 300000
// expected: around 300000
// expected: method 300000
// expected: static 300000
// expected: nested 300000
// expected: again 300000
// expected: thrown 150000 held once more
// expected: waited 300000 5
// expected: reassigned 300000
public class MonitorLoops {
    static final int TURNS = 300_000;
    static final Object first = new Object(), second = new Object();
    static int count;
    int own;

    static void inside() {
        for (int i = 0; i < TURNS; i++) {
            synchronized (first) {
                count++;
            }
        }
    }
    static void around() {
        synchronized (first) {
            for (int i = 0; i < TURNS; i++) count += i & 1;
            for (int i = 0; i < TURNS; i++) count += i + 1 & 1;
        }
    }
    synchronized void method() {
        for (int i = 0; i < TURNS; i++) own++;
        count += own;
    }
    static synchronized void ofClass() {
        for (int i = 0; i < TURNS; i++) count++;
    }
    static void nested() {
        synchronized (first) {
            synchronized (second) {
                for (int i = 0; i < TURNS; i++) {
                    synchronized (MonitorLoops.class) {
                        count++;
                    }
                }
            }
            check(first, true);
            check(second, false);
        }
    }
    // The same monitor several times.
    synchronized void again() {
        synchronized (this) {
            for (int i = 0; i < TURNS; i++) {
                synchronized (this) {
                    count++;
                }
            }
            check(this, true);
        }
        check(this, true);
    }
    static void thrown(int at) {
        synchronized (first) {
            for (int i = 0; i < TURNS; i++) {
                if (i == at) throw new IllegalStateException();
                count++;
            }
        }
    }
    static void waited() throws InterruptedException {
        int waits = 0;
        synchronized (first) {
            for (int i = 0; i < TURNS; i++) {
                count++;
                if (i % 60_000 == 0) {
                    first.wait(1);
                    waits++;
                }
            }
        }
        System.out.println("waited " + count + " " + waits);
    }
    // The variable `lock` is assigned inside the block. The block still holds the monitor of the first object.
    static void reassigned(Object lock) {
        synchronized (lock) {
            for (int i = 0; i < TURNS; i++) {
                count++;
                if (i == 1000) lock = new Object();
            }
        }
        check(lock, false);
    }

    static void check(Object lock, boolean expected) {
        if (Thread.holdsLock(lock) != expected) throw new AssertionError("held: " + !expected);
    }
    static void report(String what, Object... locks) throws InterruptedException {
        for (Object lock : locks) {
            check(lock, false);
            Thread other = new Thread(() -> {
                synchronized (lock) {
                    check(lock, true);
                }
            });
            other.start();
            other.join();
        }
        System.out.println(what + " " + count);
        count = 0;
    }

    public static void main(String[] arguments) throws InterruptedException {
        MonitorLoops object = new MonitorLoops();
        inside();
        report("inside", first);
        around();
        report("around", first);
        object.method();
        report("method", object);
        ofClass();
        report("static", MonitorLoops.class);
        nested();
        report("nested", first, second, MonitorLoops.class);
        object.again();
        report("again", object);
        try {
            thrown(TURNS / 2);
        } catch (IllegalStateException expected) {
            check(first, false);
            String now = "thrown " + count;
            count = 0;
            synchronized (first) {
                System.out.println(now + " held once more");
            }
        }
        waited();
        count = 0;
        reassigned(first);
        report("reassigned", first);
    }
}
