// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.LambdaMetafactory for calls from Java code. Sites that javac makes are linked by
// vm/link/indy/lambda.h. Both use the same generator.
package java.lang.invoke;

import jdk.internal.misc.Unsafe;

public final class LambdaMetafactory {
    public static final int FLAG_SERIALIZABLE = 1 << 0;
    public static final int FLAG_MARKERS = 1 << 1;
    public static final int FLAG_BRIDGES = 1 << 2;

    private static final Class<?>[] NO_CLASSES = {};
    private static final MethodType[] NO_TYPES = {};

    private LambdaMetafactory() {}

    public static CallSite metafactory(MethodHandles.Lookup caller, String interfaceMethodName, MethodType factoryType,
                                       MethodType interfaceMethodType, MethodHandle implementation,
                                       MethodType dynamicMethodType) throws LambdaConversionException {
        return make(caller, interfaceMethodName, factoryType, interfaceMethodType, implementation, dynamicMethodType,
                    false, NO_CLASSES, NO_TYPES);
    }

    public static CallSite altMetafactory(MethodHandles.Lookup caller, String interfaceMethodName,
                                          MethodType factoryType, Object... args) throws LambdaConversionException {
        int next = 0;
        MethodType interfaceMethodType = (MethodType) argument(args, next++);
        MethodHandle implementation = (MethodHandle) argument(args, next++);
        MethodType dynamicMethodType = (MethodType) argument(args, next++);
        int flags = (Integer) argument(args, next++);
        Class<?>[] markers = NO_CLASSES;
        MethodType[] bridges = NO_TYPES;
        if ((flags & FLAG_MARKERS) != 0) {
            markers = new Class<?>[count(argument(args, next++))];
            for (int i = 0; i < markers.length; i++) markers[i] = (Class<?>) argument(args, next++);
        }
        if ((flags & FLAG_BRIDGES) != 0) {
            bridges = new MethodType[count(argument(args, next++))];
            for (int i = 0; i < bridges.length; i++) bridges[i] = (MethodType) argument(args, next++);
        }
        if (next < args.length) throw new IllegalArgumentException("too many arguments");
        boolean serializable = (flags & FLAG_SERIALIZABLE) != 0;
        return make(caller, interfaceMethodName, factoryType, interfaceMethodType, implementation, dynamicMethodType,
                    serializable, markers, bridges);
    }

    private static Object argument(Object[] args, int index) {
        if (index >= args.length) throw new IllegalArgumentException("missing argument");
        if (args[index] == null) throw new NullPointerException();
        return args[index];
    }

    private static int count(Object value) {
        int count = (Integer) value;
        if (count < 0) throw new IllegalArgumentException("negative argument count");
        return count;
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static CallSite make(MethodHandles.Lookup caller, String name, MethodType factoryType,
                                 MethodType interfaceMethodType, MethodHandle implementation,
                                 MethodType dynamicMethodType, boolean serializable, Class<?>[] markers,
                                 MethodType[] bridges) throws LambdaConversionException {
        if (!caller.hasFullPrivilegeAccess())
            throw new LambdaConversionException("Invalid caller: " + caller.lookupClass().getName());
        Class<?> target = factoryType.returnType();
        if (!target.isInterface()) throw new LambdaConversionException(target.getName() + " is not an interface");
        if (target.isHidden())
            throw new LambdaConversionException(target.getName()
                                                + " is a hidden class and cannot be used as a functional interface");
        for (Class<?> marker : markers) {
            if (!marker.isInterface()) throw new LambdaConversionException(marker.getName() + " is not an interface");
        }
        MethodHandleInfo info;
        try {
            info = caller.revealDirect(implementation);
        } catch (IllegalArgumentException exception) {
            throw new LambdaConversionException(implementation + " is not direct or cannot be cracked");
        }
        MemberName member = implementation.internalMemberName();
        if (member.isField()) throw new LambdaConversionException("Unsupported MethodHandle kind: " + info);
        check(info, factoryType, interfaceMethodType, implementation.type(), dynamicMethodType);
        checkErasure(interfaceMethodType, dynamicMethodType);
        for (MethodType bridge : bridges) checkErasure(bridge, dynamicMethodType);
        String[] shape = {internalName(target),
                          name,
                          interfaceMethodType.toMethodDescriptorString(),
                          dynamicMethodType.toMethodDescriptorString(),
                          internalName(member.clazz),
                          member.name,
                          member.getMethodType().toMethodDescriptorString()};
        boolean[] throughHandle = new boolean[1];
        Class<?> lambda =
                define(caller.lookupClass(), shape, descriptors(factoryType.parameterArray()), descriptors(bridges),
                       internalNames(markers), info.getReferenceKind(), serializable, member.address, throughHandle);
        if (factoryType.parameterCount() == 0 && !throughHandle[0]) {
            try {
                return new ConstantCallSite(
                        MethodHandles.constant(target, Unsafe.getUnsafe().allocateInstance(lambda)));
            } catch (InstantiationException exception) {
                throw new InternalError(exception);
            }
        }
        try {
            MethodType type = throughHandle[0] ? factoryType.appendParameterTypes(MethodHandle.class) : factoryType;
            MethodHandle factory = MethodHandles.Lookup.IMPL_LOOKUP.findStatic(lambda, "get$Lambda", type);
            if (throughHandle[0])
                factory = MethodHandles.bindChecked(factory, factoryType.parameterCount(),
                                                    new Object[] {implementation.asFixedArity()});
            return new ConstantCallSite(factory);
        } catch (ReflectiveOperationException exception) {
            throw new LambdaConversionException("Exception finding constructor", exception);
        }
    }

    // Checks the arities and types on which the generated forwarder relies.
    private static void check(MethodHandleInfo info, MethodType factoryType, MethodType interfaceType,
                              MethodType implementation, MethodType dynamicType) throws LambdaConversionException {
        int kind = info.getReferenceKind();
        boolean isInstance = kind != MethodHandleInfo.REF_invokeStatic && kind != MethodHandleInfo.REF_newInvokeSpecial;
        int captured = factoryType.parameterCount();
        int arity = interfaceType.parameterCount();
        if (implementation.parameterCount() != captured + arity) {
            String words = kind == MethodHandleInfo.REF_invokeStatic ? "static" : "instance";
            throw new LambdaConversionException("Incorrect number of parameters for " + words + " method " + info + "; "
                                                + count(captured, "captured parameter") + ", "
                                                + arity + " functional interface method parameters, "
                                                + count(implementation.parameterCount(), "implementation parameter"));
        }
        if (dynamicType.parameterCount() != arity) {
            throw new LambdaConversionException("Incorrect number of parameters for dynamic method type; "
                                                + dynamicType.parameterCount() + " instead of " + arity);
        }
        for (int i = 0; i < captured; i++) {
            Class<?> wanted = implementation.parameterType(i);
            Class<?> given = factoryType.parameterType(i);
            boolean isReceiver = i == 0 && isInstance;
            if (isReceiver ? !wanted.isAssignableFrom(given) : wanted != given) {
                throw new LambdaConversionException("Type mismatch in captured lambda parameter " + i + ": expecting "
                                                    + given + ", found " + wanted);
            }
        }
        for (int i = 0; i < arity; i++) {
            Class<?> given = dynamicType.parameterType(i);
            Class<?> wanted = implementation.parameterType(captured + i);
            if (!adaptsStrictly(given, wanted)) {
                throw new LambdaConversionException("Type mismatch for lambda argument " + i + ": " + given
                                                    + " is not convertible to " + wanted);
            }
        }
        Class<?> expected = dynamicType.returnType();
        if (expected != void.class
            && (implementation.returnType() == void.class || !adapts(implementation.returnType(), expected))) {
            throw new LambdaConversionException("Type mismatch for lambda return: " + implementation.returnType()
                                                + " is not convertible to " + expected);
        }
    }

    // Checks that the interface's method, or a bridge, takes and returns the types of the dynamic type or supertypes of
    // them.
    private static void checkErasure(MethodType erased, MethodType dynamicType) throws LambdaConversionException {
        if (erased.parameterCount() != dynamicType.parameterCount()) {
            throw new LambdaConversionException("Incorrect number of parameters for bridge signature " + erased
                                                + "; incompatible with " + dynamicType);
        }
        for (int i = 0; i < erased.parameterCount(); i++) {
            if (!erased.parameterType(i).isAssignableFrom(dynamicType.parameterType(i))) {
                throw new LambdaConversionException("Type mismatch for dynamic parameter " + i + ": "
                                                    + dynamicType.parameterType(i) + " is not a subtype of "
                                                    + erased.parameterType(i));
            }
        }
        Class<?> given = dynamicType.returnType(), wanted = erased.returnType();
        boolean isVoid = given == void.class || wanted == void.class;
        if (isVoid ? given != wanted : !adaptsStrictly(given, wanted)) {
            throw new LambdaConversionException("Type mismatch for lambda expected return: " + given
                                                + " is not convertible to " + wanted);
        }
    }

    // Can the value be adapted without a cast that may fail? The class may not become narrower, and only a box becomes
    // a primitive value.
    private static boolean adaptsStrictly(Class<?> from, Class<?> to) {
        if (from.isPrimitive()) return adapts(from, to);
        if (!to.isPrimitive()) return to.isAssignableFrom(from);
        Class<?> unboxed = MethodType.methodType(from).unwrap().returnType();
        return unboxed.isPrimitive() && Boxing.widens(unboxed, to);
    }

    private static boolean adapts(Class<?> from, Class<?> to) {
        if (from.isPrimitive() && to.isPrimitive()) return Boxing.widens(from, to);
        if (from.isPrimitive()) return to.isAssignableFrom(Boxing.wrapper(from));
        if (!to.isPrimitive()) return true;
        Class<?> boxed = Boxing.wrapper(to);
        if (from.isAssignableFrom(boxed)) return true;
        return Number.class.isAssignableFrom(from) || from == Character.class;
    }

    private static String internalName(Class<?> type) {
        String descriptor = type.descriptorString();
        return type.isArray() ? descriptor : type.getName().replace('.', '/');
    }

    private static String[] internalNames(Class<?>[] types) {
        String[] names = new String[types.length];
        for (int i = 0; i < names.length; i++) names[i] = internalName(types[i]);
        return names;
    }

    private static String[] descriptors(Class<?>[] types) {
        String[] texts = new String[types.length];
        for (int i = 0; i < texts.length; i++) texts[i] = types[i].descriptorString();
        return texts;
    }

    private static String[] descriptors(MethodType[] types) {
        String[] texts = new String[types.length];
        for (int i = 0; i < texts.length; i++) texts[i] = types[i].toMethodDescriptorString();
        return texts;
    }

    // Generates the class. `shape`: interface, method, its descriptor, the instantiated descriptor; owner, name and
    // descriptor of the implementation. Sets throughHandle[0] if the class's factory takes the implementation's handle
    // as its last argument.
    private static native Class<?> define(Class<?> caller, String[] shape, String[] captures, String[] bridges,
                                          String[] markers, int kind, boolean serializable, long implementation,
                                          boolean[] throughHandle);
}
