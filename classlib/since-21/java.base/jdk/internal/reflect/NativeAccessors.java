// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessors of reflection without method handles, which are interpreted here. Those of methods and constructors are
// the JDK's, so that checks, exceptions and stack traces are; only where they would call their handle, a native method
// calls what is reflected (classlib/natives/java.base/reflect/invocation.cpp). Fields go through Unsafe.
package jdk.internal.reflect;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;
import jdk.internal.vm.annotation.Hidden;
import sun.invoke.util.ValueConversions;
import sun.invoke.util.Wrapper;

class NativeAccessors {
    static {
        // Until method handles are said to work, the library makes an accessor for each single call.
        VM.setJavaLangInvokeInited();
        takeOver(DirectMethodHandleAccessor.class);
    }

    // Makes invokeImpl, which is hidden, a native method.
    private static native void takeOver(Class<?> accessors);

    private static final class OfMethod extends DirectMethodHandleAccessor {
        private final Method method;

        OfMethod(Method method) {
            super(method, null, false);
            this.method = method;
        }
    }

    private static final class OfConstructor extends DirectConstructorHandleAccessor {
        private final Constructor<?> constructor;

        OfConstructor(Constructor<?> constructor) {
            super(constructor, null);
            this.constructor = constructor;
        }

        @Override
        @Hidden
        Object invokeImpl(Object[] arguments) {
            return create(constructor, arguments);
        }
    }

    @Hidden
    private static native Object create(Constructor<?> constructor, Object[] arguments);

    static MethodAccessorImpl newMethodAccessor(Method method, boolean callerSensitive) {
        Class<?> owner = method.getDeclaringClass();
        if (Modifier.isNative(method.getModifiers()) && (owner == MethodHandle.class || owner == VarHandle.class)) {
            return new DirectMethodHandleAccessor.NativeAccessor(method);
        }
        ensureClassInitialized(owner);
        MethodAccessorImpl plain = new OfMethod(method);
        return callerSensitive ? new CallerSensitiveAccessor(plain) : plain;
    }

    static ConstructorAccessorImpl newConstructorAccessor(Constructor<?> constructor) {
        ensureClassInitialized(constructor.getDeclaringClass());
        return new OfConstructor(constructor);
    }

    // What that throws is not wrapped as what a call throws.
    private static void ensureClassInitialized(Class<?> owner) {
        Unsafe.getUnsafe().ensureClassInitialized(owner);
    }

    static FieldAccessorImpl newFieldAccessor(Field field, boolean isReadOnly) {
        return new MemoryFieldAccessor(field, isReadOnly);
    }

    // What a handle throws for an argument that is no value of its parameter's type. The accessor must be the first
    // that the trace shows, but for Class.cast.
    @Hidden
    private static RuntimeException refusal(Class<?> type, Object argument) throws Throwable {
        try {
            if (type.isPrimitive()) {
                ValueConversions.unboxWiden(Wrapper.forPrimitiveType(type)).invokeWithArguments(argument);
            } else {
                type.cast(argument);
            }
        } catch (NullPointerException | ClassCastException failure) {
            return failure;
        }
        throw new InternalError(argument + " is a value of " + type);
    }
}
