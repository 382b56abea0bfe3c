// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.reflect.MethodHandleAccessorFactory.
// Why: the JDK's accessors call method handles; those of NativeAccessors have none.
// Native: none. A class is initialised here, so that the stack trace of a failing initialiser shows the JDK's frames.
// Its exception is not wrapped, unlike the exception of a call.
package jdk.internal.reflect;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

final class MethodHandleAccessorFactory extends SerializationAccessors {
    // A constant that DirectMethodHandleAccessor and similar classes use, whose handles are not used here.
    static final int SPECIALIZED_PARAM_COUNT = 3;

    static {
        // The library makes an accessor for each single call until it is told that method handles work.
        VM.setJavaLangInvokeInited();
        NativeAccessors.takeOver(DirectMethodHandleAccessor.class);
    }

    private MethodHandleAccessorFactory() {}

    static class LazyStaticHolder {
        static final JavaLangInvokeAccess JLIA = SharedSecrets.getJavaLangInvokeAccess();
    }

    static MethodAccessorImpl newMethodAccessor(Method method, boolean callerSensitive) {
        Class<?> owner = method.getDeclaringClass();
        if (Modifier.isNative(method.getModifiers()) && (owner == MethodHandle.class || owner == VarHandle.class)) {
            return new DirectMethodHandleAccessor.NativeAccessor(method);
        }
        ensureClassInitialized(owner);
        return NativeAccessors.of(method, callerSensitive);
    }

    static ConstructorAccessorImpl newConstructorAccessor(Constructor<?> constructor) {
        ensureClassInitialized(constructor.getDeclaringClass());
        return NativeAccessors.of(constructor);
    }

    static FieldAccessorImpl newFieldAccessor(Field field, boolean isReadOnly) {
        ensureClassInitialized(field.getDeclaringClass());
        return new MemoryFieldAccessor(field, isReadOnly);
    }

    static void ensureClassInitialized(Class<?> owner) {
        Unsafe.getUnsafe().ensureClassInitialized(owner);
    }
}
