// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An uncaught exception: trace on standard error, exit code 1.
public class Uncaught {
    static void a(int n) { if (n == 0) throw new IllegalStateException("bottom"); a(n - 1); }
    public static void main(String[] args) { System.out.println("before"); a(3); }
}
