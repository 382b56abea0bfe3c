// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A VarHandle that views bytes of a byte[] or ByteBuffer as wider values, in either byte order.
//
// Plain gets and sets may be unaligned. All other modes, in releases that have them, need an index that is aligned in
// memory. Objects are aligned to 8 bytes, so the offset in the array decides, and ByteBuffer.alignmentOffset agrees.
// The offset depends on the header: the first byte is at 12, 16 or 8.
//
// Generated adapters for byte[] call the typed getters and setters at the end. Message digests depend on their speed.
package java.lang.invoke;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

final class ByteViewVarHandle extends VarHandle {
    private static final boolean NATIVE_ORDER_IS_BIG = UNSAFE.isBigEndian();

    final boolean ofArray;         // read by VarHandleSite
    private final boolean bigEndian;
    private final int size;
    private final char letter;

    ByteViewVarHandle(Class<?> bytes, Class<?> view, boolean bigEndian, boolean exact) {
        super(view, exact, bytes, int.class);
        this.ofArray = bytes == byte[].class;
        this.bigEndian = bigEndian;
        this.letter = view.descriptorString().charAt(0);
        this.size = letter == 'J' || letter == 'D' ? 8 : letter == 'I' || letter == 'F' ? 4 : 2;
    }

    private static boolean isPlain(AccessMode mode) {
        return mode == AccessMode.GET || mode == AccessMode.SET;
    }

    @Override
    boolean supports(AccessMode mode) {
        if (isPlain(mode)) return true;
        if (ofArray && !ReleaseBehaviour.HEAP_VIEWS_ARE_ATOMIC) return false;
        if (mode.operation <= WRITE) return true;
        if (size == 2) return false;
        return mode.operation < ADD || letter == 'I' || letter == 'J';
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new ByteViewVarHandle(coordinates[0], varType, bigEndian, wanted);
    }

    // Field offsets of java.nio.Buffer, looked up when the first buffer is seen.
    private static final class BufferFields {
        static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, "address");
        static final long ARRAY = UNSAFE.objectFieldOffset(ByteBuffer.class, "hb");
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) {
        int index = (Integer) arguments[1];
        Object base;
        long address;
        if (ofArray) {
            byte[] array = (byte[]) arguments[0];
            base = array;
            address = offset(array, index);
        } else {
            ByteBuffer buffer = (ByteBuffer) arguments[0];
            if (mode.operation != READ && buffer.isReadOnly()) throw new ReadOnlyBufferException();
            Objects.checkIndex(index, buffer.limit() - (size - 1));
            base = UNSAFE.getReference(buffer, BufferFields.ARRAY);
            address = UNSAFE.getLong(buffer, BufferFields.ADDRESS) + index;
        }
        boolean isPlain = isPlain(mode);
        if (!isPlain && base != null && !ReleaseBehaviour.HEAP_VIEWS_ARE_ATOMIC) {
            throw new IllegalStateException("Atomic access not supported for heap buffer");
        }
        if (!isPlain && (address & (size - 1)) != 0) {
            throw new IllegalStateException("Misaligned access at index: " + index);
        }
        long first = mode.operation == READ ? 0 : toMemory(bitsOf(arguments[2]));
        long second = mode.operation == COMPARE || mode.operation == EXCHANGE ? toMemory(bitsOf(arguments[3])) : 0;
        char raw = size == 8 ? 'J' : size == 4 ? 'I' : 'C';
        long bits;
        if (isPlain) {
            bits = plain(base, address, mode.operation, first);
        } else if (mode.operation == ADD && bigEndian != NATIVE_ORDER_IS_BIG) {
            long sum;
            do {
                bits = accessBits(base, address, READ, raw, 0, 0);
                sum = toMemory(toMemory(bits) + bitsOf(arguments[2]));
            } while (accessBits(base, address, COMPARE, raw, bits, sum) == 0);
        } else {
            bits = accessBits(base, address, mode.operation, raw, first, second);
        }
        if (mode.operation == WRITE) return null;
        if (mode.operation == COMPARE) return bits != 0;
        return Boxing.ofBits(letter, toMemory(bits));
    }

    // Converts between a value and its bits in memory, as the machine's byte order reads them. It is its own inverse.
    private long toMemory(long bits) {
        if (bigEndian == NATIVE_ORDER_IS_BIG) return bits;
        switch (size) {
            case 8: return Long.reverseBytes(bits);
            case 4: return Integer.reverseBytes((int) bits);
            default: return Character.reverseBytes((char) bits);
        }
    }

    private long plain(Object base, long address, int operation, long bits) {
        boolean isRead = operation == READ;
        switch (size) {
            case 8:
                if (isRead) return UNSAFE.getLongUnaligned(base, address);
                UNSAFE.putLongUnaligned(base, address, bits);
                return 0;
            case 4:
                if (isRead) return UNSAFE.getIntUnaligned(base, address);
                UNSAFE.putIntUnaligned(base, address, (int) bits);
                return 0;
            default:
                if (isRead) return UNSAFE.getCharUnaligned(base, address);
                UNSAFE.putCharUnaligned(base, address, (char) bits);
                return 0;
        }
    }

    // --- byte[] only ---

    private static byte[] bytes(Object array) {
        return (byte[]) Objects.requireNonNull(array);
    }

    private long offset(byte[] array, int index) {
        int places = array.length - (size - 1);
        if (index < 0 || index >= places) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + places);
        }
        return Unsafe.ARRAY_BYTE_BASE_OFFSET + (long) index;
    }

    short getShort(Object array, int index) {
        return UNSAFE.getShortUnaligned(bytes(array), offset((byte[]) array, index), bigEndian);
    }

    void setShort(Object array, int index, short value) {
        UNSAFE.putShortUnaligned(bytes(array), offset((byte[]) array, index), value, bigEndian);
    }

    char getChar(Object array, int index) {
        return UNSAFE.getCharUnaligned(bytes(array), offset((byte[]) array, index), bigEndian);
    }

    void setChar(Object array, int index, char value) {
        UNSAFE.putCharUnaligned(bytes(array), offset((byte[]) array, index), value, bigEndian);
    }

    int getInt(Object array, int index) {
        return UNSAFE.getIntUnaligned(bytes(array), offset((byte[]) array, index), bigEndian);
    }

    void setInt(Object array, int index, int value) {
        UNSAFE.putIntUnaligned(bytes(array), offset((byte[]) array, index), value, bigEndian);
    }

    long getLong(Object array, int index) {
        return UNSAFE.getLongUnaligned(bytes(array), offset((byte[]) array, index), bigEndian);
    }

    void setLong(Object array, int index, long value) {
        UNSAFE.putLongUnaligned(bytes(array), offset((byte[]) array, index), value, bigEndian);
    }

    float getFloat(Object array, int index) {
        return Float.intBitsToFloat(getInt(array, index));
    }

    void setFloat(Object array, int index, float value) {
        setInt(array, index, Float.floatToRawIntBits(value));
    }

    double getDouble(Object array, int index) {
        return Double.longBitsToDouble(getLong(array, index));
    }

    void setDouble(Object array, int index, double value) {
        setLong(array, index, Double.doubleToRawLongBits(value));
    }
}
