// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A VarHandle of a field.
package java.lang.invoke;

import java.lang.constant.ClassDesc;
import java.util.Optional;
import jdk.internal.vm.annotation.Hidden;

final class FieldVarHandle extends VarHandle {
    private final MemberName member;
    private final boolean isReadOnly;

    FieldVarHandle(MemberName member, Class<?> receiver, boolean isReadOnly, boolean exact) {
        super(member.getFieldType(), exact, coordinates(member, receiver));
        this.member = member;
        this.isReadOnly = isReadOnly;
        this.base = member.isStatic() ? member.clazz : null;
        this.offset = member.address;
        if (base != null && UNSAFE.shouldBeInitialized(member.clazz)) UNSAFE.ensureClassInitialized(member.clazz);
    }

    private static Class<?>[] coordinates(MemberName member, Class<?> receiver) {
        return member.isStatic() ? new Class<?>[0] : new Class<?>[] {receiver};
    }

    @Override
    boolean supports(AccessMode mode) {
        return isReadOnly ? mode.operation == READ : typeSupports(varType, mode.operation);
    }

    @Override
    boolean isDirect() {
        return true;
    }

    @Override
    VarHandle withExact(boolean wanted) {
        return new FieldVarHandle(member, base != null ? null : coordinates[0], isReadOnly, wanted);
    }

    @Override
    @Hidden
    Object accessBoxed(AccessMode mode, Object[] arguments) {
        if (base != null) return accessAt(base, offset, mode, varType, arguments, 0);
        Object holder = arguments[0];
        if (holder == null) throw new NullPointerException();
        return accessAt(holder, offset, mode, varType, arguments, 1);
    }

    @Override
    public Optional<VarHandleDesc> describeConstable() {
        Optional<ClassDesc> declaring = member.clazz.describeConstable();
        Optional<ClassDesc> type = varType.describeConstable();
        if (declaring.isEmpty() || type.isEmpty()) return Optional.empty();
        return Optional.of(base != null ? VarHandleDesc.ofStaticField(declaring.get(), member.name, type.get())
                                        : VarHandleDesc.ofField(declaring.get(), member.name, type.get()));
    }
}
