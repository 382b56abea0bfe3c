// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the bytes of an object: `COUNT` objects of a shape are allocated and kept, and the growth of the used heap
// is divided by their number.
//
// Output: "<shape> <bytes>" for each shape.

import java.util.HashMap;

public class ObjectSizes {
    static class OneInt { int a; }
    static class TwoInts { int a, b; }
    static class ThreeInts { int a, b, c; }
    static class OneReference { Object a; }
    static class TwoReferences { Object a, b; }
    static class TwoReferencesOneInt { Object a, b; int c; }
    static class OneLong { long a; }
    static class OneByte { byte a; }

    interface Maker { Object make(int i); }

    static final int COUNT = 200_000;

    static long used() {
        for (int i = 0; i < 3; i++) System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    static void measure(String name, Maker maker) {
        java.util.Arrays.fill(kept, null);
        // a warm-up, so that compiled code and caches are not counted
        for (int i = 0; i < 20_000; i++) sink = maker.make(i);
        sink = null;
        long before = used();
        for (int i = 0; i < COUNT; i++) kept[i] = maker.make(i);
        long after = used();
        if (name != null) System.out.println(name + " " + Math.round((after - before) / (double) COUNT));
    }

    // The array is in a field, and in the old generation, so that neither a copy of the array nor a stale local is
    // counted for the next shape.
    static final Object[] kept = new Object[COUNT];
    static Object sink;

    static HashMap<Integer, Integer> map;
    static Integer[] keys;

    public static void main(String[] arguments) {
        measure(null, i -> new Object());   // discards the first shape, which includes garbage of the VM's start
        measure("Object", i -> new Object());
        measure("1-byte", i -> new OneByte());
        measure("1-int", i -> new OneInt());
        measure("2-ints", i -> new TwoInts());
        measure("3-ints", i -> new ThreeInts());
        measure("1-reference", i -> new OneReference());
        measure("2-references", i -> new TwoReferences());
        measure("2-references+int", i -> new TwoReferencesOneInt());
        measure("1-long", i -> new OneLong());
        measure("Integer", i -> Integer.valueOf(i + 1_000_000));
        measure("Long", i -> Long.valueOf(i + 1_000_000L));
        measure("String-of-8", i -> new String(new char[] {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}));
        measure("byte[0]", i -> new byte[0]);
        measure("byte[1]", i -> new byte[1]);
        measure("byte[8]", i -> new byte[8]);
        measure("byte[16]", i -> new byte[16]);
        measure("int[1]", i -> new int[1]);
        measure("int[2]", i -> new int[2]);
        measure("long[1]", i -> new long[1]);
        measure("Object[1]", i -> new Object[1]);
        measure("hashed-Object", i -> { Object o = new Object(); o.hashCode(); return o; });
        measure("hashed-1-int", i -> { Object o = new OneInt(); o.hashCode(); return o; });
        measure("hashed-2-ints", i -> { Object o = new TwoInts(); o.hashCode(); return o; });
        // Measures a node of a map whose table and keys were allocated before.
        keys = new Integer[COUNT];
        for (int i = 0; i < COUNT; i++) keys[i] = i + 1_000_000;
        map = new HashMap<>(COUNT * 2);
        map.put(-1, -1);
        long before = used();
        for (Integer key : keys) map.put(key, key);
        System.out.println("HashMap.Node " + Math.round((used() - before) / (double) COUNT));
    }
}
