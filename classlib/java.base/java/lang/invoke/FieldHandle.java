// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A handle that reads or writes a field, through Unsafe; volatile fields with volatile accesses.
package java.lang.invoke;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

final class FieldHandle extends MethodHandle {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final MemberName member;
    private final Object base;        // the mirror that holds a static field, else null
    private final long offset;
    private final boolean isSetter;
    private final boolean isVolatile;
    private final char letter;
    private volatile boolean needsInitialization;

    private FieldHandle(MethodType type, MemberName member) {
        super(type);
        this.member = member;
        this.isSetter = MethodHandleNatives.refKindIsSetter(member.kind);
        this.base = member.isStatic() ? member.clazz : null;
        this.offset = member.address;
        this.isVolatile = member.isVolatile();
        this.letter = member.getFieldType().descriptorString().charAt(0);
        this.needsInitialization = member.isStatic() && UNSAFE.shouldBeInitialized(member.clazz);
    }

    static MethodHandle make(MemberName member, Class<?> receiver) {
        Class<?> field = member.getFieldType();
        MethodType type;
        switch (member.kind) {
            case MethodHandleInfo.REF_getField: type = MethodType.methodType(field, receiver); break;
            case MethodHandleInfo.REF_getStatic: type = MethodType.methodType(field); break;
            case MethodHandleInfo.REF_putField: type = MethodType.methodType(void.class, receiver, field); break;
            default: type = MethodType.methodType(void.class, field); break;
        }
        return new FieldHandle(type, member);
    }

    @Override
    MemberName internalMemberName() {
        return member;
    }

    @Override
    @Hidden
    Object invokeBoxed(Object[] arguments) {
        if (TypeBoundary.IS_CHECKED) TypeBoundary.checkArguments(type, arguments, member);
        Object holder = base;
        int next = 0;
        if (holder == null) {
            holder = arguments[next++];
            if (holder == null) throw new NullPointerException();
        } else if (needsInitialization) {
            UNSAFE.ensureClassInitialized(member.clazz);
            needsInitialization = UNSAFE.shouldBeInitialized(member.clazz);
        }
        if (!isSetter) return read(holder);
        write(holder, arguments[next]);
        return null;
    }

    private Object read(Object holder) {
        switch (letter) {
            case 'I': return isVolatile ? UNSAFE.getIntVolatile(holder, offset) : UNSAFE.getInt(holder, offset);
            case 'J': return isVolatile ? UNSAFE.getLongVolatile(holder, offset) : UNSAFE.getLong(holder, offset);
            case 'Z': return isVolatile ? UNSAFE.getBooleanVolatile(holder, offset) : UNSAFE.getBoolean(holder, offset);
            case 'B': return isVolatile ? UNSAFE.getByteVolatile(holder, offset) : UNSAFE.getByte(holder, offset);
            case 'S': return isVolatile ? UNSAFE.getShortVolatile(holder, offset) : UNSAFE.getShort(holder, offset);
            case 'C': return isVolatile ? UNSAFE.getCharVolatile(holder, offset) : UNSAFE.getChar(holder, offset);
            case 'F': return isVolatile ? UNSAFE.getFloatVolatile(holder, offset) : UNSAFE.getFloat(holder, offset);
            case 'D': return isVolatile ? UNSAFE.getDoubleVolatile(holder, offset) : UNSAFE.getDouble(holder, offset);
            default:
                return isVolatile ? UNSAFE.getReferenceVolatile(holder, offset) : UNSAFE.getReference(holder, offset);
        }
    }

    private void write(Object holder, Object value) {
        switch (letter) {
            case 'I':
                if (isVolatile) UNSAFE.putIntVolatile(holder, offset, (Integer) value);
                else UNSAFE.putInt(holder, offset, (Integer) value);
                break;
            case 'J':
                if (isVolatile) UNSAFE.putLongVolatile(holder, offset, (Long) value);
                else UNSAFE.putLong(holder, offset, (Long) value);
                break;
            case 'Z':
                if (isVolatile) UNSAFE.putBooleanVolatile(holder, offset, (Boolean) value);
                else UNSAFE.putBoolean(holder, offset, (Boolean) value);
                break;
            case 'B':
                if (isVolatile) UNSAFE.putByteVolatile(holder, offset, (Byte) value);
                else UNSAFE.putByte(holder, offset, (Byte) value);
                break;
            case 'S':
                if (isVolatile) UNSAFE.putShortVolatile(holder, offset, (Short) value);
                else UNSAFE.putShort(holder, offset, (Short) value);
                break;
            case 'C':
                if (isVolatile) UNSAFE.putCharVolatile(holder, offset, (Character) value);
                else UNSAFE.putChar(holder, offset, (Character) value);
                break;
            case 'F':
                if (isVolatile) UNSAFE.putFloatVolatile(holder, offset, (Float) value);
                else UNSAFE.putFloat(holder, offset, (Float) value);
                break;
            case 'D':
                if (isVolatile) UNSAFE.putDoubleVolatile(holder, offset, (Double) value);
                else UNSAFE.putDouble(holder, offset, (Double) value);
                break;
            default:
                Boxing.convertExplicitly(value, Object.class, member.getFieldType());
                if (isVolatile) UNSAFE.putReferenceVolatile(holder, offset, value);
                else UNSAFE.putReference(holder, offset, value);
                break;
        }
    }
}
