// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Weak, soft and phantom references, queues, WeakHashMap, Cleaner.
import java.lang.ref.*;
import java.util.*;

public class References {
    static void until(java.util.function.BooleanSupplier c) throws Exception {
        for (int i = 0; i < 5000 && !c.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(2);
        }
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        Object strong = new Object();
        WeakReference<Object> w = new WeakReference<>(strong, q),
                dead = new WeakReference<>(new Object(), q);
        SoftReference<Object> s = new SoftReference<>(new Object());
        PhantomReference<Object> p = new PhantomReference<>(new Object(), q);
        System.gc();
        until(() -> dead.get() == null && p.refersTo(null));
        System.out.println(
                (w.get() == strong)
                        + " "
                        + (dead.get() == null)
                        + " "
                        + (s.get() != null)
                        + " "
                        + p.get()
                        + " "
                        + p.refersTo(null));
        Set<Reference<?>> seen = new HashSet<>();
        until(
                () -> {
                    Reference<?> r;
                    while ((r = q.poll()) != null) seen.add(r);
                    return seen.size() == 2;
                });
        System.out.println(seen.contains(dead) + " " + seen.contains(p) + " " + seen.contains(w));
        WeakHashMap<Object, String> wm = new WeakHashMap<>();
        wm.put(strong, "kept");
        wm.put(new Object(), "lost");
        until(() -> wm.size() == 1);
        System.out.println(wm.values());
        boolean[] cleaned = {false};
        Cleaner c = Cleaner.create();
        Object dies = new Object();
        c.register(dies, () -> cleaned[0] = true);
        Reference.reachabilityFence(dies);   // the object `dies` must live until register() has set the action
        dies = null;
        until(() -> cleaned[0]);
        System.out.println(cleaned[0]);
        Cleaner.Cleanable k = c.register(strong, () -> System.out.println("cleaned by hand"));
        k.clean();
        k.clean();
        w.clear();
        System.out.println(w.get() + " " + w.enqueue() + " " + (strong != null));
        Reference.reachabilityFence(strong);
    }
}
