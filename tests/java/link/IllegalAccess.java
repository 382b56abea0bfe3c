// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class that another loader defines accesses private, protected and package-private members of this class.
import java.io.InputStream;

public class IllegalAccess {
    static class Hidden { }
    static int packageField = 1;
    private static int privateField = 2;
    protected static int protectedField = 3;
    static void packageMethod() {}
    private static void privateMethod() {}
    IllegalAccess() {}

    public static class User implements Runnable {
        public void run() {
            attempt(() -> packageField++);
            attempt(() -> privateField++);
            attempt(() -> protectedField++);
            attempt(() -> packageMethod());
            attempt(() -> privateMethod());
            attempt(() -> new IllegalAccess());
            attempt(() -> new Hidden());
            attempt(() -> System.out.println(new Hidden[1].length));
            attempt(() -> System.out.println(Hidden.class));
            attempt(() -> System.out.println(((Object) "x") instanceof Hidden));
        }
        static void attempt(Runnable r) {
            try {
                r.run();
                System.out.println("allowed");
            } catch (Error e) {
                System.out.println(e.toString().replaceAll("@[0-9a-f]+", "@"));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader other = new ClassLoader("other", IllegalAccess.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.equals("IllegalAccess$User")) return super.loadClass(name, resolve);
                Class<?> known = findLoadedClass(name);
                if (known != null) return known;
                try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        ((Runnable) other.loadClass("IllegalAccess$User").getConstructor().newInstance()).run();
        new User().run();
    }
}
