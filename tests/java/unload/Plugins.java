// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads the same plugin a thousand times, each time through a new URLClassLoader, in a heap and a metaspace that hold
// only a few plugins. The plugin has an interface of the application's, lambdas, string concatenation, a record, a
// switch on strings, statics and an exception.
// jvm: -Xmx40m -XX:MaxMetaspaceSize=22m
// stress: no
// timeout: 120

import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Plugins {
    public interface Plugin {
        String run(int number);
    }

    /** Defines the classes of this program again, except the interface. */
    static class Loader extends URLClassLoader {
        Loader(URL[] where) { super(where, Plugins.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.endsWith("Plugin") || name.equals("Plugins$Plugin")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : findClass(name);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        URL[] where = {new File(System.getProperty("java.class.path")).toURI().toURL()};
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        long hash = 0;
        for (int i = 0; i < 1000; i++) {
            try (Loader loader = new Loader(where)) {
                Constructor<?> constructor = loader.loadClass("FirstPlugin").getDeclaredConstructor();
                constructor.setAccessible(true);
                Plugin plugin = (Plugin) constructor.newInstance();
                if (plugin.getClass() == FirstPlugin.class) throw new AssertionError("not a class of its own");
                hash = hash * 31 + plugin.run(i).hashCode();
                loaders.add(new WeakReference<>(loader));
            }
        }
        int left = loaders.size();
        for (int i = 0; i < 5000 && left > 1; i++) {
            System.gc();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the loaders
            left = 0;
            for (WeakReference<ClassLoader> each : loaders) if (each.get() != null) left++;
        }
        System.out.println(hash + ", " + (left <= 1 ? "all but the last may be gone" : left + " are left"));
    }
}

record PointOfPlugin(int x, int y) {}

class FailureOfPlugin extends RuntimeException {
    FailureOfPlugin(String message) { super(message); }
}

class FirstPlugin implements Plugins.Plugin {
    static final Map<String, Integer> counts = new HashMap<>();
    static long total;

    public String run(int number) {
        counts.merge("n" + number % 7, number, Integer::sum);
        IntUnaryOperator twice = x -> x * 2;
        IntUnaryOperator shifted = x -> x + number;
        Supplier<Plugins.Plugin> nested = SecondPlugin::new;
        for (int i = 0; i < 300; i++) total += twice.applyAsInt(i) + shifted.applyAsInt(i);
        String caught;
        try {
            throw new FailureOfPlugin("at " + number);
        } catch (FailureOfPlugin failure) {
            caught = failure.getMessage() + failure.getStackTrace()[0].getMethodName();
        }
        return new PointOfPlugin(number, number + 1) + caught + total + nested.get().run(number);
    }
}

class SecondPlugin implements Plugins.Plugin {
    public String run(int number) {
        switch ("k" + number % 3) {
            case "k0": return "zero" + new int[number % 5].length;
            case "k1": return "one" + new SecondPlugin[2].getClass().getSimpleName();
            default: return "two";
        }
    }
}
