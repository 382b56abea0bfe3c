// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Cleaner, PhantomReference, WeakHashMap, reference queues: the references that a collection clears and enqueues.
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;

public class CleanersInOrder {
    static Object kept;
    static class Resurrects { protected void finalize() { kept = this; } }
    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        WeakReference<Object> weak = new WeakReference<>(new Object(), q);
        PhantomReference<Object> phantom = new PhantomReference<>(new Object(), q);
        SoftReference<Object> soft = new SoftReference<>(new Object(), q);
        Object strong = new Object();
        WeakReference<Object> alive = new WeakReference<>(strong, q);
        System.gc();
        int seen = 0;
        boolean sawWeak = false, sawPhantom = false;
        while (seen < 2) {
            Reference<?> r = q.remove();
            seen++;
            sawWeak |= r == weak;
            sawPhantom |= r == phantom;
        }
        System.out.println(seen + " " + sawWeak + " " + sawPhantom + " " + (weak.get() == null) + " "
                + (soft.get() != null) + " " + alive.refersTo(strong) + " " + phantom.get() + " "
                + weak.refersTo(null));
        CountDownLatch cleaned = new CountDownLatch(1);
        Cleaner cleaner = Cleaner.create();
        Object dies = new Object();
        cleaner.register(dies, cleaned::countDown);
        Reference.reachabilityFence(dies);   // the object `dies` must live until register() has set the action
        dies = null;
        Cleaner.Cleanable once = cleaner.register(strong, () -> System.out.println("cleaned once"));
        once.clean();
        once.clean();
        System.gc();
        cleaned.await();
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        map.put(new Object(), "gone");
        map.put(strong, "kept");
        map.put(null, "null");
        // The reference handler, which is another thread, enqueues the cleared key of the map.
        for (int i = 0; i < 5000 && map.size() > 2; i++) { System.gc(); Thread.sleep(5); }
        System.out.println(map.size() + " " + map.get(strong) + " " + map.get(null));
        WeakReference<Object> finalizable = new WeakReference<>(new Resurrects());
        PhantomReference<Object> after = new PhantomReference<>(finalizable.get(), q);
        // The finalizer thread runs the finalizer, which sets `kept`.
        for (int i = 0; i < 5000 && kept == null; i++) { System.gc(); System.runFinalization(); Thread.sleep(1); }
        System.out.println((kept != null) + " " + (finalizable.get() == null) + " " + (q.poll() == null));
        System.out.println(weak.enqueue() + " " + alive.enqueue() + " " + alive.get() + " " + (q.poll() == alive) + " "
                + alive.enqueue());
        Reference.reachabilityFence(strong);
    }
}
