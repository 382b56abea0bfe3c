// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.reflect.MethodHandleAccessorFactory.
// Why: the JDK's accessors are method handles, which are interpreted here. Methods and constructors go through the JDK's
// own native accessors instead, fields through Unsafe.
// Native: none.
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

final class MethodHandleAccessorFactory {
    // Of DirectMethodHandleAccessor and its like, of which only the native halves are used.
    static final int SPECIALIZED_PARAM_COUNT = 3;

    private MethodHandleAccessorFactory() {}

    static class LazyStaticHolder {
        static final JavaLangInvokeAccess JLIA = SharedSecrets.getJavaLangInvokeAccess();
    }

    static MethodAccessorImpl newMethodAccessor(Method method, boolean callerSensitive) {
        MethodAccessorImpl plain = new DirectMethodHandleAccessor.NativeAccessor(method);
        return callerSensitive ? new CallerSensitiveAccessor(plain) : plain;
    }

    static ConstructorAccessorImpl newConstructorAccessor(Constructor<?> constructor) {
        return DirectConstructorHandleAccessor.nativeAccessor(constructor);
    }

    static ConstructorAccessorImpl newSerializableConstructorAccessor(Class<?> made, Constructor<?> called) {
        if (!called.getDeclaringClass().isAssignableFrom(made)) {
            throw new UnsupportedOperationException(called + " not a superclass of " + made.getName());
        }
        try {
            return new HandleConstructorAccessor(LazyStaticHolder.JLIA.serializableConstructor(made, called));
        } catch (IllegalAccessException impossible) {
            throw new InternalError(impossible);
        }
    }

    static FieldAccessorImpl newFieldAccessor(Field field, boolean isReadOnly) {
        return new MemoryFieldAccessor(field, isReadOnly);
    }

    public static boolean isSignaturePolymorphicMethod(Method method) {
        return false;   // the native accessors run them, too
    }
}
