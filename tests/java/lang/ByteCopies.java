// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// System.arraycopy of arrays that are known to be byte[]: all lengths, overlaps, errors; bytes and booleans stored
// through references of their own type and of Object; identity hashes and interfaces of many classes.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

public class ByteCopies {
    private byte[] bytes = new byte[64];

    private static String copy(byte[] from, int at, byte[] to, int toAt, int count) {
        try {
            System.arraycopy(from, at, to, toAt, count);
            return "copied";
        } catch (IndexOutOfBoundsException | NullPointerException thrown) {
            return thrown.getClass().getName();
        }
    }

    private int within(int at, int toAt, int count) {
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) (i * 7);
        String what = copy(bytes, at, bytes, toAt, count);
        return Arrays.hashCode(bytes) * 31 + what.hashCode();
    }

    private static void store(Object array, int index, int value) {
        if (array instanceof byte[]) ((byte[]) array)[index] = (byte) value;
        else if (array instanceof boolean[]) ((boolean[]) array)[index] = (value & 1) != 0;
    }

    private static int kinds(Object object) {
        int kinds = 0;
        if (object instanceof List) kinds |= 1;
        if (object instanceof Map) kinds |= 2;
        if (object instanceof Comparable) kinds |= 4;
        if (object instanceof RandomAccess) kinds |= 8;
        if (object instanceof CharSequence) kinds |= 16;
        if (object instanceof Number) kinds |= 32;
        if (object instanceof Integer) kinds |= 64;
        return kinds;
    }

    private static final class Plain {}

    public static void main(String[] arguments) {
        ByteCopies copies = new ByteCopies();
        long sum = 0;
        for (int round = 0; round < 30; round++) {
            for (int count = -1; count <= 66; count++) {
                for (int shift : new int[] {0, 1, 5, 8, 40}) {
                    sum = sum * 31 + copies.within(0, shift, count);
                    sum = sum * 31 + copies.within(shift, 0, count);
                }
            }
            sum = sum * 31 + copies.within(-1, 0, 0) + copies.within(0, -1, 4) + copies.within(64, 64, 0);
            sum = sum * 31 + copies.within(65, 0, 0) + copies.within(Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        }
        System.out.println(sum);
        System.out.println(copy(null, 0, new byte[1], 0, 0) + " " + copy(new byte[1], 0, null, 0, 0));
        byte[] some = new byte[4];
        boolean[] flags = new boolean[4];
        for (int i = 0; i < 20_000; i++) {
            store(some, i & 3, i);
            store(flags, i & 3, i >> 2);
        }
        System.out.println(Arrays.toString(some) + Arrays.toString(flags));
        Object[] objects = {"text", 5, 2.5, new ArrayList<>(), Map.of(), new Plain(), new int[1], new StringBuilder()};
        long all = 0;
        for (int i = 0; i < 40_000; i++) all = all * 31 + kinds(objects[i & 7]);
        System.out.println(all);
        int changed = 0, none = 0;
        for (int i = 0; i < 20_000; i++) {
            Plain plain = new Plain();
            int hash = plain.hashCode();
            if (hash == 0) none++;
            if ((i & 1) == 0) synchronized (plain) { if (plain.hashCode() != hash) changed++; }
            if (plain.hashCode() != hash || System.identityHashCode(plain) != hash) changed++;
            Plain held = new Plain();
            synchronized (held) {
                hash = held.hashCode();
            }
            if (held.hashCode() != hash) changed++;
        }
        System.out.println(changed + " " + none);
    }
}
