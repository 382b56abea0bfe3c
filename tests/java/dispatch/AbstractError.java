// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that fail: of an abstract method and an interface method on null, and through a raw type with an argument of
// the wrong class.
public class AbstractError {
    static abstract class A { abstract void f(); }
    public static void main(String[] args) {
        A a = null;
        try { a.f(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        Comparable<String> c = null;
        try { c.compareTo("x"); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        @SuppressWarnings({"unchecked", "rawtypes"}) Comparable<Object> raw = (Comparable) "abc";
        try { raw.compareTo(1); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
    }
}
