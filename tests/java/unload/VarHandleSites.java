// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The application accesses variables of plugins through VarHandles. Its call sites must not keep a plugin alive.

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;

public class VarHandleSites {
    public interface Holder {
        VarHandle number();
        VarHandle self();
        VarHandle own();
        VarHandle elements();
        int sum();
    }

    public static class Plugin implements Holder {
        static int number = 40;
        static Plugin self = new Plugin();
        int own = 7;

        private static VarHandle find(boolean isStatic, String name, Class<?> type) {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                return isStatic ? lookup.findStaticVarHandle(Plugin.class, name, type)
                                : lookup.findVarHandle(Plugin.class, name, type);
            } catch (ReflectiveOperationException failure) {
                throw new AssertionError(failure);
            }
        }

        static final VarHandle NUMBER = find(true, "number", int.class), SELF = find(true, "self", Plugin.class),
                               OWN = find(false, "own", int.class);

        public VarHandle number() { return NUMBER; }
        public VarHandle self() { return SELF; }
        public VarHandle own() { return OWN; }
        public VarHandle elements() { return MethodHandles.arrayElementVarHandle(Plugin[].class); }

        // These call sites are in the plugin's own code, so they may keep references to the plugin.
        public int sum() {
            int sum = 0;
            for (int i = 0; i < 1000; i++)
                sum += (int) NUMBER.getVolatile() + (int) OWN.getAndAdd(this, 1) + (SELF.get() == self ? 1 : 0);
            return sum;
        }
    }

    static final class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("VarHandleSites$Plugin")) return super.loadClass(name, resolve);
            try (InputStream in = VarHandleSites.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (Exception failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static int increment(VarHandle handle) { return (int) handle.getAndAdd(1) + (int) handle.get(); }
    static Object read(VarHandle handle) { return handle.get(); }
    static int read(VarHandle handle, Object holder) { return (int) handle.getVolatile(holder); }
    static boolean write(VarHandle handle, Object[] array, Object value) {
        return handle.compareAndSet(array, 0, null, value);
    }

    static int use(Holder holder) {
        int sum = holder.sum();
        for (int i = 0; i < 300; i++) {
            sum += increment(holder.number());
            if (read(holder.self()) != null) sum += read(holder.own(), holder);
            Object[] array = (Object[]) java.lang.reflect.Array.newInstance(holder.getClass(), 1);
            if (write(holder.elements(), array, holder) && array[0] == holder) sum++;
        }
        return sum;
    }

    static WeakReference<ClassLoader> usePlugin() throws Exception {
        ClassLoader loader = new Loader();
        Class<?> plugin = loader.loadClass("VarHandleSites$Plugin");
        if (plugin == Plugin.class) throw new AssertionError("not a class of its own");
        System.out.println(use((Holder) plugin.getConstructor().newInstance()));
        return new WeakReference<>(loader);
    }

    public static void main(String[] arguments) throws Exception {
        for (int round = 0; round < 2; round++) {
            WeakReference<ClassLoader> loader = usePlugin();
            for (int i = 0; i < 5000 && loader.get() != null; i++) {
                System.gc();
                Thread.sleep(1);   // waits until other threads have dropped the loader
            }
            System.out.println(loader.get() == null ? "the plugin is gone" : "the plugin is kept");
            System.out.println(use(new Plugin()));
        }
    }
}
