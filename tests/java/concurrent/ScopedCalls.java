// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Scoped values: rebinding, exceptions thrown out of a binding, orElseThrow, null as a value, and inheritance, which
// only structured tasks have.
// since: 25
import java.util.NoSuchElementException;

public class ScopedCalls {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> LEVEL = ScopedValue.newInstance();

    static String state() {
        return (USER.isBound() ? USER.get() : "-") + "/" + LEVEL.orElse(0);
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(state());
        ScopedValue.where(USER, "a").where(LEVEL, 1).where(USER, "b").run(() -> System.out.println(state()));
        String result = ScopedValue.where(LEVEL, 5).call(() -> {
            String outer = state();
            return outer + " " + ScopedValue.where(USER, "inner").call(ScopedCalls::state) + " " + state();
        });
        System.out.println(result);
        try {
            ScopedValue.where(USER, "fails").<Void, java.io.IOException>call(() -> {
                throw new java.io.IOException(state());
            });
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage() + " " + state());
        }
        ScopedValue.where(USER, null).run(() -> System.out.println(USER.isBound() + " " + USER.get()));
        System.out.println(ScopedValue.where(LEVEL, 9).get(LEVEL));
        try {
            USER.orElseThrow(() -> new IllegalStateException("nobody"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            ScopedValue.where(LEVEL, 9).get(USER);
        } catch (NoSuchElementException e) {
            System.out.println("not in the carrier");
        }
        ScopedValue.where(USER, "main").run(() -> {
            Thread plain = Thread.ofVirtual().start(() -> System.out.println(state()));
            try {
                plain.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            USER.orElse(null);
            System.out.println("null");
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
    }
}
