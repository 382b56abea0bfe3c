// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// instanceof patterns and sealed hierarchies.
public class PatternMatching {
    sealed interface Expr permits Num, Add, Mul, Neg {}

    record Num(int v) implements Expr {}

    record Add(Expr l, Expr r) implements Expr {}

    record Mul(Expr l, Expr r) implements Expr {}

    record Neg(Expr e) implements Expr {}

    static int eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a) return eval(a.l()) + eval(a.r());
        if (e instanceof Mul m && m.l() instanceof Num k && k.v() == 0) return 0;
        if (e instanceof Mul m) return eval(m.l()) * eval(m.r());
        if (!(e instanceof Neg g)) throw new AssertionError();
        return -eval(g.e());
    }

    public static void main(String[] args) {
        Expr e = new Add(new Num(2), new Mul(new Num(3), new Neg(new Num(4))));
        System.out.println(
                e
                        + " = "
                        + eval(e)
                        + " "
                        + eval(new Mul(new Num(0), new Num(9)))
                        + " "
                        + Expr.class.isSealed()
                        + " "
                        + Expr.class.getPermittedSubclasses().length);
    }
}
