// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Causes and suppressed exceptions in the trace, without the frames in common.
public class UncaughtCause {
    static class Res implements AutoCloseable {
        final String n;

        Res(String n) {
            this.n = n;
        }

        public void close() {
            throw new IllegalStateException("close " + n);
        }
    }

    static void inner() {
        throw new IllegalArgumentException("inner");
    }

    static void outer() {
        try (Res a = new Res("a");
                Res b = new Res("b")) {
            inner();
        } catch (RuntimeException e) {
            throw new RuntimeException("outer", e);
        }
    }

    public static void main(String[] args) {
        outer();
    }
}
