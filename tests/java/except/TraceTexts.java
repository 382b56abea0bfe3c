// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// printStackTrace: causes, suppressed, circular references, frames in common, custom messages.
import java.io.PrintWriter;
import java.io.StringWriter;

public class TraceTexts {
    static class Odd extends RuntimeException {
        @Override
        public String getLocalizedMessage() {
            return "localized";
        }
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
    static class Flat extends Exception { Flat() { super("flat", null, false, false); } }
    static void inner(int n) { if (n == 0) throw new IllegalArgumentException("deep"); inner(n - 1); }
    static void outer() {
        try {
            inner(2);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("wrapped", e);
        }
    }
    static String text(Throwable t) {
        StringWriter w = new StringWriter();
        t.printStackTrace(new PrintWriter(w));
        return w.toString();
    }
    public static void main(String[] args) {
        try {
            outer();
        } catch (IllegalStateException e) {
            e.addSuppressed(new Exception("suppressed", new Error("its cause")));
            System.out.print(text(e));
            System.out.println(e.getSuppressed().length + " " + e.getCause().getStackTrace().length);
        }
        Exception a = new Exception("a"), b = new Exception("b", a);
        a.initCause(b);
        a.addSuppressed(b);
        System.out.print(text(a));
        System.out.print(text(new Odd()) + new Odd().getStackTrace().length + "\n");
        Flat flat = new Flat();
        flat.addSuppressed(a);
        System.out.print(text(flat) + flat.getSuppressed().length + "\n");
        for (Runnable r : new Runnable[] {()
                                                  -> a.addSuppressed(a),
                     ()
                             -> a.initCause(a),
                     ()
                             -> b.initCause(null),
                     () -> a.addSuppressed(null), () -> a.setStackTrace(new StackTraceElement[] {null})}) {
            try {
                r.run();
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
        a.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "F.java", 5),
                new StackTraceElement("l", "mod", "1", "D", "n", null, -2), new StackTraceElement("E", "o", null, -1)});
        for (StackTraceElement e : a.getStackTrace())
            System.out.println(
                    e + " " + e.isNativeMethod() + " " + e.equals(new StackTraceElement("C", "m", "F.java", 5)));
        System.out.println(new Throwable() + " " + new Exception((String) null) + " "
                + new Exception(new Error("e")).getMessage() + " " + new Error("m", null).getCause());
    }
}
