// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Hidden classes are unloaded while their loader lives. Those with ClassOption.STRONG live as long as the loader. Code
// of a hidden class can use the class's own fields and methods.
// jvm: -Xmx40m -XX:MaxMetaspaceSize=22m
// stress: no
// timeout: 120

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.lang.ref.WeakReference;
import java.util.function.IntSupplier;

public class Hidden {
    /** A hidden class whose code uses its own fields and methods, through its own entry in the constant pool. */
    public static class Body implements IntSupplier {
        static int calls;
        private int field = 3;
        private int bump(int by) { return field += by; }
        public int getAsInt() {
            Body last = this;
            for (int i = 0; i < 3; i++) {
                Body made = calls % 2 == 0 ? new Body() : last;
                made.field += last.field + i;
                calls = (calls + made.bump(i)) % 1000;
                last = made;
            }
            field %= 1000;
            return last.field % 1000 + calls + new Body[2].length;
        }
    }

    /** The field has the type Hidden.Selfish, which is not the hidden class that is defined from this class file. */
    public static class Selfish {
        Selfish self;
        void set() { self = this; }
    }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = Hidden.class.getResourceAsStream("Hidden$" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    public static class Plain implements IntSupplier {
        static int calls;
        int field = 3;
        public int getAsInt() {
            calls += field;
            return ("calls " + calls).length() + calls + new int[4].length;
        }
    }

    static boolean gone(WeakReference<?> reference) throws Exception {
        for (int i = 0; i < 5000 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the object
        }
        return reference.get() == null;
    }

    static Class<?> define(byte[] bytes, ClassOption... options) throws Exception {
        return MethodHandles.lookup().defineHiddenClass(bytes, true, options).lookupClass();
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = bytes("Plain");
        long sum = 0;
        for (int i = 0; i < 8000; i++) {
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
            IntSupplier made = (IntSupplier) hidden.getDeclaredConstructor().newInstance();
            for (int k = 0; k < 20; k++) sum += made.getAsInt();
        }
        System.out.println(sum);
        System.out.println("weak: " + gone(new WeakReference<>(define(bytes))));
        System.out.println("nestmate: " + gone(new WeakReference<>(define(bytes, ClassOption.NESTMATE))));
        WeakReference<Class<?>> strong = new WeakReference<>(define(bytes, ClassOption.STRONG));
        System.gc();
        System.out.println("strong: " + (strong.get() != null));

        IntSupplier instance = (IntSupplier) define(bytes).getDeclaredConstructor().newInstance();
        System.gc();
        System.gc();
        System.out.println("instance: " + instance.getAsInt() + " " + instance.getClass().isHidden());
        Object array = java.lang.reflect.Array.newInstance(define(bytes), 3);
        System.gc();
        System.gc();
        System.out.println("array: " + array.getClass().getComponentType().isHidden());

        byte[] body = bytes("Body");
        long fields = 0;
        for (int i = 0; i < 100; i++) {
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(body, true, ClassOption.NESTMATE).lookupClass();
            IntSupplier made = (IntSupplier) hidden.getDeclaredConstructor().newInstance();
            if (made instanceof Body) throw new AssertionError("not a class of its own");
            for (int k = 0; k < 5; k++) fields += made.getAsInt();
            if (i % 10 == 0) System.gc();
        }
        System.out.println("fields: " + fields + " " + new Body().getAsInt());
        try {
            define(bytes("Selfish"));
            System.out.println("defined");
        } catch (VerifyError wrong) {
            System.out.println(wrong.getClass());
        }
    }
}
