// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.MethodHandle: an object with a type and an interpreted call.
//
// A call in Java code, handle.invokeExact(1, "x"), is a signature-polymorphic site: the VM links it to a generated
// adapter (vm/link/indy/polymorphic.h) that compares the handle's type with the site's, boxes the arguments and comes
// here:
//
//   invokeBoxed(Object[] arguments)     one element per parameter, primitives in exactly their wrapper; the callee
//                                       neither keeps nor changes the array; the result is boxed likewise, null for
//                                       void
//
// Kinds of handles: DirectMethodHandle (a method or constructor), FieldHandle, and what Adapters makes of others.
package java.lang.invoke;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.constant.ClassDesc;
import java.lang.constant.Constable;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.IntrinsicCandidate;

public abstract class MethodHandle implements Constable {
    @Target({ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface PolymorphicSignature {}

    final MethodType type;
    private MethodHandle asTypeCache;

    MethodHandle(MethodType type) {
        checkSlots(type.parameterSlotCount());
        this.type = type;
    }

    // Checks that a call, including the handle itself, has no more slots than a method may have (JVMS 4.3.3).
    static void checkSlots(int ofParameters) {
        int slots = ofParameters + 1;
        if (slots > 255) throw new IllegalArgumentException("bad parameter count " + slots);
    }

    abstract Object invokeBoxed(Object[] arguments) throws Throwable;

    // The member behind a direct handle, else null.
    MemberName internalMemberName() {
        return null;
    }

    boolean isInvokeSpecial() {
        return false;
    }

    // The class on whose behalf a direct handle calls a caller-sensitive method.
    Class<?> internalCallerClass() {
        return null;
    }

    public MethodType type() {
        return type;
    }

    @IntrinsicCandidate
    public final native @PolymorphicSignature Object invokeExact(Object... arguments) throws Throwable;

    @IntrinsicCandidate
    public final native @PolymorphicSignature Object invoke(Object... arguments) throws Throwable;

    @Hidden
    public Object invokeWithArguments(Object... arguments) throws Throwable {
        Object[] given = arguments == null ? new Object[0] : arguments;
        MethodType generic = MethodType.genericMethodType(given.length);
        return asType(generic).invokeBoxed(given);
    }

    @Hidden
    public Object invokeWithArguments(List<?> arguments) throws Throwable {
        return invokeWithArguments(arguments.toArray());
    }

    public MethodHandle asType(MethodType newType) {
        if (newType == type) return this;
        MethodHandle cached = asTypeCache;
        if (cached != null && cached.type == newType) return cached;
        if (newType.equals(type)) return this;
        cached = asTypeUncached(newType);
        asTypeCache = cached;
        return cached;
    }

    MethodHandle asTypeUncached(MethodType newType) {
        if (!type.isConvertibleTo(newType))
            throw new WrongMethodTypeException("cannot convert " + this + " to " + newType);
        return new Adapters.Convert(this, newType, false);
    }

    // The exception of an `invokeExact` site whose type is not the handle's.
    static WrongMethodTypeException wrongType(MethodHandle handle, MethodType siteType) {
        return ReleaseBehaviour.wrongType(handle.type, siteType);
    }

    private static Class<?> elementType(Class<?> arrayType) {
        if (!arrayType.isArray()) throw new IllegalArgumentException("not an array type: " + arrayType);
        return arrayType.getComponentType();
    }

    private static Class<?> elementType(Class<?> arrayType, int arrayLength) {
        Class<?> element = elementType(arrayType);
        if (arrayLength < 0 || arrayLength > 255) {
            throw new IllegalArgumentException("array length is not legal: " + arrayLength);
        }
        // No method has that many parameters of two slots.
        if (arrayLength > 127 && (element == long.class || element == double.class)) {
            throw new IllegalArgumentException("array length is not legal for long[] or double[]: " + arrayLength);
        }
        return element;
    }

    public MethodHandle asSpreader(Class<?> arrayType, int arrayLength) {
        return asSpreader(type.parameterCount() - arrayLength, arrayType, arrayLength);
    }

    public MethodHandle asSpreader(int position, Class<?> arrayType, int arrayLength) {
        Class<?> element = elementType(arrayType, arrayLength);
        int after = type.parameterCount() - arrayLength;
        if (after < 0) throw new IllegalArgumentException("bad spread array length");
        if (position < 0 || position > after) throw new IllegalArgumentException("bad spread position");
        MethodType spread = type;
        // The array's elements have its element type; asType converts them to the parameters' types.
        for (int i = position; i < position + arrayLength; i++) spread = spread.changeParameterType(i, element);
        MethodType newType =
                type.dropParameterTypes(position, position + arrayLength).insertParameterTypes(position, arrayType);
        return new Adapters.Spread(asType(spread), newType, position, arrayType, arrayLength);
    }

    public MethodHandle asCollector(Class<?> arrayType, int arrayLength) {
        return asCollector(type.parameterCount() - 1, arrayType, arrayLength);
    }

    public MethodHandle asCollector(int position, Class<?> arrayType, int arrayLength) {
        Class<?> element = elementType(arrayType, arrayLength);
        MethodHandle target = asFixedArity().taking(position, arrayType);
        List<Class<?>> elements = Collections.nCopies(arrayLength, element);
        MethodType newType = type.dropParameterTypes(position, position + 1).insertParameterTypes(position, elements);
        if (arrayLength == 255) {
            throw new IllegalArgumentException("too many arguments: " + arrayType.getSimpleName() + ", length 255");
        }
        return new Adapters.Collect(target, newType, position, element, arrayLength);
    }

    // Gives the parameter at `position` this array type; its own type must be the same or wider.
    private MethodHandle taking(int position, Class<?> arrayType) {
        if (position < 0 || position >= type.parameterCount()) {
            throw new IllegalArgumentException("bad collect position");
        }
        if (!type.parameterType(position).isAssignableFrom(arrayType)) {
            throw new IllegalArgumentException("array type not assignable to argument: " + this + ", " + arrayType);
        }
        return asType(type.changeParameterType(position, arrayType));
    }

    public MethodHandle withVarargs(boolean makeVarargs) {
        if (makeVarargs == isVarargsCollector()) return this;
        return makeVarargs ? asVarargsCollector(type.lastParameterType()) : asFixedArity();
    }

    public MethodHandle asVarargsCollector(Class<?> arrayType) {
        elementType(arrayType);
        MethodHandle target = asFixedArity().taking(type.parameterCount() - 1, arrayType);
        return isVarargsCollector() && target.type == type ? this : new Adapters.Varargs(target, arrayType);
    }

    public boolean isVarargsCollector() {
        return false;
    }

    public MethodHandle asFixedArity() {
        return this;
    }

    public MethodHandle bindTo(Object x) {
        x = type.leadingReferenceParameter().cast(x);
        return MethodHandles.bindChecked(asFixedArity(), 0, new Object[] {x});
    }

    @Override
    public Optional<MethodHandleDesc> describeConstable() {
        if (internalMemberName() == null) return Optional.empty();
        MethodHandleInfo info = MethodHandles.Lookup.IMPL_LOOKUP.revealDirect(this);
        MethodType memberType = info.getMethodType();
        Optional<ClassDesc> owner = info.getDeclaringClass().describeConstable();
        Optional<MethodTypeDesc> descriptor = memberType.describeConstable();
        if (owner.isEmpty() || descriptor.isEmpty()) return Optional.empty();
        boolean inInterface = info.getDeclaringClass().isInterface();
        DirectMethodHandleDesc.Kind kind = DirectMethodHandleDesc.Kind.valueOf(info.getReferenceKind(), inInterface);
        MethodTypeDesc type = descriptor.get();
        switch (info.getReferenceKind()) {
            case MethodHandleInfo.REF_getField:
            case MethodHandleInfo.REF_getStatic:
                return Optional.of(MethodHandleDesc.ofField(kind, owner.get(), info.getName(), type.returnType()));
            case MethodHandleInfo.REF_putField:
            case MethodHandleInfo.REF_putStatic:
                return Optional.of(MethodHandleDesc.ofField(kind, owner.get(), info.getName(), type.parameterType(0)));
            case MethodHandleInfo.REF_newInvokeSpecial:
                return Optional.of(MethodHandleDesc.ofConstructor(owner.get(), type.parameterArray()));
            default:
                return Optional.of(MethodHandleDesc.ofMethod(kind, owner.get(), info.getName(), type));
        }
    }

    @Override
    public String toString() {
        return "MethodHandle" + type;
    }

    // The same handle with another type for the same values. The caller guarantees that no value needs a check.
    MethodHandle viewAsType(MethodType newType) {
        return newType == type ? this : new Adapters.View(this, newType);
    }
}
