// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets other packages of java.base use this package, in all libraries from 21 on.
package java.lang.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.foreign.abi.NativeEntryPoint;

abstract class CommonInvokeAccess implements JavaLangInvokeAccess {
    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("native method handles");
    }

    @Override
    public Map<String, byte[]> generateHolderClasses(Stream<String> traces) {
        return Map.of();
    }

    @Override
    public VarHandle filterValue(VarHandle target, MethodHandle filterToTarget, MethodHandle filterFromTarget) {
        return MethodHandles.filterValue(target, filterToTarget, filterFromTarget);
    }

    @Override
    public VarHandle filterCoordinates(VarHandle target, int pos, MethodHandle... filters) {
        return MethodHandles.filterCoordinates(target, pos, filters);
    }

    @Override
    public VarHandle dropCoordinates(VarHandle target, int pos, Class<?>... valueTypes) {
        return MethodHandles.dropCoordinates(target, pos, valueTypes);
    }

    @Override
    public VarHandle permuteCoordinates(VarHandle target, List<Class<?>> newCoordinates, int... reorder) {
        return MethodHandles.permuteCoordinates(target, newCoordinates, reorder);
    }

    @Override
    public VarHandle collectCoordinates(VarHandle target, int pos, MethodHandle filter) {
        return MethodHandles.collectCoordinates(target, pos, filter);
    }

    @Override
    public VarHandle insertCoordinates(VarHandle target, int pos, Object... values) {
        return MethodHandles.insertCoordinates(target, pos, values);
    }

    @Override
    public MethodHandle nativeMethodHandle(NativeEntryPoint entry) {
        throw unsupported();
    }

    // ---- for reflection, which has all rights -----------------------------------------------------------------------

    @Override
    public MethodHandle unreflectConstructor(Constructor<?> constructor) throws IllegalAccessException {
        return MethodHandles.Lookup.IMPL_LOOKUP.unreflectConstructor(constructor);
    }

    @Override
    public MethodHandle unreflectField(Field field, boolean isSetter) throws IllegalAccessException {
        return isSetter ? MethodHandles.Lookup.IMPL_LOOKUP.unreflectSetter(field)
                        : MethodHandles.Lookup.IMPL_LOOKUP.unreflectGetter(field);
    }

    @Override
    public MethodHandle findVirtual(Class<?> owner, String name, MethodType type) throws IllegalAccessException {
        try {
            return MethodHandles.Lookup.IMPL_LOOKUP.findVirtual(owner, name, type);
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    @Override
    public MethodHandle findStatic(Class<?> owner, String name, MethodType type) throws IllegalAccessException {
        try {
            return MethodHandles.Lookup.IMPL_LOOKUP.findStatic(owner, name, type);
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    // Returns the handle itself: targets see their true caller, so no class has to be put in between.
    @Override
    public MethodHandle reflectiveInvoker(Class<?> caller) {
        throw unsupported();
    }

    // The exceptions that a handle declares. Null for a handle that is made of others, which may throw anything.
    @Override
    public Class<?>[] exceptionTypes(MethodHandle handle) {
        if (!(handle instanceof DirectMethodHandle)) return null;
        DirectMethodHandle direct = (DirectMethodHandle) handle;
        return new RevealedHandle(direct.member, direct.kind).reflectAs(Executable.class,
                MethodHandles.Lookup.IMPL_LOOKUP).getExceptionTypes();
    }
}
