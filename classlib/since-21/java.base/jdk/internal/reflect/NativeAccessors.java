// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Accessors of reflection that work without method handles, which are interpreted in this VM. Accessors of methods and
// constructors are the JDK's own, and so are checks, exceptions and stack traces. Only their call of a handle is
// replaced: by a native method (classlib/natives/java.base/reflect/invocation.cpp), and for frequent calls by generated
// code (vm/link/indy/direct_call.h). Fields use Unsafe.
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
    // Replaces the bodies of the accessors' two hidden methods invokeImpl: the method without a caller gets the body of
    // `invoke`, the other one becomes native.
    static native void takeOver(Class<?> accessors);

    // Counts calls, and has generated code for frequent ones.
    private static final class Calls {
        // Code is generated after this number of calls, because generating it takes as long as some hundred calls.
        private static final int BEFORE_CODE = 500;

        private final Executable called;
        private int count;   // calls before there was code; not exact, because threads race
        private BiFunction<Object, Object, Object> code;

        Calls(Executable called) {
            this.called = called;
        }

        // Returns the generated code; null if there is none.
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
        private final long address;   // the VM's method to call: `method`'s, or its adapter's
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

    // The address of the VM's method, so that a call need not search it. The method lives as long as its class, which
    // the accessor keeps alive.
    private static native long addressOf(Executable executable);

    // Returns the generated code; null if there is none.
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

    // A caller-sensitive method may have an adapter of the same name, which takes the caller as its last parameter.
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

    // The exception that a handle throws for an argument that is no value of its parameter's type. In the stack trace,
    // the accessor must be the first frame, except for Class.cast.
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
