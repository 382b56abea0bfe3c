// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// References that keep a class and its loader alive, one at a time: an instance, an array, a mirror, another class of
// the loader, a frame, the backtrace of an exception, a running thread, a method handle, a reflected method, a
// ThreadLocal's value, a finalizable object. Some other references must not keep them alive.
// timeout: 90

import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

public class Reachability {
    public interface Shape { String name(); }

    public static class Thing implements Shape, Callable<String> {
        static int made;
        static Object cell = new Object();
        static String sum(int a, long b) { return "sum " + (a + b) + " " + made; }
        public Thing() { made++; }
        public String name() { return "thing " + made + " " + Other.text(); }
        public String call() { return name(); }
        static void fail() { throw new IllegalStateException("from the plugin"); }
        public static void wait(CountDownLatch started, CountDownLatch go, Object[] answer) throws Exception {
            started.countDown();
            go.await();
            answer[0] = "waited " + Other.text();
        }
        public static Throwable caught() {
            try {
                fail();
                return null;
            } catch (IllegalStateException failure) {
                return failure;
            }
        }
    }

    public static class Other {
        static String text() { return "other"; }
    }

    public static class Finalized {
        static StringBuffer log;
        String text = "finalized with " + Other.text();
        @Override @SuppressWarnings("deprecation")
        protected void finalize() { log.append(text); }
    }

    static class Loader extends ClassLoader {
        static final Set<String> OWN =
                Set.of("Reachability$Thing", "Reachability$Other", "Reachability$Finalized", "Reachability$Special");

        Loader() { super(Reachability.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!OWN.contains(name)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException failure) {
                    throw new ClassNotFoundException(name, failure);
                }
            }
        }
    }

    static WeakReference<ClassLoader> latest;

    static Class<?> fresh(String name) throws Exception {
        Loader loader = new Loader();
        latest = new WeakReference<>(loader);
        return Class.forName("Reachability$" + name, true, loader);
    }

    static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            byte[][] some = new byte[10][];
            for (int k = 0; k < some.length; k++) some[k] = new byte[1000];
        }
    }

    static boolean gone(WeakReference<?> reference) throws Exception {
        for (int i = 0; i < 5000 && reference.get() != null; i++) {
            collect();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the object
        }
        return reference.get() == null;
    }

    /**
     * Collects, and shows whether the latest loader is alive. After this call, the caller must still use what keeps the
     * loader alive.
     */
    static String kept() {
        collect();
        return latest.get() != null ? "kept, " : "lost, ";
    }

    static void reportGone(String what) throws Exception {
        System.out.println(what + ": " + (gone(latest) ? "gone" : "still there"));
    }

    static void byInstance() throws Exception {
        Shape shape = (Shape) fresh("Thing").getDeclaredConstructor().newInstance();
        System.out.println("instance: " + kept() + shape.name());
    }

    static void byArray() throws Exception {
        Object array = java.lang.reflect.Array.newInstance(fresh("Thing"), 2, 3);
        System.out.println("array: " + kept() + ((Object[][]) array)[1].length + array.getClass().getName());
        Class<?> component = array.getClass().getComponentType().getComponentType();
        System.out.println(
                "array's component: " + kept() + ((Shape) component.getDeclaredConstructor().newInstance()).name());
    }

    static void byMirror() throws Exception {
        Class<?> mirror = fresh("Thing");
        System.out.println("mirror: " + kept() + ((Shape) mirror.getDeclaredConstructor().newInstance()).name());
    }

    static MethodHandle take(MethodHandle[] box) {
        MethodHandle taken = box[0];
        box[0] = null;
        return taken;
    }

    static void byFrame() throws Exception {
        CountDownLatch started = new CountDownLatch(1), go = new CountDownLatch(1);
        Object[] answer = new Object[1];
        Method method = fresh("Thing").getMethod("wait", CountDownLatch.class, CountDownLatch.class, Object[].class);
        MethodHandle[] box = {MethodHandles.publicLookup().unreflect(method)};
        Thread thread = new Thread(() -> {
            try {
                take(box).invokeExact(started, go, answer);
            } catch (Throwable failure) {
                answer[0] = failure;
            }
        });
        method = null;
        thread.start();
        started.await();
        System.out.println("frame: " + kept() + "in it");
        go.countDown();
        thread.join();
        System.out.println(answer[0]);
    }

    static void byBacktrace() throws Exception {
        Throwable caught = (Throwable) fresh("Thing").getMethod("caught").invoke(null);
        collect();
        System.out.print("backtrace: " + kept());
        StackTraceElement[] trace = caught.getStackTrace();
        System.out.println(trace[0] + " " + trace[1] + " " + caught.getMessage());
    }

    static void byMethodHandle() throws Throwable {
        Class<?> type = fresh("Thing");
        MethodHandle handle =
                MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                        .findStatic(type, "sum", MethodType.methodType(String.class, int.class, long.class));
        type = null;
        System.out.println("method handle: " + kept() + (String) handle.invokeExact(1, 2L));
    }

    static void byReflection() throws Exception {
        Method method = fresh("Thing").getDeclaredMethod("sum", int.class, long.class);
        method.setAccessible(true);
        for (int i = 0; i < 40; i++) method.invoke(null, i, 2L);
        System.out.println("reflected method: " + kept() + method.invoke(null, 3, 4L));
    }

    static void byThreadLocal() throws Exception {
        ThreadLocal<Object> local = new ThreadLocal<>();
        local.set(fresh("Thing").getDeclaredConstructor().newInstance());
        System.out.println("thread local: " + kept() + (local.get() instanceof Shape));
        local.remove();
    }

    static void byFinalizer() throws Exception {
        StringBuffer log = new StringBuffer();
        Class<?> type = fresh("Finalized");
        java.lang.reflect.Field field = type.getDeclaredField("log");
        field.setAccessible(true);
        field.set(null, log);
        Object object = type.getDeclaredConstructor().newInstance();
        object = null;
        field = null;
        type = null;
        for (int i = 0; i < 5000 && log.length() == 0; i++) {
            System.gc();
            Thread.sleep(5);   // waits until the finalizer's thread has run the finalizer
        }
        System.out.println(log);
    }

    static void byWeakMap() throws Exception {
        WeakHashMap<Class<?>, String> names = new WeakHashMap<>();
        names.put(fresh("Thing"), "a name");
        ClassValue<String> value = new ClassValue<>() {
            protected String computeValue(Class<?> type) { return type.getName(); }
        };
        System.out.println("class value: " + value.get(names.keySet().iterator().next()) + ", " + gone(latest));
        // Waits until other threads (reference handler, cleaners) have dropped the map's key.
        for (int i = 0; i < 2000 && names.size() != 0; i++) Thread.sleep(5);
        System.out.println("weak map: " + names.size());
    }

    static void byStatics() throws Exception {
        Class<?> type = fresh("Thing");
        java.lang.reflect.Field field = type.getDeclaredField("cell");
        field.setAccessible(true);
        boolean[] clean = new boolean[1];
        Object dies = field.get(null);
        Cleaner.create().register(dies, () -> clean[0] = true);
        Reference.reachabilityFence(dies);   // the object `dies` must live until register() has set the action
        dies = null;
        type = null;
        field = null;
        for (int i = 0; i < 5000 && !clean[0]; i++) {
            System.gc();
            Thread.sleep(5);   // waits until the cleaner's thread has run the action
        }
        System.out.println("static's cleaner ran: " + clean[0]);
    }

    static void byPhantom() throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> phantom = new PhantomReference<>(fresh("Thing").getClassLoader(), queue);
        for (int i = 0; i < 200; i++) {
            System.gc();
            if (queue.remove(100) == phantom) {
                System.out.println("loader's phantom reference: enqueued");
                return;
            }
        }
        System.out.println("loader's phantom reference: lost");
    }

    public interface Special {
        default String special() { return "special " + Other.text(); }
    }

    public static class Linked implements Special {
        public Special another() { return new Linked(); }
    }

    /** A loader that gets one class from another loader, and then drops its reference to the other loader. */
    static class Dependent extends ClassLoader {
        Loader source = new Loader();

        Dependent() { super(Reachability.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("Reachability$Special")) return source.loadClass(name);
            if (!name.equals("Reachability$Linked")) return super.loadClass(name, resolve);
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static Object linked() throws Exception {
        Dependent child = new Dependent();
        latest = new WeakReference<>(child.source);
        Object made = Class.forName("Reachability$Linked", true, child).getDeclaredConstructor().newInstance();
        child.source = null;
        return made;
    }

    static void byDependence() throws Exception {
        Object made = linked();
        collect();
        collect();
        Object another = made.getClass().getMethod("another").invoke(made);
        System.out.println("loader of an interface: " + kept()
                + another.getClass().getInterfaces()[0].getMethod("special").invoke(another));
    }

    public static void main(String[] arguments) throws Throwable {
        byInstance();
        reportGone("after the instance");
        byArray();
        reportGone("after the array");
        byMirror();
        reportGone("after the mirror");
        byFrame();
        reportGone("after the frame");
        byBacktrace();
        reportGone("after the backtrace");
        byMethodHandle();
        reportGone("after the method handle");
        byReflection();
        reportGone("after the reflected method");
        byThreadLocal();
        byFinalizer();
        reportGone("after the finalizer");
        byWeakMap();
        byStatics();
        reportGone("after the statics");
        byPhantom();
        byDependence();
        reportGone("after the implementer");
    }
}
