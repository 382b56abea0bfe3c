// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Java side of dynamic linkage: static helpers that vm/link/indy calls, or links sites to.
package java.lang.invoke;

import jdk.internal.vm.annotation.Hidden;

final class Linkage {
    private Linkage() {}

    // --- called while linking ---

    static MethodType methodType(Class<?> result, Class<?>[] parameters) {
        return MethodType.methodType(result, parameters);
    }

    static String descriptor(MethodType type) {
        return type.toMethodDescriptorString();
    }

    static String simpleName(Class<?> type) {
        return type.getSimpleName();
    }

    // CONSTANT_MethodHandle, resolved. `type`: of the method as declared, or null; `fieldType` likewise.
    static MethodHandle handle(int kind, Class<?> referenced, Class<?> declaring, String name, MethodType type,
                               Class<?> fieldType, int flags, long address, Class<?> caller) {
        MemberName member = new MemberName(declaring, name, type != null ? type : fieldType, flags, kind, address);
        if (type == null) return FieldHandle.make(member, narrowed(member, referenced, caller));
        if (kind == MethodHandleInfo.REF_invokeSpecial) return DirectMethodHandle.make(member, caller);
        return DirectMethodHandle.make(member, narrowed(member, referenced, caller));
    }

    // A protected member inherited from another package is reached through the caller's class.
    private static Class<?> narrowed(MemberName member, Class<?> referenced, Class<?> caller) {
        if (!member.isProtected() || member.isStatic() || member.isConstructor() || referenced.isArray())
            return referenced;
        if (member.clazz == caller || member.clazz.getClassLoader() == caller.getClassLoader()
                && member.clazz.getPackageName().equals(caller.getPackageName())) return referenced;
        return caller.isAssignableFrom(referenced) ? referenced : caller;
    }

    static MethodHandle polymorphicHandle(MethodType type, boolean exact) {
        return exact ? MethodHandles.exactInvoker(type) : MethodHandles.invoker(type);
    }

    static MethodHandle polymorphicAccess(MethodType type, int mode) {
        return MethodHandles.varHandleInvoker(VarHandle.AccessMode.of(mode), type);
    }

    private static Object bootstrap(Class<?> caller, MethodHandle method, String name, Object type, Class<?> typeClass,
                                    Object[] arguments) {
        try {
            Object[] all = new Object[arguments.length + 3];
            all[0] = new MethodHandles.Lookup(caller, null, MethodHandles.Lookup.FULL_POWER_MODES);
            all[1] = name;
            all[2] = type;
            System.arraycopy(arguments, 0, all, 3, arguments.length);
            Class<?>[] types = new Class<?>[all.length];
            types[0] = MethodHandles.Lookup.class;
            types[1] = String.class;
            types[2] = typeClass;
            for (int i = 3; i < types.length; i++) types[i] = Object.class;
            return method.asType(MethodType.methodType(Object.class, types)).invokeBoxed(all);
        } catch (Error error) {
            throw error;
        } catch (Throwable thrown) {
            throw new BootstrapMethodError("bootstrap method initialization exception", thrown);
        }
    }

    // The target of a constant call site, or the call site itself.
    static Object linkCallSite(Class<?> caller, MethodHandle method, String name, MethodType type, Object[] arguments) {
        Object made = bootstrap(caller, method, name, type, MethodType.class, arguments);
        try {
            made = CallSite.class.cast(made);
        } catch (ClassCastException wrong) {
            throw new BootstrapMethodError("bootstrap method initialization exception", wrong);
        }
        try {
            if (made == null)
                throw new ClassCastException("CallSite bootstrap method failed to produce an instance of CallSite");
            CallSite site = (CallSite) made;
            if (!site.getTarget().type().equals(type))
                throw new WrongMethodTypeException(site.getTarget() + " should be of type " + type);
            return site.getClass() == ConstantCallSite.class ? site.getTarget() : site;
        } catch (Error error) {
            throw error;
        } catch (Throwable thrown) {
            throw new BootstrapMethodError("CallSite bootstrap method initialization exception", thrown);
        }
    }

    static Object linkConstant(Class<?> caller, MethodHandle method, String name, Class<?> type, Object[] arguments) {
        Object made = bootstrap(caller, method, name, type, Class.class, arguments);
        try {
            if (type.isPrimitive()) return Boxing.convert(made, Object.class, type);
            return type.cast(made);
        } catch (Throwable thrown) {
            throw new BootstrapMethodError("bootstrap method initialization exception", thrown);
        }
    }

    // --- targets of sites ---

    @Hidden
    static Object constant(Object value) {
        return value;
    }

    // pattern switches (java.lang.runtime.SwitchBootstraps): the first label at or after `start` that matches, else the
    // number of labels.
    @Hidden
    static int typeSwitch(Object selected, int start, Object[] labels) {
        if (start < 0 || start > labels.length)
            throw new IndexOutOfBoundsException("Index " + start + " out of bounds for length " + (labels.length + 1));
        if (selected == null) return -1;
        for (int i = start; i < labels.length; i++) {
            Object label = labels[i];
            if (label instanceof Class) {
                if (((Class<?>) label).isInstance(selected)) return i;
            } else if (label instanceof Integer) {
                if (selected instanceof Number && ((Number) selected).intValue() == (Integer) label
                    && isIntegral(selected))
                    return i;
                if (selected instanceof Character && (char) (Character) selected == (int) (Integer) label) return i;
            } else if (label instanceof Enum.EnumDesc) {
                Object constant = enumConstant((Enum.EnumDesc<?>) label, selected);
                if (constant == selected) return i;
            } else if (label != null && label.equals(selected)) {
                return i;
            }
        }
        return labels.length;
    }

    private static boolean isIntegral(Object number) {
        return number instanceof Integer || number instanceof Short || number instanceof Byte;
    }

    private static Object enumConstant(Enum.EnumDesc<?> label, Object selected) {
        if (!(selected instanceof Enum)) return null;
        Enum<?> constant = (Enum<?>) selected;
        String declared = constant.getDeclaringClass().descriptorString();
        return declared.equals(label.constantType().descriptorString()) && constant.name().equals(label.constantName())
                ? constant
                : null;
    }

    // Labels are names of constants, or classes.
    @Hidden
    static int enumSwitch(Enum<?> selected, int start, Object[] labels) {
        if (start < 0 || start > labels.length)
            throw new IndexOutOfBoundsException("Index " + start + " out of bounds for length " + (labels.length + 1));
        if (selected == null) return -1;
        for (int i = start; i < labels.length; i++) {
            Object label = labels[i];
            if (label instanceof String ? selected.name().equals(label) : ((Class<?>) label).isInstance(selected))
                return i;
        }
        return labels.length;
    }
}
