// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A VarHandle of the elements of arrays of one type.
package java.lang.invoke;

import java.lang.reflect.Array;
import java.util.Optional;
import jdk.internal.vm.annotation.Hidden;

final class ArrayVarHandle extends VarHandle {
    private final Class<?> arrayClass;

    ArrayVarHandle(Class<?> arrayClass, boolean exact) {
        super(arrayClass.getComponentType(), exact, arrayClass, int.class);
        this.arrayClass = arrayClass;
        this.offset = UNSAFE.arrayBaseOffset(arrayClass);
        this.shift = 31 - Integer.numberOfLeadingZeros(UNSAFE.arrayIndexScale(arrayClass));
    }

    @Override
    boolean supports(AccessMode mode) {
        return typeSupports(varType, mode.operation);
    }

    @Override
    boolean isDirect() {
        return true;
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new ArrayVarHandle(arrayClass, wanted);
    }

    // Called by generated adapters before a reference is stored.
    static void checkStore(Object array, Object value) {
        if (value == null) return;
        Class<?> component = array.getClass().getComponentType();
        if (!component.isInstance(value)) throw new ArrayStoreException();
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) {
        Object array = arguments[0];
        int index = (Integer) arguments[1];
        int length = Array.getLength(array);
        if (index < 0 || index >= length) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
        }
        if (!varType.isPrimitive() && mode.operation != READ) {
            if (mode == AccessMode.SET) {
                ((Object[]) array)[index] = Boxing.cast(arguments[2], varType);
                return null;
            }
            for (int i = 2; i < arguments.length; i++) Boxing.cast(arguments[i], varType);
            checkStore(array, arguments[arguments.length - 1]);
        }
        return accessAt(array, offset + ((long) index << shift), mode, varType, arguments, 2);
    }

    @Override
    public Optional<VarHandleDesc> describeConstable() {
        return arrayClass.describeConstable().map(new ToDesc());
    }

    private static final class ToDesc
            implements java.util.function.Function<java.lang.constant.ClassDesc, VarHandleDesc> {
        @Override
        public VarHandleDesc apply(java.lang.constant.ClassDesc array) {
            return VarHandleDesc.ofArray(array);
        }
    }
}
