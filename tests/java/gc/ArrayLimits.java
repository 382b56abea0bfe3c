// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx32m
// stress: no
// Arrays with lengths at the limits (negative, near the largest int, beyond the heap), made in each way that Java has.
import java.lang.reflect.Array;
import java.util.*;

public class ArrayLimits {
    interface Make { Object make(int length) throws Exception; }

    static void attempt(String name, Make make) {
        StringBuilder line = new StringBuilder(name);
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 1, 60_000_000, Integer.MAX_VALUE - 2,
                     Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
            try {
                Object made = make.make(length);
                line.append(" | ").append(made == null ? "null" : Integer.toString(Array.getLength(made)));
            } catch (Throwable t) {
                line.append(" | ").append(t.getClass().getSimpleName()).append(": ").append(t.getMessage());
            }
        }
        System.out.println(line);
    }

    public static void main(String[] args) {
        attempt("boolean", length -> new boolean[length]);
        attempt("long", length -> new long[length]);
        attempt("double", length -> new double[length]);
        attempt("int", length -> new int[length]);
        attempt("Object", length -> new Object[length]);
        attempt("int[][]", length -> new int[length][]);
        attempt("inner int[][]", length -> new int[2][length]);
        attempt("long[][][]", length -> new long[1][length][1]);
        attempt("reflective", length -> Array.newInstance(long.class, length));
        attempt("reflective Object", length -> Array.newInstance(String.class, length));
        attempt("reflective long[][]", length -> Array.newInstance(long.class, 2, length));
        attempt("copyOf", length -> Arrays.copyOf(new long[] {1}, length));
        long[] large = new long[1_500_000];
        attempt("clone", length -> {
            Object[] kept = new Object[10];
            for (int i = 0; i < 10 && length > 1; i++) kept[i] = large.clone();
            return kept;
        });
        try {
            StringBuilder builder = new StringBuilder("0123456789");
            while (true) builder.append(builder);
        } catch (OutOfMemoryError e) {
            System.out.println("builder: " + e.getMessage());
        }
        try {
            System.out.println("x".repeat(Integer.MAX_VALUE).length());
        } catch (OutOfMemoryError e) {
            System.out.println("repeat: " + e.getMessage());
        }
        try {
            List<Object> list = new ArrayList<>();
            while (true) list.add(null);
        } catch (OutOfMemoryError e) {
            System.out.println("list: " + e.getMessage());
        }
        throw new OutOfMemoryError("made by hand");
    }
}
