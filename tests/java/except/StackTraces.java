// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of a stack trace: class, method, file, line; constructors and static initialisers.
public class StackTraces {
    final StackTraceElement[] made;

    StackTraces() {
        made = new Throwable().getStackTrace();
    }

    static StackTraceElement[] st;

    static class Init {
        static {
            st = new Exception().getStackTrace();
        }

        static void go() {}
    }

    static void print(StackTraceElement[] t) {
        for (StackTraceElement e : t)
            System.out.println(
                    "  "
                            + e
                            + " | "
                            + e.getClassName()
                            + " "
                            + e.getMethodName()
                            + " "
                            + e.getFileName()
                            + " "
                            + e.getLineNumber()
                            + " "
                            + e.isNativeMethod()
                            + " "
                            + e.getModuleName());
    }

    interface I {
        default StackTraceElement[] d() {
            return Thread.currentThread().getStackTrace();
        }
    }

    public static void main(String[] args) {
        print(new StackTraces().made);
        Init.go();
        print(st);
        print(new I() {}.d());
        Runnable r = () -> print(new Throwable().getStackTrace());
        r.run();
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException e) {
            print(e.getStackTrace());
            System.out.println(e.getMessage());
        }
        try {
            new java.util.ArrayList<Integer>().iterator().next();
        } catch (java.util.NoSuchElementException e) {
            print(e.getStackTrace());
        }
    }
}
