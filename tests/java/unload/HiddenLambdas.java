// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lambdas and string concatenations in hidden classes: the classes generated for them belong to the hidden class's
// unit, die with it, and keep it alive. (The JDK looks up the hidden class by its name.)
// expected: 168200\n0 of 200 are left\nkept by its lambda: seen 49\n1 of 1 is left, then 0
// jvm: -Xmx40m
// timeout: 120

import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class HiddenLambdas {
    public static class Body implements IntSupplier, Supplier<Object> {
        static int calls;
        public int getAsInt() {
            int seen = ++calls;
            Supplier<String> text = () -> "calls " + calls;
            IntSupplier sum = () -> seen + calls;
            return text.get().length() + sum.getAsInt();
        }
        public Object get() {
            int seen = calls;
            Supplier<String> text = () -> "seen " + (seen + calls);
            return text;
        }
    }

    static Object make(byte[] bytes, List<WeakReference<Class<?>>> made) throws Exception {
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        made.add(new WeakReference<>(hidden));
        return hidden.getDeclaredConstructor().newInstance();
    }

    /**
     * Collects garbage until at most `wanted` of the classes are left, or `collections` collections have been made.
     * Returns the number of classes that are left.
     */
    static int left(List<WeakReference<Class<?>>> made, int wanted, int collections) throws Exception {
        int left = made.size();
        for (int i = 0; i < collections && left > wanted; i++) {
            System.gc();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the classes
            left = 0;
            for (WeakReference<Class<?>> each : made) if (each.get() != null) left++;
        }
        return left;
    }

    static long useMany(byte[] bytes, List<WeakReference<Class<?>>> made) throws Exception {
        long sum = 0;
        for (int i = 0; i < 200; i++) {
            IntSupplier body = (IntSupplier) make(bytes, made);
            for (int k = 0; k < 25; k++) sum += body.getAsInt();
            if (i % 40 == 39) System.gc();
        }
        return sum;
    }

    static Supplier<?> keepOne(byte[] bytes, List<WeakReference<Class<?>>> made) throws Exception {
        Object body = make(bytes, made);
        for (int k = 0; k < 24; k++) ((IntSupplier) body).getAsInt();
        Supplier<?> text = (Supplier<?>) ((Supplier<?>) body).get();
        ((IntSupplier) body).getAsInt();
        return text;
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = HiddenLambdas.class.getResourceAsStream("HiddenLambdas$Body.class").readAllBytes();
        List<WeakReference<Class<?>>> many = new ArrayList<>(), one = new ArrayList<>();
        System.out.println(useMany(bytes, many));
        System.out.println(left(many, 0, 5000) + " of " + many.size() + " are left");
        Supplier<?> text = keepOne(bytes, one);
        int kept = left(one, 0, 20);
        System.out.println("kept by its lambda: " + text.get());
        text = null;
        System.out.println(kept + " of 1 is left, then " + left(one, 0, 5000));
    }
}
