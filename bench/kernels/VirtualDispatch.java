// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual calls on three classes in turn.
public class VirtualDispatch extends Kernel {
    static abstract class Shape { abstract int area(int scale); }
    static final class Square extends Shape { int side = 3; int area(int scale) { return side * side * scale; } }
    static final class Strip extends Shape { int length = 5; int area(int scale) { return length + scale; } }
    static final class Dot extends Shape { int area(int scale) { return scale; } }
    protected long work() {
        Shape[] shapes = {new Square(), new Strip(), new Dot()};
        int sum = 0;
        for (int i = 0; i < 2_000_000; i++) sum += shapes[i % 3].area(i);
        return sum;
    }
    public static void main(String[] arguments) { new VirtualDispatch().measure(arguments); }
}
