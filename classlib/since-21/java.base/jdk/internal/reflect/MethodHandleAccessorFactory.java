// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.reflect.MethodHandleAccessorFactory.
// Why: the JDK's accessors call method handles; those of NativeAccessors have none.
// Native: none. A class is initialised here, so that traces of an initialiser that fails show the JDK's frames. What it
// throws is not wrapped as what a call throws.
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
    // Of DirectMethodHandleAccessor and its like, whose handles are not used.
    static final int SPECIALIZED_PARAM_COUNT = 3;

    static {
        // Until method handles are said to work, the library makes an accessor for each single call.
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
