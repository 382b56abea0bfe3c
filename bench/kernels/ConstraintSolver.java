// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// One-way constraints between variables, kept in lists, solved again when one changes.
import java.util.ArrayList;
import java.util.List;

public class ConstraintSolver extends Kernel {
    static final class Variable {
        int value, mark;
        final List<Constraint> uses = new ArrayList<>();
        Constraint definedBy;
    }
    abstract static class Constraint {
        final Variable output;
        Constraint(Variable output, Variable... inputs) {
            this.output = output;
            output.definedBy = this;
            for (Variable input : inputs) input.uses.add(this);
        }
        abstract int compute();
        boolean execute() {
            int value = compute();
            boolean changed = value != output.value;
            output.value = value;
            return changed;
        }
    }
    static final class Equal extends Constraint {
        private final Variable input;
        Equal(Variable output, Variable input) {
            super(output, input);
            this.input = input;
        }
        int compute() { return input.value; }
    }
    static final class Scaled extends Constraint {
        private final Variable input, scale, offset;
        Scaled(Variable output, Variable input, Variable scale, Variable offset) {
            super(output, input, scale, offset);
            this.input = input;
            this.scale = scale;
            this.offset = offset;
        }
        int compute() { return input.value * scale.value + offset.value; }
    }
    private int mark;
    private void change(Variable variable, int value) {
        variable.value = value;
        mark++;
        ArrayList<Variable> work = new ArrayList<>();
        work.add(variable);
        while (!work.isEmpty()) {
            Variable at = work.remove(work.size() - 1);
            for (Constraint constraint : at.uses) {
                if (constraint.execute() && constraint.output.mark != mark) {
                    constraint.output.mark = mark;
                    work.add(constraint.output);
                }
            }
        }
    }
    protected long work() {
        Variable first = new Variable(), scale = new Variable(), offset = new Variable();
        scale.value = 3;
        offset.value = 1;
        List<Variable> all = new ArrayList<>();
        Variable last = first;
        for (int i = 0; i < 150; i++) {
            Variable next = new Variable();
            if (i % 3 == 0) new Scaled(next, last, scale, offset);
            else new Equal(next, last);
            all.add(next);
            last = next;
        }
        long sum = 0;
        for (int round = 1; round <= 150; round++) {
            change(first, round);
            if (round % 50 == 0) change(offset, round);
            for (Variable variable : all) sum = sum * 31 + variable.value;
        }
        return sum;
    }
    public static void main(String[] arguments) { new ConstraintSolver().measure(arguments); }
}
