// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A direct method handle taken apart: what Lookup.revealDirect returns.
package java.lang.invoke;

import java.lang.reflect.Member;

import static java.lang.invoke.MethodHandleInfo.*;

// What revealDirect returns.
final class RevealedHandle implements MethodHandleInfo {
    private final MemberName member;
    private final int kind;

    RevealedHandle(MemberName member, int kind) {
        this.member = member;
        this.kind = kind;
    }

    @Override
    public int getReferenceKind() {
        return kind;
    }

    @Override
    public Class<?> getDeclaringClass() {
        return member.clazz;
    }

    @Override
    public String getName() {
        return member.name;
    }

    @Override
    public MethodType getMethodType() {
        if (!member.isField()) return member.getMethodType();
        if (kind == REF_getField || kind == REF_getStatic) return MethodType.methodType(member.getFieldType());
        return MethodType.methodType(void.class, member.getFieldType());
    }

    @Override
    public int getModifiers() {
        return member.getModifiers();
    }

    @Override
    public <T extends Member> T reflectAs(Class<T> expected, MethodHandles.Lookup lookup) {
        if (member.isPolymorphic()) throw new IllegalArgumentException("cannot reflect signature polymorphic method");
        try {
            Member reflected;
            if (member.isField()) reflected = member.clazz.getDeclaredField(member.name);
            else if (member.isConstructor())
                reflected = member.clazz.getDeclaredConstructor(member.getMethodType().parameterArray());
            else reflected = member.clazz.getDeclaredMethod(member.name, member.getMethodType().parameterArray());
            if (lookup.allowedModes != MethodHandles.Lookup.TRUSTED)
                lookup.access.checkAccess(kind, member.clazz, member);
            return expected.cast(reflected);
        } catch (ReflectiveOperationException exception) {
            throw new IllegalArgumentException(exception);
        }
    }

    @Override
    public String toString() {
        return MethodHandleInfo.toString(kind, member.clazz, member.name, getMethodType());
    }
}
