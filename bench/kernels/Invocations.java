// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls Method.invoke a million times, for a static and for an instance method, with boxed arguments and a boxed
// result.
import java.lang.reflect.Method;

public final class Invocations extends Kernel {
    private static final int CALLS = 500_000;
    private long sum;

    public static int plus(int one, int other) {
        return one + other;
    }

    public Long add(Integer value) {
        return sum += value;
    }

    @Override
    protected long work() {
        try {
            Method plus = Invocations.class.getMethod("plus", int.class, int.class);
            Method add = Invocations.class.getMethod("add", Integer.class);
            long result = 0;
            for (int i = 0; i < CALLS; i++) {
                Object value = plus.invoke(null, i, 7);
                result += (Long) add.invoke(this, value);
            }
            return result;
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static void main(String[] arguments) {
        new Invocations().measure(arguments);
    }
}
