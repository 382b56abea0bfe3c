// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface calls: one site that sees a single class, one that sees four.
public class InterfaceDispatch extends Kernel {
    interface Operation { int apply(int x); }
    static final class Add implements Operation { public int apply(int x) { return x + 1; } }
    static final class Negate implements Operation { public int apply(int x) { return -x; } }
    static final class Twist implements Operation { public int apply(int x) { return x ^ 0x55; } }
    static final class Halve implements Operation { public int apply(int x) { return x >> 1; } }
    protected long work() {
        Operation[] operations = {new Add(), new Negate(), new Twist(), new Halve()};
        Operation single = operations[0];
        int value = 7;
        for (int i = 0; i < 1_200_000; i++) { value = single.apply(value); value = operations[i & 3].apply(value); }
        return value;
    }
    public static void main(String[] arguments) { new InterfaceDispatch().measure(arguments); }
}
