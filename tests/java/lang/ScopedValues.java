// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Scoped values: nested, many at once, in other threads, across collections, and after a stack overflow somewhere in
// the code that binds and unbinds them.
// since: 25
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

public class ScopedValues {
    static final ScopedValue<String> NAME = ScopedValue.newInstance();
    static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();

    static void deeper(int depth) {
        ScopedValue.where(DEPTH, depth).run(() -> deeper(DEPTH.get() + 1));
    }

    static int leaf(int n) {
        return n == 0 ? 0 : 1 + ScopedValue.where(DEPTH, n).call(() -> leaf(DEPTH.get() - 1));
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(NAME.isBound() + " " + NAME.orElse("nobody"));
        try {
            NAME.get();
        } catch (java.util.NoSuchElementException e) {
            System.out.println(e);
        }
        ScopedValue.where(NAME, "outer").where(DEPTH, 1).run(() -> {
            System.out.println(NAME.get() + DEPTH.get());
            ScopedValue.where(NAME, "inner").run(() -> System.out.println(NAME.get() + DEPTH.get()));
            System.out.println(NAME.get());
        });
        System.out.println(ScopedValue.where(NAME, "x").call(() -> leaf(50)) + " " + NAME.isBound());

        // Binds more values than the thread's cache of scoped values holds. Collections must keep the cache, and update
        // it when they move the values.
        List<ScopedValue<String>> many = new ArrayList<>();
        ScopedValue.Carrier all = ScopedValue.where(NAME, "many");
        for (int i = 0; i < 40; i++) {
            many.add(ScopedValue.newInstance());
            all = all.where(many.get(i), "value " + i);
        }
        all.run(() -> {
            int right = 0;
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < many.size(); i++) if (many.get(i).get().equals("value " + i)) right++;
                if (round % 50 == 0) System.gc();
            }
            System.out.println(right);
        });

        // Each thread has its own.
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<java.util.concurrent.Future<String>>();
            for (int i = 0; i < 20; i++) {
                String own = "task " + i;
                results.add(executor.submit(() -> ScopedValue.where(NAME, own).call(() -> {
                    // Lets the other threads bind their values meanwhile. The output does not depend on this delay.
                    Thread.sleep(1);
                    return NAME.get() + DEPTH.isBound();
                })));
            }
            for (var result : results) System.out.print(result.get() + ", ");
            System.out.println();
        }

        // After a stack overflow, wherever it occurs, the bindings of the remaining frames are in force.
        ScopedValue.where(NAME, "kept").where(DEPTH, 7).run(() -> {
            for (int i = 0; i < 20; i++) {
                try {
                    deeper(i);
                    System.out.println("no end");
                } catch (StackOverflowError e) {
                    if (!NAME.get().equals("kept") || DEPTH.get() != 7) System.out.println(NAME.get() + DEPTH.get());
                }
            }
            System.out.println(NAME.get() + DEPTH.get());
        });
        System.out.println(NAME.isBound());
    }
}
