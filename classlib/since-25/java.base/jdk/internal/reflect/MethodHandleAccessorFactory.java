// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.reflect.MethodHandleAccessorFactory.
// Why: the JDK's accessors call method handles; those of NativeAccessors have none. The constructors of serialization
// come through this class, too.
// Native: none.
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

final class MethodHandleAccessorFactory extends NativeAccessors {
    // Of DirectMethodHandleAccessor and its like, whose handles are not used.
    static final int SPECIALIZED_PARAM_COUNT = 3;

    private MethodHandleAccessorFactory() {}

    static class LazyStaticHolder {
        static final JavaLangInvokeAccess JLIA = SharedSecrets.getJavaLangInvokeAccess();
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

    public static boolean isSignaturePolymorphicMethod(Method method) {
        return false;   // the native accessors run them, too
    }
}
