// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VarHandles store a literal null, which javac passes as a Void, into fields, static fields and elements: in every
// storing access mode, often enough to be compiled. The test also stores values of type Void that are not null.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class StoredNulls {
    static final VarHandle FIELD, STATIC, ELEMENT, COUNT;
    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FIELD = lookup.findVarHandle(StoredNulls.class, "field", String.class);
            STATIC = lookup.findStaticVarHandle(StoredNulls.class, "ofClass", String.class);
            ELEMENT = MethodHandles.arrayElementVarHandle(String[].class);
            COUNT = lookup.findVarHandle(StoredNulls.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
    volatile String field;
    static String ofClass;
    int count;

    // Returns a bit for each access mode that has stored null.
    static int fields(StoredNulls o) {
        int stored = 0;
        o.field = "a";
        FIELD.set(o, null);
        stored |= o.field == null ? 1 : 0;
        o.field = "a";
        FIELD.setVolatile(o, null);
        stored |= o.field == null ? 2 : 0;
        o.field = "a";
        FIELD.setRelease(o, null);
        stored |= o.field == null ? 4 : 0;
        o.field = "a";
        FIELD.setOpaque(o, null);
        stored |= o.field == null ? 8 : 0;
        o.field = "a";
        stored |= FIELD.compareAndSet(o, "a", null) && o.field == null ? 16 : 0;
        stored |= FIELD.compareAndSet(o, null, null) && !FIELD.compareAndSet(o, "a", null) ? 32 : 0;
        o.field = "a";
        stored |= FIELD.compareAndExchange(o, "a", null) == "a" && o.field == null ? 64 : 0;
        o.field = "a";
        stored |= FIELD.getAndSet(o, null) == "a" && o.field == null ? 128 : 0;
        o.field = "a";
        while (!FIELD.weakCompareAndSet(o, "a", null)) {
        }
        return stored | (o.field == null ? 256 : 0);
    }
    static int others(String[] array, int index) {
        int stored = 0;
        ofClass = array[index] = "a";
        STATIC.set(null);
        ELEMENT.set(array, index, null);
        stored |= ofClass == null && array[index] == null ? 1 : 0;
        ofClass = array[index] = "a";
        stored |= STATIC.compareAndSet("a", null) && ELEMENT.compareAndSet(array, index, "a", null) ? 2 : 0;
        stored |= ofClass == null && array[index] == null ? 4 : 0;
        ofClass = array[index] = "a";
        String a = (String) STATIC.getAndSet(null), b = (String) ELEMENT.getAndSet(array, index, null);
        return stored | (a == "a" && b == "a" && ofClass == null && array[index] == null ? 8 : 0);
    }

    interface Action {
        void run();
    }
    static void expectThrow(String name, Action action) {
        for (int i = 0; i < 3; i++) {
            try {
                action.run();
                System.out.println(name + ": nothing");
            } catch (RuntimeException e) {
                System.out.println(name + ": " + e.getClass().getName());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        StoredNulls o = new StoredNulls();
        String[] array = new String[2];
        int all = -1;
        for (int i = 0; i < 20_000; i++) all &= fields(o) & (others(array, i & 1) | ~15);
        System.out.println(all);
        expectThrow("no object", () -> FIELD.set((StoredNulls) null, null));
        expectThrow("no literal object", () -> FIELD.set(null, "b"));
        expectThrow("no array", () -> ELEMENT.set((String[]) null, 0, null));
        expectThrow("no such element", () -> ELEMENT.set(array, 2, null));
        expectThrow("an int", () -> COUNT.set(o, null));
        Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        Void something = (Void) ((Unsafe) unsafe.get(null)).allocateInstance(Void.class);
        expectThrow("a Void", () -> FIELD.set(o, something));
        expectThrow("a Void, compared", () -> FIELD.compareAndSet(o, null, something));
        expectThrow("a Void, exchanged", () -> STATIC.getAndSet(something));
        expectThrow("a Void, as an element", () -> ELEMENT.setVolatile(array, 0, something));
        System.out.println(o.field + ofClass + array[0]);
    }
}
