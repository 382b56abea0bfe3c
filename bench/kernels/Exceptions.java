// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Throws exceptions, and catches them in the same method or several frames above.
public class Exceptions extends Kernel {
    static final class Stop extends RuntimeException {
        final int value;

        Stop(int value) {
            super(null, null, false, false);
            this.value = value;
        }
    }

    static int deep(int n, int value) {
        if (n == 0) throw new Stop(value);
        return deep(n - 1, value) + 1;
    }

    protected long work() {
        long sum = 0;
        for (int i = 0; i < 30_000; i++) {
            try {
                sum += deep(i & 7, i);
            } catch (Stop stop) {
                sum += stop.value;
            }
        }
        for (int i = 0; i < 5_000; i++) {
            try {
                throw new IllegalStateException("with a trace");
            } catch (IllegalStateException caught) {
                sum += caught.getMessage().length();
            }
        }
        return sum;
    }

    public static void main(String[] arguments) {
        new Exceptions().measure(arguments);
    }
}
