// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reflection and method handles call methods so often that code is generated for these; then their classes are
// unloaded. The loader defines a class at each request, so a second request for a class gets a LinkageError.
// stress: no
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

public class CalledOften {
    public static class Called {
        private int calls;
        public Called() {}
        public int add(int number) { return number + ++calls; }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(CalledOften.class.getClassLoader());
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("CalledOften$Called")) return super.loadClass(name, resolve);
            try (InputStream in = CalledOften.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    public static void main(String[] arguments) throws Throwable {
        long sum = 0;
        for (int round = 0; round < 30; round++) {
            Class<?> called = new Loader().loadClass("CalledOften$Called");
            Constructor<?> constructor = called.getConstructor();
            Method add = called.getMethod("add", int.class);
            MethodHandle handle = MethodHandles.publicLookup().unreflect(add);
            MethodHandle maker = MethodHandles.publicLookup().unreflectConstructor(constructor);
            for (int i = 0; i < 700; i++) {
                Object object = i % 2 == 0 ? constructor.newInstance() : maker.invoke();
                sum += (Integer) add.invoke(object, i) + (int) handle.invoke(object, i);
            }
            if (round % 5 == 4) System.gc();
        }
        System.out.println(sum);
    }
}
