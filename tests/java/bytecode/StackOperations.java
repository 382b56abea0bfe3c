// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compound assignments and post-increments on fields and arrays: javac compiles them to dup_x1, dup_x2, dup2 and so on.
public class StackOperations {
    int i; long l; static int si; static long sl;
    int[] ia = {1, 2, 3}; long[] la = {4, 5, 6};

    public static void main(String[] args) {
        StackOperations s = new StackOperations();
        System.out.println(s.i++ + ++s.i);
        System.out.println(s.l++ + ++s.l);
        System.out.println(si++ + ++si);
        System.out.println(sl++ + ++sl);
        System.out.println(s.ia[1]++ + ++s.ia[1] + (s.ia[2] += 5));
        System.out.println(s.la[1]++ + ++s.la[1] + (s.la[2] += 5));
        int x = s.i = s.ia[0] = 42;
        long y = s.l = s.la[0] = 43;
        System.out.println(x + " " + y + " " + s.i + " " + s.l + " " + s.ia[0] + " " + s.la[0]);
        String t = "a";
        t += t += "b";
        System.out.println(t);
    }
}
