// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class whose initialiser failed: the first error, those after it, from several threads and by reflection.
public class FailsForEver {
    static class Bad {
        static int x = 1;
        static {
            if (true)
                throw new IllegalStateException("first");
        }
        static void m() {}
    }
    static class Sub extends Bad { }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            try {
                Bad.m();
            } catch (Throwable e) {
                System.out.println(e + " / " + e.getCause());
            }
        }
        try {
            new Sub();
        } catch (Throwable e) {
            System.out.println(e + " / " + e.getCause());
        }
        try {
            Class.forName("FailsForEver$Bad");
        } catch (Throwable e) {
            System.out.println(e + " / " + e.getCause());
        }
        Thread t = new Thread(() -> {
            try {
                System.out.println(Bad.x);
            } catch (Throwable e) {
                System.out.println(e);
            }
        });
        t.start();
        t.join();
        try {
            Bad.class.getDeclaredConstructor().newInstance();
        } catch (Throwable e) {
            System.out.println(e);
        }
    }
}
