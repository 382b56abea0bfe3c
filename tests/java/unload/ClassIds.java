// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A header can name only a limited number of classes. When all ids are used, unused classes give theirs back; an error
// comes only when there are no unused classes.
// jvm: -XX:KlassIdLimit=3000 -Xmx64m
// expected: classes 8000
// expected: arrays 8000
// expected: hidden 8000
// expected: softly reachable 8000, the last is there
// expected: kept: java.lang.OutOfMemoryError: Compressed class space
// expected: after them 8000
// expected: 42
// stress: no
// timeout: 120

import java.lang.invoke.MethodHandles;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

public class ClassIds {
    public static class Item {
        static int next = 41;
        public int number() { return ++next; }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static final int COUNT = 8000;

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = ClassIds.class.getResourceAsStream("ClassIds$Item.class").readAllBytes();
        Item item = new Item();
        for (int i = 0; i < COUNT; i++) new Loader().define(bytes);
        System.out.println("classes " + COUNT);

        int dimensions = 0;
        while (dimensions < COUNT) {
            Class<?> array = new Loader().define(bytes);
            for (int k = 0; k < 200; k++) array = array.arrayType();
            dimensions += 200;
        }
        System.out.println("arrays " + dimensions);

        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (int i = 0; i < COUNT; i++) lookup.defineHiddenClass(bytes, false);
        System.out.println("hidden " + COUNT);

        List<SoftReference<Class<?>>> soft = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) soft.add(new SoftReference<>(new Loader().define(bytes)));
        System.out.println("softly reachable " + soft.size() + ", the last is "
                + (soft.get(COUNT - 1).get() != null ? "there" : "gone"));

        List<Class<?>> kept = new ArrayList<>();
        try {
            for (int i = 0; i < COUNT; i++) kept.add(new Loader().define(bytes));
        } catch (OutOfMemoryError full) {
            kept.clear();
            System.out.println("kept: " + full);
        }
        for (int i = 0; i < COUNT; i++) new Loader().define(bytes);
        System.out.println("after them " + COUNT);
        System.out.println(item.number());
    }
}
