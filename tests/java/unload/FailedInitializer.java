// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class of the application fails to initialise below frames of a plugin. Later messages about that failure keep the
// plugin's text, but not its classes.

import java.io.InputStream;
import java.lang.ref.WeakReference;

public class FailedInitializer {
    public static class Fragile {
        static { refuse(); }
        public static void refuse() { throw new IllegalStateException("no luck"); }
        public static void touch() {}
    }

    public static class Brittle {
        static { if (true) throw new OutOfLuck("none left"); }
        public static void touch() {}
    }

    public static class OutOfLuck extends Error {
        OutOfLuck(String message) { super(message); }
    }

    /** An exception that throws another one when it is asked for its stack trace. */
    static class Silent extends RuntimeException {
        @Override public StackTraceElement[] getStackTrace() { throw new IllegalStateException("not now"); }
    }

    public static class Mute {
        static { if (true) throw new Silent(); }
        public static void touch() {}
    }

    public static class Plugin implements Runnable {
        public void run() {
            attempt(Fragile::touch);
            attempt(Brittle::touch);
        }

        static void attempt(Runnable touch) {
            try {
                touch.run();
                throw new AssertionError("initialised");
            } catch (LinkageError | OutOfLuck expected) {
                System.out.println("plugin: " + expected + ", " + expected.getCause());
            }
        }
    }

    static final class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("FailedInitializer$Plugin")) return super.loadClass(name, resolve);
            try (InputStream in = FailedInitializer.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (Exception failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static WeakReference<ClassLoader> runPlugin() throws Exception {
        ClassLoader loader = new Loader();
        Class<?> plugin = loader.loadClass("FailedInitializer$Plugin");
        if (plugin == Plugin.class) throw new AssertionError("not a class of its own");
        ((Runnable) plugin.getConstructor().newInstance()).run();
        return new WeakReference<>(loader);
    }

    static void retry(Runnable touch) {
        try {
            touch.run();
            throw new AssertionError("initialised");
        } catch (NoClassDefFoundError expected) {
            System.out.println(expected);
            Throwable cause = expected.getCause();
            System.out.println("  " + cause);
            if (cause == null) return;
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (!frame.getMethodName().contains("lambda") && !frame.getClassName().startsWith("java"))
                    System.out.println("    " + frame);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> loader = runPlugin();
        for (int i = 0; i < 5000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(1);   // waits until other threads have dropped the loader
        }
        System.out.println(loader.get() == null ? "the plugin is gone" : "the plugin is kept");
        try {
            Mute.touch();
        } catch (ExceptionInInitializerError expected) {
            System.out.println(expected + ", " + expected.getCause());
        }
        for (int i = 0; i < 2; i++) {
            retry(Fragile::touch);
            retry(Brittle::touch);
            retry(Mute::touch);
        }
    }
}
