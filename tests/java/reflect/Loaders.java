// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class loader of one's own: define, parent delegation, two classes of one name.
import java.io.*;

public class Loaders {
    public static class Payload {
        public static int count;

        public String hello() {
            return "hello " + ++count;
        }
    }

    static class Own extends ClassLoader {
        Own(ClassLoader p) {
            super("own", p);
        }

        @Override
        protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            if (n.equals("Loaders$Payload")) {
                Class<?> c = findLoadedClass(n);
                return c != null ? c : findClass(n);
            }
            return super.loadClass(n, r);
        }

        @Override
        protected Class<?> findClass(String n) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(n.replace('.', '/') + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(n, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader app = Loaders.class.getClassLoader();
        Class<?> a = new Own(app).loadClass("Loaders$Payload"),
                b = new Own(app).loadClass("Loaders$Payload");
        System.out.println(
                (a == b)
                        + " "
                        + (a == Payload.class)
                        + " "
                        + a.getName()
                        + " "
                        + a.getClassLoader().getName());
        Object x = a.getConstructor().newInstance();
        System.out.println(
                a.getMethod("hello").invoke(x)
                        + " "
                        + a.getMethod("hello").invoke(x)
                        + " "
                        + b.getMethod("hello").invoke(b.getConstructor().newInstance())
                        + " "
                        + Payload.count);
        try {
            Payload p = (Payload) x;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        Own o = new Own(app);
        o.loadClass("Loaders$Payload");
        try {
            o.findClass("Loaders$Payload");
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        try {
            new ClassLoader() {
                Class<?> go() {
                    return defineClass("X", new byte[] {1, 2, 3, 4, 0, 0, 0, 0, 0, 0}, 0, 10);
                }
            }.go();
        } catch (ClassFormatError e) {
            System.out.println(e.getMessage());
        }
        try {
            new ClassLoader() {
                Class<?> go() {
                    return defineClass("java.lang.X", new byte[4], 0, 4);
                }
            }.go();
        } catch (SecurityException e) {
            System.out.println(e.getMessage());
        }
    }
}
