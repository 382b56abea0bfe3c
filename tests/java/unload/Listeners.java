// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A plugin registers the first listener for collections. The thread that calls listeners must not keep the plugin.

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;

public class Listeners {
    static final class Plugin extends ClassLoader {
        Plugin() {
            super(Listeners.class.getClassLoader());
        }
    }

    static final InheritableThreadLocal<Object> inherited = new InheritableThreadLocal<>();

    static WeakReference<?>[] listen() throws Exception {
        Plugin plugin = new Plugin();
        Object value = new Object();
        Thread thread = new Thread(() -> {
            inherited.set(value);
            try {
                for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                    NotificationListener listener = (notification, handback) -> { };
                    ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
                    ((NotificationEmitter) collector).removeNotificationListener(listener);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.setContextClassLoader(plugin);
        WeakReference<?>[] references = {new WeakReference<>(plugin), new WeakReference<>(value)};
        thread.start();
        thread.join();
        return references;
    }

    public static void main(String[] arguments) throws Exception {
        ManagementFactory.getGarbageCollectorMXBeans();
        WeakReference<?>[] references = listen();
        for (int round = 0; round < 1000 && (references[0].get() != null || references[1].get() != null); round++) {
            System.gc();
            Thread.sleep(1);   // waits until other threads have dropped the plugin
        }
        System.out.println("the plugin is gone: " + (references[0].get() == null)
                + ", what its thread would have handed down: " + (references[1].get() == null));
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("Notification Thread"))
                System.out.println(thread.getContextClassLoader() == ClassLoader.getSystemClassLoader());
        }
    }
}
