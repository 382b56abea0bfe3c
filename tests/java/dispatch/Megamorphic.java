// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One call site with many receiver classes: its inline cache is replaced again and again.
public class Megamorphic {
    interface Op { int apply(int x); }
    static class Add implements Op { public int apply(int x) { return x + 1; } }
    static class Mul implements Op { public int apply(int x) { return x * 3; } }
    static class Neg implements Op { public int apply(int x) { return -x; } }
    static class Xor implements Op { public int apply(int x) { return x ^ 0x55; } }
    static class Rot implements Op { public int apply(int x) { return Integer.rotateLeft(x, 5); } }
    static abstract class Base { abstract int f(int x); }
    static class S1 extends Base { int f(int x) { return x + 7; } }
    static class S2 extends Base { int f(int x) { return x - 9; } }
    static class S3 extends S2 { int f(int x) { return super.f(x) * 5; } }
    public static void main(String[] args) {
        Op[] ops = {new Add(), new Mul(), new Neg(), new Xor(), new Rot(), x -> x / 2};
        Base[] bases = {new S1(), new S2(), new S3()};
        int v = 12345;
        for (int i = 0; i < 20000; i++) { v = ops[(i * 7 + i / 13) % ops.length].apply(v); v = bases[i % 3].f(v); }
        System.out.println(v);
    }
}
