// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// stderr: ignore
// timeout: 60
// Finalizers that resurrect their objects, finalizers and cleaners that throw, cleaners that register more work: each
// runs once, a resurrected object is not cleaned, and the threads that run them continue.
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Resurrection {
    static final List<Phoenix> risen = Collections.synchronizedList(new ArrayList<>());
    static final AtomicInteger finalized = new AtomicInteger(), cleaned = new AtomicInteger(),
                               second = new AtomicInteger();
    static final Cleaner cleaner = Cleaner.create();

    static class Phoenix {
        final int id;
        Phoenix next;
        final int[] load;
        Phoenix(int id, Phoenix next) { this.id = id; this.next = next; load = new int[] {id, id * 3}; }
        @Override protected void finalize() {
            if (id % 3 == 0) risen.add(this);
            finalized.incrementAndGet();
            if (id % 3 == 1) throw new IllegalStateException("finalizer " + id);
        }
    }

    static void make(int count, List<WeakReference<Phoenix>> weak) {
        Phoenix chain = null;
        for (int i = 0; i < count; i++) {
            // Each object refers to the previous one. A chain has ten objects.
            chain = new Phoenix(i, i % 10 == 0 ? null : chain);
            weak.add(new WeakReference<>(chain));
        }
    }

    static void registerCleaners(int count) {
        for (int i = 0; i < count; i++) {
            int id = i;
            Object object = new Object();
            cleaner.register(object, () -> {
                cleaned.incrementAndGet();
                if (id % 4 == 0) {
                    Object another = new Object();
                    cleaner.register(another, second::incrementAndGet);
                    Reference.reachabilityFence(another);
                }
                if (id % 2 == 1) throw new IllegalStateException("cleaner " + id);
            });
            // register() sets the action last, so an object that dies during register() is cleaned without its action.
            Reference.reachabilityFence(object);
        }
    }

    // Drops the objects that were resurrected so far, and returns their number.
    static int examineRisen() {
        Phoenix[] these;
        synchronized (risen) {   // the finalizer thread also uses `risen`
            these = risen.toArray(new Phoenix[0]);
            risen.clear();
        }
        for (Phoenix phoenix : these) {
            for (Phoenix at = phoenix; at != null; at = at.next) {
                if (at.load[0] != at.id || at.load[1] != at.id * 3) System.out.println("broken " + at.id);
            }
        }
        return these.length;
    }

    interface Condition { boolean holds(); }

    static void collectUntil(Condition condition) throws Exception {
        for (int i = 0; i < 5000 && !condition.holds(); i++) {
            System.gc();
            Thread.sleep(10);   // other threads run finalizers and cleaners, for an unspecified time
        }
    }

    public static void main(String[] args) throws Exception {
        List<WeakReference<Phoenix>> weak = new ArrayList<>();
        make(300, weak);
        // A resurrected object that is held keeps the rest of its chain alive, and a collection may find only a part of
        // a chain dead. So this loop drops the resurrected objects after each collection, until all 300 are finalized.
        int[] rose = {0};
        collectUntil(() -> {
            rose[0] += examineRisen();
            return finalized.get() == 300;
        });
        rose[0] += examineRisen();
        System.out.println("finalized " + finalized + ", risen " + rose[0]);
        long cleared = weak.stream().filter(each -> each.get() == null).count();
        System.out.println("weak references cleared before: " + cleared);
        System.gc();
        System.gc();
        System.out.println("finalized " + finalized);   // no second time

        registerCleaners(200);
        collectUntil(() -> cleaned.get() == 200 && second.get() == 50);
        System.out.println("cleaned " + cleaned + ", " + second);
    }
}
