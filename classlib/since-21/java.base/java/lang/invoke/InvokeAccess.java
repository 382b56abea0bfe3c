// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets other packages of java.base use this package, through jdk.internal.access.SharedSecrets.
package java.lang.invoke;

import java.nio.ByteOrder;

final class InvokeAccess extends CommonInvokeAccess {
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
    public VarHandle memorySegmentViewHandle(Class<?> carrier, long alignmentMask, ByteOrder order) {
        return new SegmentViewVarHandle(carrier, new SegmentPlace(), alignmentMask, order, false);
    }
}
