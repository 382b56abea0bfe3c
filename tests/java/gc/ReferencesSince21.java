// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// References: refersTo, clear, enqueue of phantom references, Cleaner, get of a phantom reference, reachabilityFence.
// since: 21
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

public class ReferencesSince21 {
    public static void main(String[] arguments) throws Exception {
        Object kept = new Object();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> weak = new WeakReference<>(kept, queue);
        PhantomReference<Object> phantom = new PhantomReference<>(kept, queue);
        SoftReference<Object> soft = new SoftReference<>(kept);
        System.out.println(weak.refersTo(kept) + " " + phantom.refersTo(kept) + " " + soft.refersTo(null) + " "
            + phantom.get());
        System.out.println(phantom.enqueue() + " " + phantom.enqueue() + " " + phantom.refersTo(null) + " "
            + (queue.poll() == phantom));
        weak.clear();
        System.out.println(weak.refersTo(null) + " " + weak.enqueue() + " " + weak.get() + " "
            + (queue.remove(10) == weak));
        Reference.reachabilityFence(kept);
        System.out.println(new WeakReference<>(null).refersTo(null));
        Cleaner cleaner = Cleaner.create();
        StringBuffer log = new StringBuffer();
        Cleaner.Cleanable cleanable = cleaner.register(new Object(), () -> log.append("cleaned"));
        cleanable.clean();
        cleanable.clean();
        System.out.println(log);
        register(cleaner, log);
        for (int i = 0; i < 200 && !log.toString().endsWith("collected"); i++) {
            System.gc();
            Thread.sleep(5);   // waits for the cleaner, which runs in a thread of its own
        }
        System.out.println(log);
    }

    static void register(Cleaner cleaner, StringBuffer log) {
        cleaner.register(new Object(), () -> log.append(" collected"));
    }
}
