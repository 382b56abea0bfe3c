// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets other packages of java.base use this package, through jdk.internal.access.SharedSecrets. Its methods differ
// between releases.
package java.lang.invoke;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.invoke.NativeEntryPoint;

final class InvokeAccess implements JavaLangInvokeAccess {
    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("foreign memory and native method handles");
    }

    @Override
    public Object newMemberName() {
        return new MemberName(null, null, null, 0, 0, 0);
    }

    @Override
    public String getName(Object member) {
        return ((MemberName) member).name;
    }

    @Override
    public MethodType getMethodType(Object member) {
        return ((MemberName) member).getMethodType();
    }

    @Override
    public String getMethodDescriptor(Object member) {
        return getMethodType(member).toMethodDescriptorString();
    }

    @Override
    public boolean isNative(Object member) {
        return (((MemberName) member).flags & 0x100) != 0;
    }

    @Override
    public Class<?> getDeclaringClass(Object member) {
        return ((MemberName) member).clazz;
    }

    @Override
    public Map<String, byte[]> generateHolderClasses(Stream<String> traces) {
        return Map.of();
    }

    @Override
    public VarHandle memoryAccessVarHandle(Class<?> carrier, boolean skipAlignmentMaskCheck, long alignmentMask,
                                           ByteOrder order) {
        throw unsupported();
    }

    @Override
    public VarHandle filterValue(VarHandle target, MethodHandle filterToTarget, MethodHandle filterFromTarget) {
        throw unsupported();
    }

    @Override
    public VarHandle filterCoordinates(VarHandle target, int pos, MethodHandle... filters) {
        throw unsupported();
    }

    @Override
    public VarHandle dropCoordinates(VarHandle target, int pos, Class<?>... valueTypes) {
        throw unsupported();
    }

    @Override
    public VarHandle permuteCoordinates(VarHandle target, List<Class<?>> newCoordinates, int... reorder) {
        throw unsupported();
    }

    @Override
    public VarHandle collectCoordinates(VarHandle target, int pos, MethodHandle filter) {
        throw unsupported();
    }

    @Override
    public VarHandle insertCoordinates(VarHandle target, int pos, Object... values) {
        throw unsupported();
    }

    @Override
    public MethodHandle nativeMethodHandle(NativeEntryPoint entry, MethodHandle fallback) {
        throw unsupported();
    }

    @Override
    public void ensureCustomized(MethodHandle handle) {}
}
