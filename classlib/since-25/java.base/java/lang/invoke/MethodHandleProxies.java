// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces java.lang.invoke.MethodHandleProxies.
// Why: the JDK's generates a hidden class with a lambda form for each interface; this one makes a
// java.lang.reflect.Proxy.
// Native: none.
package java.lang.invoke;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;

public final class MethodHandleProxies {
    private MethodHandleProxies() {}

    private record Wrapper(MethodHandle target, MethodHandle fitted, Class<?> type) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) return ofObject(proxy, method.getName(), arguments);
            if (method.isDefault()) return InvocationHandler.invokeDefault(proxy, method, arguments);
            try {
                return arguments == null ? fitted.invokeWithArguments() : fitted.invokeWithArguments(arguments);
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable thrown) {
                for (Class<?> declared : method.getExceptionTypes()) if (declared.isInstance(thrown)) throw thrown;
                throw new UndeclaredThrowableException(thrown);
            }
        }

        private Object ofObject(Object proxy, String name, Object[] arguments) {
            if (name.equals("equals")) return proxy == arguments[0];
            if (name.equals("hashCode")) return System.identityHashCode(proxy);
            return proxy.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(proxy));
        }
    }

    public static <T> T asInterfaceInstance(final Class<T> intfc, final MethodHandle target) {
        boolean isOpen = intfc.isInterface() && Modifier.isPublic(intfc.getModifiers());
        if (!isOpen) throw new IllegalArgumentException("not a public interface: " + intfc.getName());
        if (intfc.isSealed()) throw new IllegalArgumentException("a sealed interface: " + intfc.getName());
        if (intfc.isHidden()) throw new IllegalArgumentException("a hidden interface: " + intfc.getName());
        Method only = singleMethodOf(intfc);
        if (only == null) throw new IllegalArgumentException("not a single-method interface: " + intfc.getName());
        MethodHandle fitted = target.asType(MethodType.methodType(only.getReturnType(), only.getParameterTypes()));
        Wrapper wrapper = new Wrapper(Objects.requireNonNull(target), fitted, intfc);
        return intfc.cast(Proxy.newProxyInstance(intfc.getClassLoader(), new Class<?>[] {intfc}, wrapper));
    }

    // The method of an interface whose abstract methods all have one name and one type; otherwise null.
    private static Method singleMethodOf(Class<?> type) {
        Method found = null;
        for (Method each : type.getMethods()) {
            if (!Modifier.isAbstract(each.getModifiers()) || isOfObject(each)) continue;
            if (found != null && !found.getName().equals(each.getName())) return null;
            if (found == null || found.getReturnType().isAssignableFrom(each.getReturnType())) found = each;
        }
        return found;
    }

    private static boolean isOfObject(Method method) {
        try {
            return Modifier.isPublic(Object.class.getMethod(method.getName(), method.getParameterTypes())
                                             .getModifiers());
        } catch (NoSuchMethodException none) {
            return false;
        }
    }

    private static Wrapper wrapperOf(Object object) {
        boolean isWrapped = object != null && Proxy.isProxyClass(object.getClass())
                && Proxy.getInvocationHandler(object) instanceof Wrapper;
        return isWrapped ? (Wrapper) Proxy.getInvocationHandler(object) : null;
    }

    private static Wrapper checkedWrapperOf(Object object) {
        Wrapper wrapper = wrapperOf(object);
        if (wrapper == null) throw new IllegalArgumentException("not a wrapper instance");
        return wrapper;
    }

    public static boolean isWrapperInstance(Object x) {
        return wrapperOf(x) != null;
    }

    public static MethodHandle wrapperInstanceTarget(Object x) {
        return checkedWrapperOf(x).target();
    }

    public static Class<?> wrapperInstanceType(Object x) {
        return checkedWrapperOf(x).type();
    }
}
