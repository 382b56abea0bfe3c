// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Cyclic initialisers see default values. A class's initialisation includes only interfaces with default methods.
public class Circular {
    static class A { static int a = B.b + 1; static { System.out.println("A " + a); } }
    static class B { static int b = A.a + 10; static { System.out.println("B " + b); } }
    interface Quiet { int X = say("Quiet"); }
    interface WithDefault { int Y = say("WithDefault"); default void d() {} }
    static class Impl implements Quiet, WithDefault { static { System.out.println("Impl"); } }
    static class Parent {
        static int p = say("Parent");
        static int touched;
        static final int CONSTANT = 5;
        static final Integer BOXED = say("Boxed");
    }
    static class Child extends Parent { static { System.out.println("Child"); } static int c = 1; }
    static int say(String s) { System.out.println(s); return s.length(); }
    public static void main(String[] args) {
        System.out.println(A.a + " " + B.b);
        new Impl();
        System.out.println(Quiet.X);
        System.out.println(Parent.CONSTANT);
        Child[] none = new Child[2];
        System.out.println(Child.touched);
        System.out.println(Child.c);
        Object o = null;
        System.out.println(o instanceof Circular);
        Class<?> c = Lazy.class;
        System.out.println(c.getSimpleName());
        System.out.println(Lazy.v);
    }
    static class Lazy { static int v = say("Lazy"); }
}
