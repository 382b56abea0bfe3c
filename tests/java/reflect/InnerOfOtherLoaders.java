// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An inner class and an outer class that know each other only by name, because different loaders have defined them: the
// results of reflection on both.

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

public class InnerOfOtherLoaders {
    public static class House {
        public static class Room { public static class Cupboard {} }
        public interface Garden {}
        public enum Colour { RED { } }
        protected record Door(int width) {}
        static Object local() { class Guest {} return new Guest(); }
        static Object anonymous() { return new Object() {}; }
        static Runnable lambda() { return () -> {}; }
    }

    /** Defines the classes whose names are in `own`. The program's loader loads all other classes. */
    static final class Loader extends ClassLoader {
        private final Set<String> own;

        Loader(String... own) {
            super(InnerOfOtherLoaders.class.getClassLoader());
            this.own = new TreeSet<>(Arrays.asList(own));
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!own.contains(name)) return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (InputStream in = InnerOfOtherLoaders.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static void show(String question, Callable<Object> answer) {
        String text;
        try {
            Object found = answer.call();
            if (found instanceof Class[]) {
                TreeSet<String> names = new TreeSet<>();
                for (Class<?> each : (Class<?>[]) found) names.add(each.getName());
                text = names.toString();
            } else {
                text = String.valueOf(found);
            }
        } catch (Throwable thrown) {
            text = thrown.toString().replaceAll("@[0-9a-f]+", "@");
        }
        System.out.println("  " + question + ": " + text);
    }

    static void show(Class<?> asked) {
        System.out.println(asked.getName() + (asked.getClassLoader() instanceof Loader ? " of the other loader" : ""));
        show("declaring", asked::getDeclaringClass);
        show("declared", asked::getDeclaredClasses);
        show("public", asked::getClasses);
        show("enclosing", asked::getEnclosingClass);
        show("enclosing method", asked::getEnclosingMethod);
        show("simple", asked::getSimpleName);
        show("canonical", asked::getCanonicalName);
        show("type", asked::getTypeName);
        show("member", asked::isMemberClass);
        show("local", asked::isLocalClass);
        show("anonymous", asked::isAnonymousClass);
        show("modifiers", asked::getModifiers);
        show("array", () -> asked.arrayType().getSimpleName());
        show("generic", asked::toGenericString);
        show("nest host", asked::getNestHost);
    }

    public static void main(String[] arguments) throws Exception {
        String house = "InnerOfOtherLoaders$House";
        String[] inside = {"$Room", "$Room$Cupboard", "$Garden", "$Colour", "$Colour$1", "$Door", "$1Guest", "$1"};
        System.out.println("--- one loader");
        for (String each : inside) show(Class.forName(house + each));
        show(House.class);

        System.out.println("--- the inner ones are the other loader's");
        String[] names = new String[inside.length];
        for (int i = 0; i < inside.length; i++) names[i] = house + inside[i];
        Loader inner = new Loader(names);
        for (String each : names) show(Class.forName(each, false, inner));

        System.out.println("--- the outer one is");
        Loader outer = new Loader(house);
        show(Class.forName(house, false, outer));

        System.out.println("--- both are");
        Loader both = new Loader(house, house + "$Room", house + "$1Guest", house + "$1");
        for (String each : new String[] {"", "$Room", "$1Guest", "$1"}) show(Class.forName(house + each, false, both));
        show(House.class);
    }
}
