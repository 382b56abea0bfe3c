// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.MethodHandle: an object with a type and an interpreted call.
//
// A call in Java code, handle.invokeExact(1, "x"), is a signature-polymorphic site: the VM links it to a generated adapter
// (vm/link/indy/polymorphic.h) that compares the handle's type with the site's, boxes the arguments and comes here:
//
//   invokeBoxed(Object[] arguments)     one element per parameter, primitives in exactly their wrapper; the callee neither keeps
//                                       nor changes the array; the result is boxed likewise, null for void
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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
        this.type = Objects.requireNonNull(type);
    }

    abstract Object invokeBoxed(Object[] arguments) throws Throwable;

    // The member behind a direct handle, else null.
    MemberName internalMemberName() {
        return null;
    }

    boolean isInvokeSpecial() {
        return false;
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
        if (!type.isConvertibleTo(newType)) throw new WrongMethodTypeException("cannot convert " + this + " to " + newType);
        return new Adapters.Convert(this, newType, false);
    }

    // What an `invokeExact` site of another type than the handle's throws.
    static WrongMethodTypeException wrongType(MethodHandle handle, MethodType siteType) {
        return new WrongMethodTypeException("expected " + handle.type + " but found " + siteType);
    }

    private static void checkArrayPosition(int position, int length, int parameters, MethodHandle handle) {
        if (length < 0) throw new IllegalArgumentException("array length is not legal");
        if (position < 0 || position + length > parameters) throw new IllegalArgumentException("bad spread position: " + position);
    }

    private static Class<?> elementType(Class<?> arrayType) {
        Class<?> element = arrayType.getComponentType();
        if (element == null) throw new IllegalArgumentException("not an array type: " + arrayType.getName());
        return element;
    }

    public MethodHandle asSpreader(Class<?> arrayType, int arrayLength) {
        if (arrayLength < 0 || arrayLength > type.parameterCount()) {
            throw new IllegalArgumentException("bad spread array length");
        }
        return asSpreader(type.parameterCount() - arrayLength, arrayType, arrayLength);
    }

    public MethodHandle asSpreader(int position, Class<?> arrayType, int arrayLength) {
        Class<?> element = elementType(arrayType);
        int parameters = type.parameterCount();
        if (arrayLength < 0 || arrayLength > parameters) throw new IllegalArgumentException("bad spread array length");
        checkArrayPosition(position, arrayLength, parameters, this);
        Class<?>[] spread = type.parameterArray();
        for (int i = position; i < position + arrayLength; i++) {
            Class<?> wanted = spread[i];
            if (wanted != element && !(element == Object.class && !wanted.isPrimitive())) spread[i] = element;
        }
        MethodHandle target = asType(MethodType.methodType(type.returnType(), spread));
        MethodType newType = type.dropParameterTypes(position, position + arrayLength).insertParameterTypes(position, arrayType);
        return new Adapters.Spread(target, newType, position, arrayType, arrayLength);
    }

    public MethodHandle asCollector(Class<?> arrayType, int arrayLength) {
        return asCollector(type.parameterCount() - 1, arrayType, arrayLength);
    }

    public MethodHandle asCollector(int position, Class<?> arrayType, int arrayLength) {
        asCollectorChecks(arrayType, position, arrayLength);
        MethodHandle target = this;
        Class<?> parameter = type.parameterType(position);
        if (parameter != arrayType) target = asFixedArity().asType(type.changeParameterType(position, arrayType));
        Class<?> element = arrayType.getComponentType();
        Class<?>[] elements = new Class<?>[arrayLength];
        Arrays.fill(elements, element);
        MethodType newType = type.dropParameterTypes(position, position + 1).insertParameterTypes(position, elements);
        return new Adapters.Collect(target, newType, position, element, arrayLength);
    }

    // True when the last parameter is exactly that array type.
    boolean asCollectorChecks(Class<?> arrayType, int position, int arrayLength) {
        elementType(arrayType);
        int parameters = type.parameterCount();
        if (position < 0 || position >= parameters) {
            throw new IllegalArgumentException("bad collect position: " + position);
        }
        Class<?> parameter = type.parameterType(position);
        if (arrayLength < 0 || arrayLength > 255) throw new IllegalArgumentException("bad collect array length");
        if (parameter == arrayType) return true;
        if (parameter.isAssignableFrom(arrayType)) return false;
        throw new IllegalArgumentException("array type not assignable to argument: " + this + ", " + arrayType);
    }

    public MethodHandle withVarargs(boolean makeVarargs) {
        if (makeVarargs == isVarargsCollector()) return this;
        if (!makeVarargs) return asFixedArity();
        int last = type.parameterCount() - 1;
        if (last < 0 || !type.parameterType(last).isArray()) throw new IllegalArgumentException("cannot make variable arity: " + this);
        return asVarargsCollector(type.parameterType(last));
    }

    public MethodHandle asVarargsCollector(Class<?> arrayType) {
        Objects.requireNonNull(arrayType);
        if (type.parameterCount() == 0) throw new IllegalArgumentException("not a variable arity type: " + type);
        boolean exact = asCollectorChecks(arrayType, type.parameterCount() - 1, 0);
        if (isVarargsCollector() && exact) return this;
        return new Adapters.Varargs(asFixedArity(), arrayType);
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

    // Another type for the same argument values; the caller has made sure that nothing needs a check.
    MethodHandle viewAsType(MethodType newType) {
        return newType == type ? this : new Adapters.View(this, newType);
    }
}
