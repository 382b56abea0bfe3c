// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The version of Subject.java by which agents redefine it: each method has its second body, and the order differs.
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

@SubjectMark("second")
public class Subject extends SubjectBase implements SubjectFace, Callable<String> {
    static class Below extends Subject {
        @Override
        String inherited() {
            return "below of " + super.inherited();
        }
    }

    static int initialized;
    static final Object lock = new Object();
    int field = 5;

    static {
        initialized += 100;
    }

    static int constant() {
        return 2;
    }

    static int small(int x) {
        return x + 2;
    }

    @Override
    String inherited() {
        return "second of " + super.inherited();
    }

    @SubjectMark("second method")
    public String face() {
        return "second face";
    }

    public String call() {
        return privately() + ", second";
    }

    private String privately() {
        return "second private";
    }

    IntSupplier lambda(int x) {
        return () -> x * 7 + 200;
    }

    static String concatenated(int x, String y) {
        return "second " + x + y;
    }

    synchronized String locked() {
        return "second " + Thread.holdsLock(this);
    }

    static synchronized String lockedStatic() {
        return "second " + Thread.holdsLock(Subject.class);
    }

    // If the method is redefined while an activation of it runs, the activation keeps this body.
    static String running(int depth, Runnable inside) {
        Object kept = new Object();
        String text = "second ";
        synchronized (lock) {
            if (depth > 0) text += "(" + running(depth - 1, inside) + ")";
            else inside.run();
        }
        try {
            text += "second";
            failing(0);
        } catch (ArithmeticException expected) {
            text += " caught at " + expected.getStackTrace()[0].getLineNumber() + " "
                    + expected.getStackTrace()[1].getLineNumber();
        }
        return text + (kept == null) + concatenated(depth, "!");
    }

    static String nested(int depth) {
        synchronized (lock) {
            return depth == 0 ? "second" : "second(" + nested(depth - 1) + ")";
        }
    }

    static int failing(int x) {
        x += 0;   // changes line numbers and bytecode

        return 1 / x;
    }

    static String nothingThere(Subject other) {
        try {
            return "second " + other.field;
        } catch (NullPointerException expected) {
            return expected.getMessage();
        }
    }

    static int loop(int rounds, Runnable inside) {
        int sum = 0;
        Subject subject = new Subject();
        for (int i = 0; i < rounds; i++) {
            if (i == rounds / 2) inside.run();
            sum += subject.getter() + constant() + small(i);
        }
        return sum;
    }

    int getter() {
        return field + 1000;
    }
}
