// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sealed hierarchies and pattern matching with instanceof; permitted subclasses by reflection.
import java.util.Arrays;
import java.util.List;

public class SealedTypes {
    sealed interface Expr permits Num, Add, Neg, Special {}
    record Num(int v) implements Expr {}
    record Add(Expr l, Expr r) implements Expr {}
    static final class Neg implements Expr { final Expr e; Neg(Expr e) { this.e = e; } }
    static non-sealed class Special implements Expr { int value() { return 100; } }
    static class More extends Special { @Override int value() { return super.value() + 1; } }

    static int eval(Object e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a && a.l() != null) return eval(a.l()) + eval(a.r());
        if (!(e instanceof Neg g)) {
            if (e instanceof Special s) return s.value();
            throw new IllegalArgumentException(String.valueOf(e));
        }
        return -eval(g.e);
    }
    public static void main(String[] args) {
        System.out.println(eval(new Add(new Num(5), new Neg(new Add(new Num(2), new More())))));
        System.out.println(Expr.class.isSealed() + " " + Arrays.toString(Expr.class.getPermittedSubclasses()) + " "
                + Special.class.isSealed() + " " + Special.class.getPermittedSubclasses());
        List<? extends Expr> list = List.of(new Num(1), new Special());
        for (Expr e : list) System.out.print(eval(e) + " ");
        try {
            eval("text");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
