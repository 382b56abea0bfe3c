// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The handler that applies is the innermost matching one; rethrowing keeps the trace of the origin.
public class Rethrow {
    static class E1 extends Exception {
        E1(String m) {
            super(m);
        }
    }

    static class E2 extends E1 {
        E2(String m) {
            super(m);
        }
    }

    static void thrower(int k) throws E1 {
        if (k == 0) throw new E1("one");
        if (k == 1) throw new E2("two");
        if (k == 2) throw new RuntimeException("rt");
        if (k == 3) throw new Error("err");
    }

    static String go(int k) {
        try {
            try {
                thrower(k);
                return "none";
            } catch (E2 e) {
                throw new E1("from E2: " + e.getMessage());
            } finally {
                System.out.println("finally " + k);
            }
        } catch (E1 e) {
            return "E1 " + e.getMessage() + " " + e.getStackTrace()[0].getMethodName();
        } catch (RuntimeException | Error e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    public static void main(String[] args) {
        for (int k = 0; k < 5; k++) System.out.println(go(k));
    }
}
