// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A static initialiser that throws: ExceptionInInitializerError once, then NoClassDefFoundError for
// ever.
public class Failure {
    static class Bad {
        static int x = compute();

        static int compute() {
            throw new IllegalStateException("no luck");
        }
    }

    static class BadError {
        static {
            if (true) throw new AssertionError("an error stays itself");
        }

        static void f() {}
    }

    static class Sub extends Bad {}

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Bad.x);
            } catch (Throwable t) {
                System.out.println(
                        t
                                + " / "
                                + (t.getCause() == null
                                        ? null
                                        : t.getCause().getClass().getName()));
            }
        }
        for (int i = 0; i < 2; i++) {
            try {
                BadError.f();
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
        try {
            new Sub();
        } catch (Throwable t) {
            System.out.println(t);
        }
    }
}
