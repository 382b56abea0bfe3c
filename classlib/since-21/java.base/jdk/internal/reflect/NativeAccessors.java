// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessors of reflection without method handles, which are interpreted here: methods and constructors go through
// the JDK's own native accessors, fields through Unsafe. Native accessors call refusalOfNull
// (classlib/natives/java.base/reflect/invocation.cpp).
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

import jdk.internal.misc.VM;
import sun.invoke.util.ValueConversions;
import sun.invoke.util.Wrapper;

class NativeAccessors {
    // Until method handles are said to work, the library makes an accessor for each single call.
    static {
        VM.setJavaLangInvokeInited();
    }

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

    // What native accessors throw for a null in place of a primitive: what the conversion by a method handle ends with.
    private static IllegalArgumentException refusalOfNull(Class<?> type) throws Throwable {
        try {
            ValueConversions.unboxWiden(Wrapper.forPrimitiveType(type)).invokeWithArguments((Object) null);
        } catch (NullPointerException failure) {
            return new IllegalArgumentException(failure);
        }
        throw new InternalError("null is a value of " + type);
    }
}
