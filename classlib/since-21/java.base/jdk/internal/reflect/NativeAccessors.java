// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessors of reflection without method handles, which are interpreted here: methods and constructors go through
// the JDK's own native accessors, fields through Unsafe.
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

class NativeAccessors {
    static MethodAccessorImpl newMethodAccessor(Method method, boolean callerSensitive) {
        MethodAccessorImpl plain = new DirectMethodHandleAccessor.NativeAccessor(method);
        return callerSensitive ? new CallerSensitiveAccessor(plain) : plain;
    }

    static ConstructorAccessorImpl newConstructorAccessor(Constructor<?> constructor) {
        return DirectConstructorHandleAccessor.nativeAccessor(constructor);
    }

    static FieldAccessorImpl newFieldAccessor(Field field, boolean isReadOnly) {
        return new MemoryFieldAccessor(field, isReadOnly);
    }
}
