// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets other packages of java.base use this package, through jdk.internal.access.SharedSecrets.
package java.lang.invoke;

import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Constructor;
import java.nio.ByteOrder;

final class InvokeAccess extends CommonInvokeAccess {
    // Bits of a stack frame's method; the VM writes them (classlib/natives/java.base/lang/callers.cpp).
    private static final int CALLER_SENSITIVE = 1 << 20;
    private static final int HIDDEN = 1 << 22;

    @Override
    public Class<?> getDeclaringClass(Object frameMember) {
        return (Class<?>) frameMember;
    }

    @Override
    public MethodType getMethodType(String descriptor, ClassLoader loader) {
        return MethodType.fromDescriptor(descriptor, loader);
    }

    @Override
    public boolean isCallerSensitive(int flags) {
        return (flags & CALLER_SENSITIVE) != 0;
    }

    @Override
    public boolean isHiddenMember(int flags) {
        return (flags & HIDDEN) != 0;
    }

    @Override
    public VarHandle memorySegmentViewHandle(Class<?> carrier, MemoryLayout enclosing, long alignmentMask,
                                             ByteOrder order, boolean constantOffset, long offset) {
        SegmentPlace place = new SegmentPlace(enclosing, constantOffset, offset);
        return new SegmentViewVarHandle(carrier, place, alignmentMask, order, false);
    }

    @Override
    public MethodHandle serializableConstructor(Class<?> made, Constructor<?> called) throws IllegalAccessException {
        return new DirectMethodHandle(unreflectConstructor(called).asFixedArity().internalMemberName(), made);
    }
}
