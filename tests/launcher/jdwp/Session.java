// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that tests/launcher/jdb.py debugs. The main thread has locals and fields to look at, and waits until
// stdin ends. Then it throws four exceptions: the direct caller catches the first one, reflection wraps the second one,
// the caller's caller catches the third one, and nothing catches the last one. A second thread counts all the time; it
// is virtual if the library has virtual threads.
public class Session {
    static int counter = 7;
    final String name = "the session";
    final int[] numbers = {1, 2, 3};

    synchronized void work(String text, int limit) throws Exception {
        long sum = limit * 2L;
        counter += limit;
        wait();
        System.out.println(text + " " + sum);
    }

    static volatile long ticks;

    static void tick() {
        while (true) {
            ticks++;
            if (ticks % 1000 == 0) java.util.concurrent.locks.LockSupport.parkNanos(200_000);
        }
    }

    static void startTicking() throws Exception {
        Runnable body = Session::tick;
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        } catch (NoSuchMethodException e) {
            Thread ticker = new Thread(body, "ticker");
            ticker.setDaemon(true);
            ticker.start();
        }
        while (ticks == 0) Thread.sleep(1);
    }

    static int divide(int by) {
        return 10 / by;
    }

    static void catches() {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(divide(i));
            } catch (ArithmeticException e) {
                System.out.println(e.getMessage());
            } finally {
                counter++;
            }
        }
    }

    public static void below() {
        throw new IllegalArgumentException("below");
    }

    static void reflects() throws Exception {
        try {
            Session.class.getMethod("below").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause());
        }
    }

    static void rethrows() {
        try {
            Object text = "text";
            System.out.println((Integer) text);
        } finally {
            counter++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Session session = new Session();
        Thread reader = new Thread(() -> {
            try {
                while (System.in.read() >= 0) { }
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
            synchronized (session) {
                session.notify();
            }
        }, "reader");
        reader.start();
        startTicking();
        session.work("hello", 5);
        catches();
        reflects();
        try {
            rethrows();
        } catch (ClassCastException e) {
            System.out.println("caught again");
        }
        throw new IllegalStateException("at the end");
    }
}
