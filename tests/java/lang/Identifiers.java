// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names beyond ASCII: classes, methods, fields, packages of supplementary characters; their texts in traces.
public class Identifiers {
    static class \u00c4pfel { int gr\u00f6\u00dfe = 3; int \u4e2d\u6587() { return gr\u00f6\u00dfe * 2; } }
    static int $dollar_1 = 1, _ok = 2, caf\u00e9 = 4;
    enum \u0391\u0392 { \u03b1, \u03b2 }
    static void \u0444\u0443\u043d\u043a() { throw new IllegalStateException(); }
    public static void main(String[] args) throws Exception {
        System.out.println(new \u00c4pfel().\u4e2d\u6587() + $dollar_1 + _ok + caf\u00e9);
        print(\u00c4pfel.class.getName() + " " + \u00c4pfel.class.getDeclaredMethods()[0].getName() + " "
                + \u0391\u0392.\u03b2 + " " + \u0391\u0392.valueOf("\u03b1").ordinal());
        try {
            \u0444\u0443\u043d\u043a();
        } catch (IllegalStateException e) {
            print(e.getStackTrace()[0].getMethodName());
        }
        print(Class.forName("Identifiers$\u00c4pfel").getSimpleName() + " " + Character.isJavaIdentifierStart(0x1D400)
                + " " + \u00c4pfel.class.getDeclaredField("gr\u00f6\u00dfe").getInt(new \u00c4pfel()));
    }
    static void print(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append(c < 128 ? String.valueOf(c) : String.format("<%x>", (int) c));
        System.out.println(b);
    }
}
