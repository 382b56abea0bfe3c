// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Unsafe reads and writes elements, fields and memory outside the heap: every type, aligned and not, in loops that are
// long enough to be compiled.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class UnsafeAccesses {
    static final Unsafe UNSAFE;
    static {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            UNSAFE = (Unsafe) field.get(null);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static class Holder {
        byte b = 1;
        short s = -2;
        char c = '\uffff';
        int i = Integer.MIN_VALUE;
        long l = Long.MIN_VALUE + 1;
        float f = -0.0f;
        double d = Double.NaN;
        boolean z = true;
        Object o = "text";
    }

    static long offset(String name) {
        try {
            return UNSAFE.objectFieldOffset(Holder.class.getDeclaredField(name));
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static long fields(Holder holder, long[] at, int round) {
        long sum = UNSAFE.getByte(holder, at[0]) + 3L * UNSAFE.getShort(holder, at[1]);
        sum = sum * 31 + UNSAFE.getChar(holder, at[2]);
        sum = sum * 31 + UNSAFE.getInt(holder, at[3]);
        sum = sum * 31 + UNSAFE.getLong(holder, at[4]);
        sum = sum * 31 + Float.floatToIntBits(UNSAFE.getFloat(holder, at[5]));
        sum = sum * 31 + Double.doubleToLongBits(UNSAFE.getDouble(holder, at[6]));
        sum = sum * 31 + (UNSAFE.getBoolean(holder, at[7]) ? 1 : 0);
        sum = sum * 31 + UNSAFE.getObject(holder, at[8]).hashCode();
        sum = sum * 31 + UNSAFE.getObjectVolatile(holder, at[8]).hashCode();
        UNSAFE.putByte(holder, at[0], (byte) (round * 7));
        UNSAFE.putShort(holder, at[1], (short) (round * 701));
        UNSAFE.putChar(holder, at[2], (char) (round * 701));
        UNSAFE.putInt(holder, at[3], round * 100_003);
        UNSAFE.putLong(holder, at[4], round * 100_003_000_000L);
        UNSAFE.putFloat(holder, at[5], round * 0.5f);
        UNSAFE.putDouble(holder, at[6], round * 0.25);
        UNSAFE.putBoolean(holder, at[7], (round & 1) == 0);
        UNSAFE.putObject(holder, at[8], String.valueOf(round));
        sum = sum * 31 + holder.b + holder.s + holder.c + holder.i + holder.l;
        return sum * 31 + holder.o.hashCode() + (holder.z ? 1 : 0);
    }

    // If `base` is null, `from` is an address. `from` need not be aligned.
    static long bytes(Object base, long from, int round) {
        UNSAFE.putByte(base, from, (byte) 0x80);
        UNSAFE.putByte(base, from + 1, (byte) round);
        long sum = UNSAFE.getByte(base, from) + UNSAFE.getByte(base, from + 1);
        UNSAFE.putShort(base, from + 2, (short) -5);
        UNSAFE.putChar(base, from + 4, (char) (round + 0xff00));
        sum = sum * 31 + UNSAFE.getShort(base, from + 2) + UNSAFE.getChar(base, from + 4);
        sum = sum * 31 + UNSAFE.getShort(base, from + 4);
        UNSAFE.putInt(base, from + 7, -100);
        sum = sum * 31 + UNSAFE.getInt(base, from + 7) + UNSAFE.getInt(base, from + 5);
        UNSAFE.putLong(base, from + 11, -round);
        sum = sum * 31 + UNSAFE.getLong(base, from + 11);
        UNSAFE.putLong(base, from + 13, 0x0123456789ABCDEFL);
        for (int i = 0; i < 24; i++) sum = sum * 31 + UNSAFE.getByte(base, from + i);
        return sum;
    }

    static long outside(long address, int round) {
        UNSAFE.putInt(address, round);
        UNSAFE.putLong(address + 8, ~round);
        UNSAFE.putByte(address + 16, (byte) round);
        return UNSAFE.getInt(address) + UNSAFE.getLong(address + 8) * 31 + UNSAFE.getByte(address + 16);
    }

    static int withoutUnsafe(Unsafe unsafe, int[] values) {
        return unsafe.getInt(values, (long) Unsafe.ARRAY_INT_BASE_OFFSET);
    }

    public static void main(String[] arguments) {
        String[] names = {"b", "s", "c", "i", "l", "f", "d", "z", "o"};
        long[] at = new long[names.length];
        for (int i = 0; i < names.length; i++) at[i] = offset(names[i]);
        Holder holder = new Holder();
        byte[] bytes = new byte[64];
        long memory = UNSAFE.allocateMemory(64), sum = 0;
        UNSAFE.setMemory(memory, 64, (byte) 3);
        for (int round = 0; round < 20_000; round++) {
            sum = sum * 31 + fields(holder, at, round);
            sum = sum * 31 + bytes(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + round % 9, round);
            sum = sum * 31 + bytes(null, memory + round % 9, round);
            sum = sum * 31 + outside(memory, round);
            if (round % 5_000 == 0) System.out.println(sum);
        }
        System.out.println(sum);
        UNSAFE.freeMemory(memory);
        for (int round = 0; round < 3_000; round++) sum += withoutUnsafe(UNSAFE, new int[] {round});
        System.out.println(sum);
        try {
            System.out.println(withoutUnsafe(null, new int[1]));
        } catch (NullPointerException raised) {
            System.out.println("no Unsafe");
        }
    }
}
