// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The Java side of dynamic linkage: static helpers that vm/link/indy calls, or to which it links sites.
package java.lang.invoke;

import jdk.internal.vm.annotation.Hidden;

import static java.lang.invoke.MethodHandleInfo.*;

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

    // Resolves a CONSTANT_MethodHandle: returns what a lookup of the class finds, or throws the corresponding error.
    // `type` is the type of the method or field.
    static MethodHandle handle(int kind, Class<?> referenced, String name, Object type, Class<?> caller) {
        MethodHandles.Lookup lookup = new MethodHandles.Lookup(caller, null, MethodHandles.Lookup.FULL_POWER_MODES);
        try {
            switch (kind) {
                case REF_getField: return lookup.findGetter(referenced, name, (Class<?>) type);
                case REF_putField: return lookup.findSetter(referenced, name, (Class<?>) type);
                case REF_getStatic: return lookup.findStaticGetter(referenced, name, (Class<?>) type);
                case REF_putStatic: return lookup.findStaticSetter(referenced, name, (Class<?>) type);
                case REF_invokeStatic: return lookup.findStatic(referenced, name, (MethodType) type);
                case REF_invokeSpecial: return lookup.findSpecial(referenced, name, (MethodType) type, caller);
                case REF_newInvokeSpecial: return lookup.findConstructor(referenced, (MethodType) type);
                default: return lookup.findVirtual(referenced, name, (MethodType) type);
            }
        } catch (ReflectiveOperationException refusal) {
            if (refusal.getCause() instanceof LinkageError) throw (LinkageError) refusal.getCause();
            IllegalAccessError error = new IllegalAccessError(refusal.getMessage());
            error.initCause(refusal);
            throw error;
        }
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

    // Returns the target of a constant call site, or a call site of another kind itself.
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

    // Implements pattern switches (java.lang.runtime.SwitchBootstraps): returns the index of the first label at or
    // after `start` that matches, else the number of labels.
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

    // Implements switches over enums. Labels are names of constants, or classes.
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
