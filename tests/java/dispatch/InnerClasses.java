// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inner, local, anonymous and static nested classes; captured variables; access to private members of nestmates.
public class InnerClasses {
    private int secret = 5;
    class Inner { int read() { return secret++; } class Deeper { int both() { return read() + secret; } } }
    static class Nested { private int x = 9; private static int y = 10; }
    private static int hidden(int k) { return k * 2; }
    Runnable capture(int n, String s) {
        int local = n * 2;
        class Local implements Runnable {
            public void run() {
                System.out.println(n + s + local + secret + hidden(n));
            }
        }
        return new Local();
    }
    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner in = outer.new Inner();
        System.out.println(in.read() + " " + in.new Deeper().both());
        outer.capture(4, "-").run();
        System.out.println(new Nested().x + Nested.y);
        System.out.println(new Object() { int z = 3; int get() { return z + outer.secret; } }.get());
        System.out.println(in.getClass().getName() + " " + outer.capture(1, "").getClass().getName());
    }
}
