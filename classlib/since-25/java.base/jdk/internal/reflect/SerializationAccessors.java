// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Accessors of MethodHandleAccessorFactory for serialization: constructors of one class that make objects of another.
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

class SerializationAccessors {
    static ConstructorAccessorImpl newSerializableConstructorAccessor(Class<?> made, Constructor<?> called) {
        if (!called.getDeclaringClass().isAssignableFrom(made)) {
            throw new UnsupportedOperationException(called + " not a superclass of " + made.getName());
        }
        try {
            var access = MethodHandleAccessorFactory.LazyStaticHolder.JLIA;
            return new HandleConstructorAccessor(access.serializableConstructor(made, called));
        } catch (IllegalAccessException impossible) {
            throw new InternalError(impossible);
        }
    }

    public static boolean isSignaturePolymorphicMethod(Method method) {
        return false;   // the native accessors run them, too
    }
}
