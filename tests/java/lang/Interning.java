// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Equal constants are one object; intern finds it.
public class Interning {
    static final String C = "con" + "stant";
    public static void main(String[] args) {
        String a = "constant", b = new String("constant"), c = new StringBuilder("con").append("stant").toString();
        System.out.println((a == C) + " " + (a == b) + " " + (a == b.intern()) + " " + (a == c.intern()) + " "
                + (a
                        == "const"
                                + "ant"));
        String u = "日本", v = new StringBuilder("日").append("本").toString();
        System.out.println((u == v) + " " + (u == v.intern()));
        for (int i = 0; i < 1000; i++) ("s" + i).intern();
        System.gc();
        System.out.println(("s" + 5).intern() == ("s" + 5).intern());
    }
}
