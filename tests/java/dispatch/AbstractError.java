// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calling what is missing: a class that lacks an abstract method is made with reflection-free tricks by casting null
// receivers.
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
