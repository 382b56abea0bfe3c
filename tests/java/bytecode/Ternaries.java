// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of different types merge on the operand stack.
public class Ternaries {
    static Object pick(int k) { return k == 0 ? 1 : k == 1 ? "two" : k == 2 ? (Object) 3.0 : null; }
    static long num(boolean b, int i, long l) { return b ? i : l; }
    static boolean logic(boolean a, boolean b, boolean c) { return a && (b || !c) ^ (a | c & b); }
    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) System.out.println(pick(i));
        System.out.println(num(true, -1, 5) + " " + num(false, 1, 1L << 50));
        for (int m = 0; m < 8; m++) System.out.print(logic((m & 1) != 0, (m & 2) != 0, (m & 4) != 0) + " ");
        Integer boxed = true ? null : 0;
        System.out.println(boxed);
        System.out.println((true ? 'a' : 0) + " " + (true ? 1 : 2.0));
    }
}
