// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finally blocks in all forms, as today's javac compiles them: without the subroutines of old compilers.
public class OldTryFinally {
    static int f(int mode) {
        int x = 0;
        try {
            x = 1;
            if (mode == 1) return x;
            if (mode == 2) throw new RuntimeException("two");
            x = 2;
        } catch (RuntimeException e) {
            x = 10;
            if (mode == 2) return x;
        } finally {
            x += 100;
            System.out.println("finally " + x);
            if (mode == 3) return x;
        }
        return x;
    }
    static String nested() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            try {
                try {
                    if (i == 1)
                        continue;
                    if (i == 3)
                        break;
                    s.append(i);
                } finally {
                    s.append("f");
                }
            } finally {
                s.append("g");
            }
        }
        return s.toString();
    }
    public static void main(String[] args) {
        for (int m = 0; m < 4; m++) System.out.println(m + " -> " + f(m));
        System.out.println(nested());
    }
}
