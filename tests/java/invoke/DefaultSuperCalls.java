// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of default methods as X.super.m(), in interfaces: in hot code, and with exceptions.
public class DefaultSuperCalls {
    interface Base {
        default int count(int n) {
            return n + 1;
        }

        default String name() {
            return getClass().getSimpleName();
        }
    }

    interface Middle extends Base {
        default int count(int n) {
            return Base.super.count(n) * 2;
        }

        default String name() {
            return "middle of " + Base.super.name();
        }
    }

    interface Top extends Middle {
        default int count(int n) {
            if (n < 0) throw new IllegalArgumentException("negative: " + Middle.super.count(n));
            return Middle.super.count(n) + 3;
        }
    }

    record First(int x) implements Top {}

    enum Second implements Top {
        ONE
    }

    public static void main(String[] args) {
        Top[] tops = {new First(1), Second.ONE, new Top() {}};
        long sum = 0;
        for (int i = 0; i < 300_000; i++) {
            sum += tops[i % tops.length].count(i & 0xFF);
        }
        System.out.println(sum);
        for (Top top : tops) {
            System.out.println(top.name());
            try {
                top.count(-5);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
