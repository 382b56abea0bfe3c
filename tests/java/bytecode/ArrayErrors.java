// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The exceptions that array instructions throw, and their messages.
public class ArrayErrors {
    static void run(String name, Runnable r) {
        try { r.run(); System.out.println(name + ": no exception"); }
        catch (RuntimeException e) { System.out.println(name + ": " + e); }
    }
    public static void main(String[] args) {
        int[] a = new int[3];
        Object[] o = new String[2];
        Object[][] oo = new Integer[2][2];
        long[] l = {1};
        byte[] b = {1};
        run("low", () -> a[-1] = 0);
        run("high", () -> System.out.println(a[3]));
        run("long", () -> l[1]++);
        run("byte", () -> b[Integer.MIN_VALUE] = 1);
        run("store", () -> o[0] = 1);
        run("store null", () -> o[0] = null);
        run("store array", () -> oo[0] = new String[1]);
        run("negative", () -> System.out.println(new int[Integer.parseInt("-5")].length));
        run("negative multi", () -> System.out.println(new int[2][Integer.parseInt("-1")].length));
        run("null length", () -> { int[] n = null; System.out.println(n.length); });
        run("null load", () -> { int[] n = null; System.out.println(n[0]); });
        run("null store", () -> { Object[] n = null; n[1] = ""; });
    }
}
