// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Static calls and returns.
public class Fib extends Kernel {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    protected long work() { return fib(29); }
    public static void main(String[] arguments) { new Fib().measure(arguments); }
}
