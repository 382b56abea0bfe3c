// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The choice between overloads: widening, boxing, varargs, null, generics; static, private and super calls.
public class Overloads {
    static String f(int x) {
        return "int";
    }
    static String f(long x) {
        return "long";
    }
    static String f(Integer x) {
        return "Integer";
    }
    static String f(Object x) {
        return "Object";
    }
    static String f(int... x) {
        return "int...";
    }
    static String f(double x) {
        return "double";
    }
    static String g(Object o) { return "Object"; } static String g(String s) { return "String"; }
    static String h(long x) {
        return "long";
    }
    static String h(Object o) {
        return "Object";
    }
    static String h(Character c) {
        return "Character";
    }
    static class A {
        String name() {
            return "A";
        }
        static String st() {
            return "A.st";
        }
        String call() {
            return name() + hidden();
        }
        private String hidden() {
            return "A.hidden";
        }
        String f = "A.f";
        String over(Object o) {
            return "A(Object)";
        }
    }
    static class B extends A {
        String name() {
            return "B" + super.name();
        }
        static String st() {
            return "B.st";
        }
        String hidden() {
            return "B.hidden";
        }
        String f = "B.f";
        String over(String s) {
            return "B(String)";
        }
        Integer covariant() {
            return 1;
        }
    }
    static class C extends B { String name() { return "C" + super.name(); } }
    public static void main(String[] args) {
        byte b = 1; short s = 1; char c = 'c';
        System.out.println(f(b) + f(s) + f(c) + f(1) + f(1L) + f(1f) + f(Integer.valueOf(1)) + f("x") + f() + f(1, 2)
                + f((Object) 1) + f(Long.valueOf(1)) + g(null) + h('c') + h(1) + h(1f) + h(Character.valueOf('c')));
        A a = new C();
        System.out.println(a.name() + " " + a.call() + " " + a.f + " " + ((B) a).f + " " + a.over("x") + " "
                + ((B) a).over("x") + " " + ((B) a).over((Object) "x") + " " + A.st() + B.st() + " "
                + ((B) a).hidden());
        Object o = true ? 1 : "x", n = true ? 1 : 2.0, m = false ? 'a' : 98, k = true ? null : 0;
        System.out.println(o + " " + n + " " + m + " " + k + " " + (char) (true ? 'b' : 0) + (false ? 1 : 'a') + " "
                + (true ? Integer.valueOf(1) : Double.valueOf(2)));
    }
}
