// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StringBuilder and StringBuffer: append, insert, delete, replace, growth from Latin-1 to UTF-16.
public class Builders {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1)
                .append('c')
                .append(2L)
                .append(1.5f)
                .append(2.5)
                .append(true)
                .append((Object) null)
                .append(new char[] {'a', 'b'})
                .append("xyz", 1, 2);
        b.insert(0, "start")
                .insert(3, 42)
                .deleteCharAt(0)
                .delete(2, 4)
                .replace(0, 1, "REPL")
                .setCharAt(1, '日');
        System.out.println(b + " " + b.length() + " " + b.indexOf("l") + " " + b.charAt(1));
        b.setLength(5);
        System.out.println(b + "|");
        b.reverse();
        System.out.println(b);
        StringBuffer f = new StringBuffer("x");
        for (int i = 0; i < 100; i++) f.append(i).append(i % 7 == 0 ? "é" : "e");
        System.out.println(f.length() + " " + f.toString().hashCode());
        System.out.println(
                new StringBuilder("abc").compareTo(new StringBuilder("abd"))
                        + " "
                        + "abc".contentEquals(new StringBuilder("abc")));
    }
}
