// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A handle of a method or constructor. The VM calls it by two natives, one for results that are references. A handle
// that is called often has generated code for its call (vm/link/indy/direct_call.h).
package java.lang.invoke;

import java.util.function.BiFunction;

import jdk.internal.vm.annotation.Hidden;

final class DirectMethodHandle extends MethodHandle {
    // Code is generated after this number of calls, because generating it takes as long as some hundred calls.
    private static final int CALLS_BEFORE_CODE = 500;

    final MemberName member;
    final long method;          // the VM's Method; read by the natives
    final int kind;             // MethodHandleInfo.REF_*; read by the natives
    private final char result;  // descriptor letter of the result
    final Class<?> constructed; // for constructors: the new object's class; read by the natives
    Class<?> caller;            // if caller-sensitive: the class that looked it up
    private int calls;          // number of calls before there was code; not exact, because threads race
    private BiFunction<Object, Object, Object> code;

    private DirectMethodHandle(MethodType type, MemberName member) {
        super(type);
        this.member = member;
        this.method = member.address;
        this.kind = member.kind;
        this.constructed = member.kind == MethodHandleInfo.REF_newInvokeSpecial ? member.clazz : null;
        this.result = type.returnType().descriptorString().charAt(0);
    }

    // `receiver` is the type of the first parameter of an instance method's handle.
    static MethodHandle make(MemberName member, Class<?> receiver) {
        MethodType type = member.getMethodType();
        switch (member.kind) {
            case MethodHandleInfo.REF_invokeStatic: break;
            case MethodHandleInfo.REF_newInvokeSpecial: type = type.changeReturnType(member.clazz); break;
            default:
                // The VM relies on this check: the method runs on any object that is passed as that type.
                if (!member.clazz.isAssignableFrom(receiver)) throw new InternalError(member + " of " + receiver);
                type = type.insertParameterTypes(0, receiver);
                break;
        }
        MethodHandle handle = new DirectMethodHandle(type, member);
        if (!member.isVarargs()) return handle;
        int last = type.parameterCount() - 1;
        if (last < 0 || !type.parameterType(last).isArray()) return handle;
        return new Adapters.Varargs(handle, type.parameterType(last));
    }

    // A handle that makes an object of `made` and runs on it `member`, a constructor of a superclass.
    DirectMethodHandle(MemberName member, Class<?> made) {
        super(member.getMethodType().changeReturnType(made));
        this.member = member;
        this.method = member.address;
        this.kind = member.kind;
        this.constructed = made;
        this.result = 'L';
    }

    @Override
    @Hidden
    Object invokeBoxed(Object[] arguments) throws Throwable {
        if (TypeBoundary.IS_CHECKED) TypeBoundary.checkArguments(type, arguments, member);
        BiFunction<Object, Object, Object> code = this.code;
        if (code != null) {
            Object result = code.apply(null, arguments);
            if (result != code) return result;
        } else if (calls < CALLS_BEFORE_CODE && ++calls == CALLS_BEFORE_CODE && !makesSubclass()) {
            this.code = codeFor(method, kind);
        }
        switch (result) {
            case 'L': case '[': case 'V': return invokeReference(arguments);
            default: return Boxing.ofBits(result, invokePrimitive(arguments));
        }
    }

    // Does it run the constructor of a superclass? No bytecode can do that.
    private boolean makesSubclass() {
        return constructed != null && constructed != member.clazz;
    }

    // Returns the generated code; null if there is none.
    private static native BiFunction<Object, Object, Object> codeFor(long method, int kind);

    @Hidden
    private native Object invokeReference(Object[] arguments) throws Throwable;

    @Hidden
    private native long invokePrimitive(Object[] arguments) throws Throwable;

    @Override
    MemberName internalMemberName() {
        return member;
    }

    @Override
    Class<?> internalCallerClass() {
        return caller;
    }

    @Override
    boolean isInvokeSpecial() {
        return kind == MethodHandleInfo.REF_invokeSpecial;
    }
}
