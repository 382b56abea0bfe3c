// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessor of a field of any type: reads and writes memory. It extends the JDK's accessors based on method handles,
// to use their error messages.
package jdk.internal.reflect;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Objects;

import jdk.internal.misc.Unsafe;

final class MemoryFieldAccessor extends MethodHandleFieldAccessorImpl {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    // Sets of descriptors' letters, as bits.
    private static final int REFERENCE = bits("L[");
    private static final int Z = bits("Z");
    private static final int CIJFD = bits("CIJFD");
    private static final int BSIJFD = bits("BSIJFD");
    private static final int SIJFD = bits("SIJFD");
    private static final int IJFD = bits("IJFD");
    private static final int JFD = bits("JFD");
    private static final int FD = bits("FD");
    private static final int D = bits("D");
    private static final int B = bits("B");
    private static final int C = bits("C");
    private static final int BS = bits("BS");
    private static final int BSCI = bits("BSCI");
    private static final int BSCIJ = bits("BSCIJ");
    private static final int BSCIJF = bits("BSCIJF");
    private static final int BSCIJFD = bits("BSCIJFD");

    private final Object base;    // the mirror, if the field is static; else null
    private final long offset;
    private final char letter;    // first letter of the field's descriptor
    private final int bit;        // as a set
    private final Class<?> declaring;
    private final boolean isVolatile;

    MemoryFieldAccessor(Field field, boolean isReadOnly) {
        super(field, null, null, isReadOnly, Modifier.isStatic(field.getModifiers()));
        String descriptor = field.getType().descriptorString();
        letter = descriptor.charAt(0);
        bit = bits(descriptor.substring(0, 1));
        declaring = field.getDeclaringClass();
        isVolatile = Modifier.isVolatile(field.getModifiers());
        if (isStatic()) {
            base = UNSAFE.staticFieldBase(field);
            offset = UNSAFE.staticFieldOffset(field);
        } else {
            base = null;
            offset = UNSAFE.objectFieldOffset(field);
        }
    }

    private static int bits(String letters) {
        int result = 0;
        for (int i = 0; i < letters.length(); i++) result |= 1 << letters.charAt(i) - 'A';
        return result;
    }

    private boolean has(Object object) {
        return Objects.requireNonNull(object).getClass() == declaring || declaring.isInstance(object);
    }

    private Object holderOf(Object object) {
        if (base != null) return base;
        if (!has(object)) throw newGetIllegalArgumentException(object);
        return object;
    }

    private Object holderToSet(Object object) {
        if (base != null) return base;
        if (!has(object)) throw newSetIllegalArgumentException(object);
        return object;
    }

    private Object holderChecked(Object object) {
        if (base != null) return base;
        ensureObj(object);
        return object;
    }

    private boolean is(int letters) {
        return (bit & letters) != 0;
    }

    // ---- memory -----------------------------------------------------------------------------------------------------

    private long integer(Object holder) {
        switch (letter) {
            case 'B': return getByteAt(holder);
            case 'S': return getShortAt(holder);
            case 'C': return getCharAt(holder);
            case 'I': return getIntAt(holder);
            default: return getLongAt(holder);
        }
    }

    private void put(Object holder, long value) {
        switch (letter) {
            case 'B': putByteAt(holder, (byte) value); break;
            case 'S': putShortAt(holder, (short) value); break;
            case 'C': putCharAt(holder, (char) value); break;
            case 'I': putIntAt(holder, (int) value); break;
            case 'J': putLongAt(holder, value); break;
            case 'F': putFloatAt(holder, value); break;
            default: putDoubleAt(holder, value); break;
        }
    }

    private float real(Object holder) {
        return letter == 'F' ? getFloatAt(holder) : integer(holder);
    }

    private double wideReal(Object holder) {
        if (letter == 'D') return getDoubleAt(holder);
        return letter == 'F' ? getFloatAt(holder) : integer(holder);
    }

    private void putReal(Object holder, float value) {
        if (letter == 'F') putFloatAt(holder, value);
        else putDoubleAt(holder, value);
    }

    // The exception shows the value as it would be stored: widened to the type of the field.
    private void refuse(Object object, double value) throws IllegalAccessException {
        holderChecked(object);
        switch (letter) {
            case 'B': throwFinalFieldIllegalAccessException((byte) value); break;
            case 'S': throwFinalFieldIllegalAccessException((short) value); break;
            case 'C': throwFinalFieldIllegalAccessException((char) value); break;
            case 'I': throwFinalFieldIllegalAccessException((int) value); break;
            case 'F': throwFinalFieldIllegalAccessException((float) value); break;
            default: throwFinalFieldIllegalAccessException(value); break;
        }
    }

    private void refuse(Object object, long value) throws IllegalAccessException {
        if (letter != 'J') refuse(object, (double) value);
        holderChecked(object);
        throwFinalFieldIllegalAccessException(value);
    }

    // ---- objects ----------------------------------------------------------------------------------------------------

    @Override
    public Object get(Object object) {
        Object holder = holderOf(object);
        switch (letter) {
            case 'Z': return getBooleanAt(holder);
            case 'B': return (byte) integer(holder);
            case 'S': return (short) integer(holder);
            case 'C': return (char) integer(holder);
            case 'I': return (int) integer(holder);
            case 'J': return integer(holder);
            case 'F': return real(holder);
            case 'D': return wideReal(holder);
            default: return getReferenceAt(holder);
        }
    }

    @Override
    public void set(Object object, Object value) throws IllegalAccessException {
        Object holder = holderChecked(object);
        if (isReadOnly()) throwFinalFieldIllegalAccessException(value);
        if (is(REFERENCE)) {
            if (value != null && !field.getType().isInstance(value)) throwSetIllegalArgumentException(value);
            putReferenceAt(holder, value);
        } else if (value instanceof Boolean flag && is(Z)) {
            putBooleanAt(holder, flag);
        } else if (value instanceof Character character && is(CIJFD)) {
            put(holder, character);
        } else if (value instanceof Byte number && is(BSIJFD)) {
            put(holder, number);
        } else if (value instanceof Short number && is(SIJFD)) {
            put(holder, number);
        } else if (value instanceof Integer number && is(IJFD)) {
            put(holder, number);
        } else if (value instanceof Long number && is(JFD)) {
            put(holder, number);
        } else if (value instanceof Float number && is(FD)) {
            putReal(holder, number);
        } else if (value instanceof Double number && is(D)) {
            putDoubleAt(holder, number);
        } else {
            throwSetIllegalArgumentException(value);
        }
    }

    // ---- primitive values -------------------------------------------------------------------------------------------

    @Override
    public boolean getBoolean(Object object) {
        if (!is(Z)) throw newGetBooleanIllegalArgumentException();
        return getBooleanAt(holderOf(object));
    }

    @Override
    public byte getByte(Object object) {
        if (!is(B)) throw newGetByteIllegalArgumentException();
        return (byte) integer(holderOf(object));
    }

    @Override
    public char getChar(Object object) {
        if (!is(C)) throw newGetCharIllegalArgumentException();
        return (char) integer(holderOf(object));
    }

    @Override
    public short getShort(Object object) {
        if (!is(BS)) throw newGetShortIllegalArgumentException();
        return (short) integer(holderOf(object));
    }

    @Override
    public int getInt(Object object) {
        if (!is(BSCI)) throw newGetIntIllegalArgumentException();
        return (int) integer(holderOf(object));
    }

    @Override
    public long getLong(Object object) {
        if (!is(BSCIJ)) throw newGetLongIllegalArgumentException();
        return integer(holderOf(object));
    }

    @Override
    public float getFloat(Object object) {
        if (!is(BSCIJF)) throw newGetFloatIllegalArgumentException();
        return real(holderOf(object));
    }

    @Override
    public double getDouble(Object object) {
        if (!is(BSCIJFD)) throw newGetDoubleIllegalArgumentException();
        return wideReal(holderOf(object));
    }

    @Override
    public void setBoolean(Object object, boolean value) throws IllegalAccessException {
        if (!is(Z)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) {
            holderChecked(object);
            throwFinalFieldIllegalAccessException(value);
        }
        putBooleanAt(holderToSet(object), value);
    }

    @Override
    public void setByte(Object object, byte value) throws IllegalAccessException {
        if (!is(BSIJFD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        put(holderToSet(object), value);
    }

    @Override
    public void setChar(Object object, char value) throws IllegalAccessException {
        if (!is(CIJFD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        put(holderToSet(object), value);
    }

    @Override
    public void setShort(Object object, short value) throws IllegalAccessException {
        if (!is(SIJFD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        put(holderToSet(object), value);
    }

    @Override
    public void setInt(Object object, int value) throws IllegalAccessException {
        if (!is(IJFD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        put(holderToSet(object), value);
    }

    @Override
    public void setLong(Object object, long value) throws IllegalAccessException {
        if (!is(JFD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        put(holderToSet(object), value);
    }

    @Override
    public void setFloat(Object object, float value) throws IllegalAccessException {
        if (!is(FD)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        putReal(holderToSet(object), value);
    }

    @Override
    public void setDouble(Object object, double value) throws IllegalAccessException {
        if (!is(D)) throwSetIllegalArgumentException(value);
        if (isReadOnly()) refuse(object, value);
        putDoubleAt(holderToSet(object), value);
    }

    // --- one access, which is volatile only if the field is ---

    private boolean getBooleanAt(Object holder) {
        return isVolatile ? UNSAFE.getBooleanVolatile(holder, offset) : UNSAFE.getBoolean(holder, offset);
    }

    private void putBooleanAt(Object holder, boolean value) {
        if (isVolatile) UNSAFE.putBooleanVolatile(holder, offset, value);
        else UNSAFE.putBoolean(holder, offset, value);
    }

    private byte getByteAt(Object holder) {
        return isVolatile ? UNSAFE.getByteVolatile(holder, offset) : UNSAFE.getByte(holder, offset);
    }

    private void putByteAt(Object holder, byte value) {
        if (isVolatile) UNSAFE.putByteVolatile(holder, offset, value);
        else UNSAFE.putByte(holder, offset, value);
    }

    private short getShortAt(Object holder) {
        return isVolatile ? UNSAFE.getShortVolatile(holder, offset) : UNSAFE.getShort(holder, offset);
    }

    private void putShortAt(Object holder, short value) {
        if (isVolatile) UNSAFE.putShortVolatile(holder, offset, value);
        else UNSAFE.putShort(holder, offset, value);
    }

    private char getCharAt(Object holder) {
        return isVolatile ? UNSAFE.getCharVolatile(holder, offset) : UNSAFE.getChar(holder, offset);
    }

    private void putCharAt(Object holder, char value) {
        if (isVolatile) UNSAFE.putCharVolatile(holder, offset, value);
        else UNSAFE.putChar(holder, offset, value);
    }

    private int getIntAt(Object holder) {
        return isVolatile ? UNSAFE.getIntVolatile(holder, offset) : UNSAFE.getInt(holder, offset);
    }

    private void putIntAt(Object holder, int value) {
        if (isVolatile) UNSAFE.putIntVolatile(holder, offset, value);
        else UNSAFE.putInt(holder, offset, value);
    }

    private long getLongAt(Object holder) {
        return isVolatile ? UNSAFE.getLongVolatile(holder, offset) : UNSAFE.getLong(holder, offset);
    }

    private void putLongAt(Object holder, long value) {
        if (isVolatile) UNSAFE.putLongVolatile(holder, offset, value);
        else UNSAFE.putLong(holder, offset, value);
    }

    private float getFloatAt(Object holder) {
        return isVolatile ? UNSAFE.getFloatVolatile(holder, offset) : UNSAFE.getFloat(holder, offset);
    }

    private void putFloatAt(Object holder, float value) {
        if (isVolatile) UNSAFE.putFloatVolatile(holder, offset, value);
        else UNSAFE.putFloat(holder, offset, value);
    }

    private double getDoubleAt(Object holder) {
        return isVolatile ? UNSAFE.getDoubleVolatile(holder, offset) : UNSAFE.getDouble(holder, offset);
    }

    private void putDoubleAt(Object holder, double value) {
        if (isVolatile) UNSAFE.putDoubleVolatile(holder, offset, value);
        else UNSAFE.putDouble(holder, offset, value);
    }

    private Object getReferenceAt(Object holder) {
        return isVolatile ? UNSAFE.getReferenceVolatile(holder, offset) : UNSAFE.getReference(holder, offset);
    }

    private void putReferenceAt(Object holder, Object value) {
        if (isVolatile) UNSAFE.putReferenceVolatile(holder, offset, value);
        else UNSAFE.putReference(holder, offset, value);
    }
}
