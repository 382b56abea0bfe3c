// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assertions of debug builds, at each place where an untyped reference becomes typed. Release builds do not check
// there: the code that made the handle has inserted a cast, and without it an object is read as another class.
//
//   T1   a direct handle passes the elements of an Object[] to a method, constructor or field of certain types
//   T2   a call site takes a boxed result as what its descriptor says
//   T3   a variable handle stores values, and uses coordinates, of certain types
//   T4   an adapter accesses a variable without its handle: the handle is one of those, and fits the site's types
//
// An interface type guarantees nothing: verified code passes any object as one (JVMS 4.10.1.2), and calls check it.
package java.lang.invoke;

import jdk.internal.vm.annotation.Hidden;

final class TypeBoundary {
    private TypeBoundary() {}

    // Compiled code drops the checks in a release build, because this is a constant.
    static final boolean IS_CHECKED = isChecked();

    private static native boolean isChecked();

    // Ends the VM with the text.
    private static native void fail(String text);

    private static boolean holds(Object value, Class<?> type) {
        if (type == void.class) return value == null;
        if (type.isPrimitive()) return value != null && value.getClass() == Boxing.wrapper(type);
        Class<?> element = type;
        while (element.isArray()) element = element.getComponentType();
        return value == null || element.isInterface() || type.isInstance(value);
    }

    private static void check(Object value, Class<?> type, String where, Object what) {
        if (holds(value, type)) return;
        String held = value == null ? "null" : value.getClass().getName();
        fail(where + " of " + what + " is " + held + ", not " + type.getName());
    }

    static void checkArguments(MethodType type, Object[] arguments, Object what) {
        int count = type.parameterCount();
        if (arguments.length != count) fail(arguments.length + " arguments of " + what);
        for (int i = 0; i < count; i++) check(arguments[i], type.parameterType(i), "argument " + i, what);
    }

    static void checkResult(MethodType type, Object result, Object what) {
        check(result, type.returnType(), "the result", what);
    }

    // T2: called instead of MethodHandle.invokeBoxed by call sites of debug builds (vm/link/indy/polymorphic.cpp).
    @Hidden
    static Object invoke(MethodHandle handle, Object[] arguments) throws Throwable {
        checkArguments(handle.type, arguments, handle);
        Object result = handle.invokeBoxed(arguments);
        checkResult(handle.type, result, handle);
        return result;
    }

    // T4: called before a direct access by call sites of debug builds (vm/link/indy/var_handle_site.cpp).
    static void checkDirect(VarHandle handle, VarHandleSite site) {
        if (!handle.isDirect() || !site.fits(handle)) fail(handle + " is accessed directly at " + site);
    }
}
