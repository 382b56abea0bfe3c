// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Variable arguments, overload resolution, boxing in calls.
public class VarArgs {
    static String f(int... xs) {
        return "ints" + xs.length;
    }

    static String f(Object o) {
        return "object";
    }

    static String f(long l) {
        return "long";
    }

    static String f(Integer i) {
        return "Integer";
    }

    static String g(Object... os) {
        return os == null ? "null" : "" + os.length;
    }

    static String h(String s, int... r) {
        int t = 0;
        for (int x : r) t += x;
        return s + t;
    }

    public static void main(String[] args) {
        System.out.println(
                f()
                        + f(1)
                        + f(1, 2)
                        + f('c')
                        + f("s")
                        + f(Integer.valueOf(3))
                        + f((short) 1)
                        + g()
                        + g((Object[]) null)
                        + g((Object) null)
                        + g(1, "2", 3.0)
                        + g(new String[] {"a", "b"})
                        + h("x")
                        + h("y", 1, 2, 3));
    }
}
