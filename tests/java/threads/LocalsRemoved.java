// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadLocal.remove, new initial values, a set after a remove, inherited copies, threads of pools.
// since: 21
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class LocalsRemoved {
    public static void main(String[] arguments) throws Exception {
        AtomicInteger made = new AtomicInteger();
        ThreadLocal<Integer> local = ThreadLocal.withInitial(made::incrementAndGet);
        System.out.println(local.get() + " " + local.get());
        local.remove();
        System.out.println(local.get());
        local.set(null);
        System.out.println(local.get() + " " + made);
        local.remove();
        local.remove();
        System.out.println(local.get());
        InheritableThreadLocal<int[]> inherited = new InheritableThreadLocal<>() {
            @Override
            protected int[] childValue(int[] parent) {
                return parent == null ? null : new int[] {parent[0] + 1};
            }
        };
        inherited.set(new int[] {5});
        Thread child = new Thread(() -> {
            System.out.println(inherited.get()[0]);
            inherited.remove();
            System.out.println(inherited.get());
        });
        child.start();
        child.join();
        System.out.println(inherited.get()[0]);
        Thread without = Thread.ofPlatform().inheritInheritableThreadLocals(false)
            .start(() -> System.out.println(inherited.get()));
        without.join();
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            pool.submit(() -> local.set(99)).get();
            System.out.println(pool.submit(local::get).get());
            pool.submit(local::remove).get();
            System.out.println(pool.submit(local::get).get() != 99);
        }
    }
}
