// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Call sites of the application have met classes whose loaders have died since then. The sites are virtual and
// interface calls with one receiver class or several, type tests and array stores, hot enough to be compiled and
// inlined. New classes get the ids and the memory of the dead classes.
// timeout: 90

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

public class Dispatch {
    public interface Operation { int apply(int x); }
    public static abstract class Base implements Operation {
        abstract int amount();
        int twice() { return amount() * 2; }
    }

    public static class A extends Base {
        int field = 1;
        public int apply(int x) { return x + field; }
        int amount() { return 5; }
    }
    public static class B extends Base {
        static int offset = 7;
        public int apply(int x) { return x - offset; }
        int amount() { return 11; }
        @Override int twice() { return amount() * 20; }
    }
    public static class C extends A {
        int other = 100;
        public int apply(int x) { return x * 3 + other; }
        @Override int amount() { return super.amount() + other; }
    }

    static class Loader extends ClassLoader {
        Loader() { super(Dispatch.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.length() != "Dispatch$A".length() || !name.startsWith("Dispatch$"))
                return super.loadClass(name, resolve);
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

    // The classes of a Loader are in another run-time package than this class. So calls use public methods, or
    // package-private methods that classes of the application declare.
    static long viaInterface(Operation operation, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) sum += operation.apply(i);
        return sum;
    }

    static long viaObject(Object object, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            sum += object.hashCode() == System.identityHashCode(object) ? 1 : 2;
            if (object instanceof Operation) sum += ((Operation) object).apply(1);
        }
        return sum;
    }

    static long viaArray(Operation[] operations, Operation operation, int times) {
        for (int i = 0; i < times; i++) operations[i % operations.length] = operation;
        return operations[0].apply(times);
    }

    static String text(Object object, int times) {
        String last = "";
        for (int i = 0; i < times; i++) last = object.toString().substring(0, 10);
        return last;
    }

    public static void main(String[] arguments) throws Exception {
        String[] names = {"A", "B", "C", "A", "C", "B", "B"};
        long sum = 0;
        List<Object> some = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            Loader loader = new Loader();
            Operation operation = (Operation) Class.forName("Dispatch$" + names[i % names.length], true, loader)
                                          .getDeclaredConstructor()
                                          .newInstance();
            sum = sum * 7 + viaInterface(operation, 600);
            sum = sum * 7 + viaObject(operation, 600);
            sum = sum * 7 + viaArray(new Operation[3], operation, 300);
            sum = sum * 7 + text(operation, 300).hashCode();
            if (i % 10 == 3) some.add(operation);
            if (some.size() > 4) some.remove(0);
            if (i % 5 == 4) System.gc();
            for (Object kept : some) sum += viaInterface((Operation) kept, 5);
        }
        System.out.println(sum);
    }
}
