// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A reference in a local that is never read again does not keep its object alive; an int with the bits of a reference
// neither keeps an object in its place nor is changed when the object moves.
// javac: -XDignore.symbol.file
// expected: dead collected\nlive kept\nmoved: true\nint unchanged: true
// stderr: ignore

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;

public class DeadLocals {
    static boolean collected(WeakReference<?> reference) {
        for (int i = 0; i < 5 && reference.get() != null; i++) System.gc();
        return reference.get() == null;
    }

    /** Returns the 32 bits by which an array's element refers to the object. */
    static int bits(sun.misc.Unsafe unsafe, Object object) {
        Object[] holder = {object};
        return unsafe.getInt(holder, (long) unsafe.arrayBaseOffset(Object[].class));
    }

    public static void main(String[] arguments) throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);

        Object dead = new byte[100];
        WeakReference<Object> deadReference = new WeakReference<>(dead);
        Object live = new byte[100];
        WeakReference<Object> liveReference = new WeakReference<>(live);
        int looksLikeAReference = bits(unsafe, live);
        int copy = ~looksLikeAReference;

        System.out.println(collected(deadReference) ? "dead collected" : "DEAD KEPT");
        System.out.println(collected(liveReference) ? "LIVE COLLECTED" : "live kept");
        System.out.println("moved: " + (bits(unsafe, live) != looksLikeAReference));
        System.out.println("int unchanged: " + (looksLikeAReference == ~copy));
    }
}
