// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exceptions through loops, synchronized blocks, constructors, initialisers, multi-catch, generics and finally with new
// exceptions.
public class ManyHandlers {
    static class R implements AutoCloseable {
        final String n;
        R(String n) throws Exception { if (n.equals("bad")) throw new Exception("cannot open"); this.n = n; }
        public void close() throws Exception {
            System.out.print("close " + n + " ");
            if (n.startsWith("x"))
                throw new IllegalStateException("close " + n);
        }
    }
    static class Ctor {
        {
            if (hashCode() != 0 || true)
                count++;
        }
        static int count;
        Ctor(int x) {
            if (x > 0)
                throw new ArithmeticException("ctor");
        }
    }
    @SuppressWarnings("unchecked") static <T extends Throwable> void sneak(Throwable t) throws T { throw (T) t; }
    static String kind(Object o) {
        try {
            if (o instanceof Throwable t) ManyHandlers.<RuntimeException>sneak(t);
            return "none";
        } catch (IllegalStateException | ArithmeticException e) {
            return "multi " + e.getMessage();
        } catch (RuntimeException e) {
            return "runtime";
        } catch (Error e) {
            return "error";
        } finally {
            System.out.print(". ");
        }
    }
    static int order() {
        int x = 0;
        for (int i = 0; i < 6; i++) {
            try {
                if (i % 2 == 0) throw new RuntimeException();
                x += 1;
                if (i == 5) return x;
            } catch (RuntimeException e) {
                x += 10;
                continue;
            } finally {
                x += 100;
            }
        }
        return -1;
    }
    public static void main(String[] args) {
        System.out.println(kind(new IllegalStateException("s")) + kind(new ArithmeticException("a"))
                + kind(new NullPointerException()) + kind(new Error()) + kind("x"));
        try {
            kind(new java.io.IOException("sneaked"));
        } catch (Throwable t) {
            System.out.println(t);
        }
        for (String[] names : new String[][] {{"a", "b"}, {"a", "bad"}, {"x1", "x2"}, {"x1", "bad"}}) {
            try (R one = new R(names[0]); R two = new R(names[1])) {
                System.out.print("body ");
                if (names[1].equals("x2")) throw new RuntimeException("body");
            } catch (Exception e) {
                System.out.print(e.getMessage() + " " + java.util.Arrays.toString(e.getSuppressed()));
            }
            System.out.println();
        }
        try {
            new Ctor(1);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage() + Ctor.count);
        }
        System.out.println(order());
        Object lock = new Object();
        try {
            synchronized (lock) {
                synchronized (lock) { throw new RuntimeException("locked " + Thread.holdsLock(lock)); }
            }
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(lock));
        }
        try {
            throw null;
        } catch (NullPointerException e) {
            System.out.println("null thrown");
        }
    }
}
