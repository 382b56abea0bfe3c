// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The accessors of reflection without method handles, which are interpreted here. Those of methods and constructors are
// the JDK's, so that checks, exceptions and stack traces are; only where they would call their handle, a native method
// calls what is reflected (classlib/natives/java.base/reflect/invocation.cpp), and generated code what is called often
// (vm/link/indy/direct_call.h). Fields go through Unsafe.
package jdk.internal.reflect;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.BiFunction;

import jdk.internal.vm.annotation.Hidden;
import sun.invoke.util.ValueConversions;
import sun.invoke.util.Wrapper;

class NativeAccessors {
    // Of the accessors' two hidden methods invokeImpl, the one without a caller has the body of invoke from now on; the
    // other one is native.
    static native void takeOver(Class<?> accessors);

    // What is called often has code.
    private static final class Calls {
        // Making it takes as long as some hundred calls.
        private static final int BEFORE_CODE = 500;

        private final Executable called;
        private int count;   // without code; about
        private BiFunction<Object, Object, Object> code;

        Calls(Executable called) {
            this.called = called;
        }

        // Null: there is none.
        @Hidden
        BiFunction<Object, Object, Object> next() {
            if (code == null && count < BEFORE_CODE && ++count == BEFORE_CODE) {
                code = codeFor(addressOf(called), called.getParameterTypes());
            }
            return code;
        }
    }

    private static final class OfMethod extends DirectMethodHandleAccessor {
        private final Method method;
        private final long address;   // of the VM's method that is called: `method`'s, or its adapter's
        private final Calls calls;

        OfMethod(Method method, Method called) {
            super(method, null, called != method);
            this.method = method;
            address = addressOf(called);
            calls = new Calls(called);
        }
    }

    @Hidden
    private static Object invoke(DirectMethodHandleAccessor self, Object receiver, Object[] arguments) {
        OfMethod accessor = (OfMethod) self;
        BiFunction<Object, Object, Object> code = accessor.calls.next();
        if (code != null) {
            Object result = code.apply(receiver, arguments);
            if (result != code) return result;
        }
        return invoke0(accessor, receiver, arguments);
    }

    private static final class OfConstructor extends DirectConstructorHandleAccessor {
        private final Constructor<?> constructor;
        private final Calls calls;

        OfConstructor(Constructor<?> constructor) {
            super(constructor, null);
            this.constructor = constructor;
            calls = new Calls(constructor);
        }

        @Override
        @Hidden
        Object invokeImpl(Object[] arguments) {
            BiFunction<Object, Object, Object> code = calls.next();
            if (code != null) {
                Object result = code.apply(null, arguments);
                if (result != code) return result;
            }
            return create(constructor, arguments);
        }
    }

    // So that a call need not look for it. The VM's method lives as long as its class, which the accessor knows.
    private static native long addressOf(Executable executable);

    // Null: there is none.
    private static native BiFunction<Object, Object, Object> codeFor(long method, Class<?>[] parameterTypes);

    @Hidden
    private static native Object invoke0(OfMethod self, Object receiver, Object[] arguments);

    @Hidden
    private static native Object create(Constructor<?> constructor, Object[] arguments);

    static MethodAccessorImpl of(Method method, boolean callerSensitive) {
        return new OfMethod(method, callerSensitive ? adapterOf(method) : method);
    }

    static ConstructorAccessorImpl of(Constructor<?> constructor) {
        return new OfConstructor(constructor);
    }

    // A method that asks who calls it may have a namesake that is told, by a last parameter.
    private static Method adapterOf(Method method) {
        int count = method.getParameterCount();
        Class<?>[] types = Arrays.copyOf(method.getParameterTypes(), count + 1);
        types[count] = Class.class;
        try {
            return method.getDeclaringClass().getDeclaredMethod(method.getName(), types);
        } catch (NoSuchMethodException none) {
            return method;
        }
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
