// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reflection over fields, methods, constructors: listing, reading, writing, calling, errors.
import java.lang.reflect.*;
import java.util.*;

public class Members {
    static class Base {
        protected int inherited = 1;

        public void baseMethod() {}
    }

    static class T extends Base implements Comparable<T> {
        private int a = 5;
        public static String s = "st";
        final long c = 7;
        volatile double[] d;

        T() {}

        public T(int a, String... rest) {
            this.a = a + rest.length;
        }

        private int add(int x, long y) {
            return (int) (a + x + y);
        }

        public static Object stat(Object o) {
            return "stat" + o;
        }

        void fails() throws Exception {
            throw new java.io.IOException("inside");
        }

        public int compareTo(T o) {
            return 0;
        }

        <X extends Number> List<? super X> generic(Map<String, X[]> m) {
            return null;
        }
    }

    static <M extends Member> void list(M[] ms) {
        Arrays.stream(ms).map(Object::toString).sorted().forEach(System.out::println);
    }

    public static void main(String[] args) throws Exception {
        Class<T> k = T.class;
        list(k.getDeclaredFields());
        list(k.getDeclaredMethods());
        list(k.getDeclaredConstructors());
        list(k.getConstructors());
        T t = k.getConstructor(int.class, String[].class).newInstance(10, new String[] {"x", "y"});
        Field f = k.getDeclaredField("a");
        f.setAccessible(true);
        System.out.println(f.getInt(t) + " " + f.get(t));
        f.set(t, 100);
        f.setInt(t, f.getInt(t) + 1);
        System.out.println(f.get(t));
        k.getField("s").set(null, "new");
        System.out.println(T.s);
        Method m = k.getDeclaredMethod("add", int.class, long.class);
        m.setAccessible(true);
        System.out.println(
                m.invoke(t, 1, 2L)
                        + " "
                        + m.invoke(t, (byte) 1, 2)
                        + " "
                        + k.getMethod("stat", Object.class).invoke(null, "!"));
        try {
            k.getDeclaredMethod("fails").invoke(t);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        try {
            m.invoke(t, "wrong", 1L);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            m.invoke(t, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            k.getField("nope");
        } catch (NoSuchFieldException e) {
            System.out.println(e);
        }
        try {
            k.getMethod("nope", int.class);
        } catch (NoSuchMethodException e) {
            System.out.println(e);
        }
        try {
            f.set(t, "str");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                k.getDeclaredMethod("generic", Map.class).toGenericString()
                        + " "
                        + Arrays.toString(k.getGenericInterfaces())
                        + " "
                        + k.getSuperclass()
                        + " "
                        + Modifier.toString(k.getModifiers())
                        + " "
                        + k.getDeclaringClass()
                        + " "
                        + k.getEnclosingClass().getSimpleName());
        try {
            String.class.getDeclaredField("value").setAccessible(true);
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        Object arr = Array.newInstance(int.class, 3);
        Array.setInt(arr, 1, 9);
        System.out.println(
                Array.get(arr, 1)
                        + " "
                        + Array.getLength(arr)
                        + " "
                        + Array.newInstance(String.class, 2, 3).getClass());
        try {
            Abstract.class.getDeclaredConstructor().newInstance();
        } catch (InstantiationException e) {
            System.out.println(e);
        }
        Parameter p = m.getParameters()[0];
        System.out.println(p.getType() + " " + p.getName());
    }

    abstract static class Abstract {
        Abstract() {}
    }
}
