// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reference.refersTo in compiled code: on references of all kinds, before and after their objects are gone, and in the
// library's own calls, by ThreadLocal and WeakHashMap.
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;

public class RefersTo {
    static final class Tagged extends WeakReference<Object> {
        final int tag;

        Tagged(Object object, int tag) {
            super(object);
            this.tag = tag;
        }
    }

    static int ask(Reference<Object> reference, Object object) {
        int found = 0;
        for (int i = 0; i < 20_000; i++) {
            found += reference.refersTo(object) ? 1 : 0;
            found += reference.refersTo(reference) ? 1 << 20 : 0;
        }
        return found;
    }
    // Each iteration makes an object and a reference to it, and clears this reference.
    static int change() {
        int wrong = 0;
        Object before = new Object();
        for (int i = 0; i < 20_000; i++) {
            Object object = new Object();
            WeakReference<Object> reference = new WeakReference<>(object);
            if (!reference.refersTo(object) || reference.refersTo(before)) wrong++;
            reference.clear();
            if (reference.refersTo(object) || !reference.refersTo(null)) wrong++;
            before = object;
        }
        return wrong;
    }
    static long library() {
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 7);
        WeakHashMap<Object, Integer> map = new WeakHashMap<>();
        Object[] keys = new Object[100];
        for (int i = 0; i < keys.length; i++) map.put(keys[i] = new Object(), i);
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += local.get() + map.get(keys[i % 100]);
            local.set(i & 7);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        Object object = new Object();
        Reference<Object> weak = new WeakReference<>(object), soft = new SoftReference<>(object);
        Reference<Object> tagged = new Tagged(object, 1);
        Reference<Object> phantom = new PhantomReference<>(object, new ReferenceQueue<>());
        for (Reference<Object> each : new Reference[] {weak, soft, tagged, phantom}) {
            System.out.println(ask(each, object) + " " + ask(each, null) + " " + ask(each, "another"));
        }
        Reference.reachabilityFence(object);
        object = null;
        System.gc();
        System.out.println(weak.refersTo(null) + " " + tagged.refersTo(null) + " " + phantom.refersTo(null) + " "
                           + soft.refersTo(null));
        System.out.println(change() + " " + library());
        try {
            ask(null, null);
        } catch (NullPointerException e) {
            System.out.println("no reference");
        }
    }
}
