// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class that agents redefine. variants/second/Subject.java is the version with the second body of each method.
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

@SubjectMark("first")
public class Subject extends SubjectBase implements SubjectFace, Callable<String> {
    static class Below extends Subject {
        @Override
        String inherited() {
            return "below of " + super.inherited();
        }
    }

    static int initialized;
    static final Object lock = new Object();
    int field = 1;

    static {
        initialized++;
    }

    int getter() {
        return field;
    }

    static int constant() {
        return 1;
    }

    static int small(int x) {
        return x + 1;
    }

    @Override
    String inherited() {
        return "first of " + super.inherited();
    }

    @SubjectMark("first method")
    public String face() {
        return "first face";
    }

    public String call() {
        return privately() + ", first";
    }

    private String privately() {
        return "first private";
    }

    IntSupplier lambda(int x) {
        return () -> x + 100;
    }

    static String concatenated(int x, String y) {
        return "first " + x + y;
    }

    synchronized String locked() {
        return "first " + Thread.holdsLock(this);
    }

    static synchronized String lockedStatic() {
        return "first " + Thread.holdsLock(Subject.class);
    }

    // If the method is redefined while an activation of it runs, the activation keeps this body.
    static String running(int depth, Runnable inside) {
        Object kept = new Object();
        String text = "first ";
        synchronized (lock) {
            if (depth > 0) text += "(" + running(depth - 1, inside) + ")";
            else inside.run();
        }
        try {
            text += "first";
            failing(0);
        } catch (ArithmeticException expected) {
            text += " caught at " + expected.getStackTrace()[0].getLineNumber() + " "
                    + expected.getStackTrace()[1].getLineNumber();
        }
        return text + (kept == null) + concatenated(depth, "!");
    }

    static String nested(int depth) {
        synchronized (lock) {
            return depth == 0 ? "first" : "first(" + nested(depth - 1) + ")";
        }
    }

    static int failing(int x) {
        return 1 / x;
    }

    static String nothingThere(Subject other) {
        try {
            return "first " + other.field;
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
}
