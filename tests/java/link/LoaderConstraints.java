// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading constraints: two loaders define different classes of one name, which a method's signature mentions.
import java.io.InputStream;
import java.util.Set;

public class LoaderConstraints {
    public static class Shared { public String toString() { return "shared"; } }
    public static class Base { public Shared get() { return new Shared(); } public void put(Shared s) {} }
    public static class Derived extends Base { @Override public Shared get() { return new Shared(); } }
    public static class Caller implements Runnable {
        public void run() {
            Base base = new Base();
            System.out.println(base.get());
        }
    }

    static class Own extends ClassLoader {
        final Set<String> mine;
        Own(String name, String... mine) {
            super(name, LoaderConstraints.class.getClassLoader());
            this.mine = Set.of(mine);
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("LoaderConstraints$") || !mine.contains(name.substring(18)))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void attempt(String what, ClassLoader loader, String name) {
        try {
            Object o = loader.loadClass("LoaderConstraints$" + name).getConstructor().newInstance();
            if (o instanceof Runnable r) r.run();
            System.out.println(what + ": fine");
        } catch (Throwable e) {
            System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Exception {
        attempt("all of one loader", new Own("one", "Shared", "Base", "Derived", "Caller"), "Caller");
        Own two = new Own("two", "Shared", "Caller");
        two.loadClass("LoaderConstraints$Shared");
        attempt("a call to another loader's method", two, "Caller");
        Own three = new Own("three", "Shared", "Derived");
        three.loadClass("LoaderConstraints$Shared");
        attempt("an override of another loader's method", three, "Derived");
        attempt("nothing of its own", new Own("four"), "Caller");
        // Keeps loader `two` alive until here, so that its class Shared exists beside the parent loader's class Shared.
        java.lang.ref.Reference.reachabilityFence(two);
    }
}
