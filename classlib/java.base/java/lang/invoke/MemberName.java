// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A resolved (or at least named) field, method or constructor: what lookups find and direct handles are made from.
package java.lang.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

final class MemberName implements Member {
    static final int CALLER_SENSITIVE = 1 << 20;    // beside the access flags
    // A final field that cannot be set: it is static, in a record or in a hidden class
    static final int TRUSTED_FINAL = 1 << 21;
    // One of several conflicting defaults that the class inherits
    static final int CONFLICTING = 1 << 22;

    final Class<?> clazz;      // where it is declared
    final String name;         // "<init>" for constructors
    final Object type;         // MethodType (without receiver; constructors return void), or the field's Class
    final int flags;
    final byte kind;           // MethodHandleInfo.REF_*
    final long address;        // the VM's Method, or the field's offset

    MemberName(Class<?> clazz, String name, Object type, int flags, int kind, long address) {
        this.clazz = clazz;
        this.name = name;
        this.type = type;
        this.flags = flags;
        this.kind = (byte) kind;
        this.address = address;
    }

    // Looks a method up in `referenced` and what it inherits; null when there is none.
    static MemberName findMethod(int kind, Class<?> referenced, String name, MethodType type) {
        Class<?>[] declaring = new Class<?>[1];
        long[] found = new long[2];
        if (!resolveMethod(referenced, name, type.toMethodDescriptorString(), declaring, found)) return null;
        return new MemberName(declaring[0], name, type, (int) found[1], kind, found[0]);
    }

    // Looks a field up. The kind follows from the field: a static one is for getStatic or putStatic.
    static MemberName findField(boolean isSetter, Class<?> referenced, String name, Class<?> type) {
        Class<?>[] declaring = new Class<?>[1];
        long[] found = new long[2];
        if (!resolveField(referenced, name, type.descriptorString(), declaring, found)) return null;
        int ofInstance = isSetter ? MethodHandleInfo.REF_putField : MethodHandleInfo.REF_getField;
        int ofClass = isSetter ? MethodHandleInfo.REF_putStatic : MethodHandleInfo.REF_getStatic;
        int kind = Modifier.isStatic((int) found[1]) ? ofClass : ofInstance;
        return new MemberName(declaring[0], name, type, (int) found[1], kind, found[0]);
    }

    private static native boolean resolveMethod(Class<?> referenced, String name, String descriptor,
                                                Class<?>[] declaring, long[] found);

    private static native boolean resolveField(Class<?> referenced, String name, String descriptor,
                                               Class<?>[] declaring, long[] found);

    // Throws IllegalAccessError, or LinkageError if `constrains`, when the VM would not link an instruction in `caller`
    // that names this member in `referenced`. MemberAccess checks the access to fields.
    void checkLinkage(Class<?> caller, Class<?> referenced, boolean constrains) {
        if (!isField()) checkMethodLinkage(caller, referenced, address, constrains);
        else if (constrains) checkFieldConstraints(caller, clazz, name, getFieldType().descriptorString());
    }

    private static native void checkMethodLinkage(Class<?> caller, Class<?> referenced, long method,
                                                  boolean constrains);

    private static native void checkFieldConstraints(Class<?> caller, Class<?> declaring, String name,
                                                     String descriptor);

    // Throws LinkageError when a class in the member's type is not the class that the declaring class means by that
    // name: the VM finds members by the names of their types.
    void checkTypeAlias() {
        boolean isVisible;
        if (isField()) {
            isVisible = isVisible(getFieldType());
        } else {
            isVisible = isVisible(getMethodType().returnType());
            for (int i = 0; isVisible && i < getMethodType().parameterCount(); i++) {
                isVisible = isVisible(getMethodType().parameterType(i));
            }
        }
        if (isVisible) return;
        throw new LinkageError("bad " + (isField() ? "field" : "method") + " type alias: " + type
                + " not visible from " + clazz);
    }

    private boolean isVisible(Class<?> named) {
        Class<?> element = named;
        while (element.isArray()) element = element.getComponentType();
        ClassLoader own = clazz.getClassLoader(), others = element.getClassLoader();
        if (element.isPrimitive() || own == others || others == null && element.getName().startsWith("java."))
            return true;
        try {
            return Class.forName(element.getName(), false, own) == element;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    static MemberName of(Method method, int kind) {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return declared(method.getDeclaringClass(), method.getName(), type, kind);
    }

    static MemberName of(Constructor<?> constructor) {
        MethodType type = MethodType.methodType(void.class, constructor.getParameterTypes());
        return declared(constructor.getDeclaringClass(), "<init>", type, MethodHandleInfo.REF_newInvokeSpecial);
    }

    private static MemberName declared(Class<?> clazz, String name, MethodType type, int kind) {
        MemberName member = findMethod(kind, clazz, name, type);
        if (member == null) throw new InternalError(clazz.getName() + "." + name + type);
        return member;
    }

    static MemberName of(Field field, boolean isSetter) {
        MemberName member = findField(isSetter, field.getDeclaringClass(), field.getName(), field.getType());
        if (member == null) throw new InternalError(field.toString());
        return member;
    }

    // A signature-polymorphic method with the type of its call.
    static MemberName polymorphic(Class<?> holder, String name, MethodType type) {
        int synthetic = 0x1000;
        int flags = Modifier.PUBLIC | Modifier.FINAL | Modifier.NATIVE | synthetic;
        return new MemberName(holder, name, type, flags, MethodHandleInfo.REF_invokeVirtual, 0);
    }

    boolean isPolymorphic() {
        return (clazz == MethodHandle.class || clazz == VarHandle.class) && isSynthetic();
    }

    MemberName withKind(int newKind) {
        return new MemberName(clazz, name, type, flags, newKind, address);
    }

    // The same member, declared in `subtype`: an inherited default method counts as the class's own.
    MemberName declaredIn(Class<?> subtype) {
        return new MemberName(subtype, name, type, flags, kind, address);
    }

    @Override
    public Class<?> getDeclaringClass() {
        return clazz;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public int getModifiers() {
        return flags & 0xFFFF;
    }

    @Override
    public boolean isSynthetic() {
        return (flags & 0x1000) != 0;
    }

    MethodType getMethodType() {
        return (MethodType) type;
    }

    Class<?> getFieldType() {
        return (Class<?>) type;
    }

    boolean isField() {
        return type instanceof Class;
    }

    boolean isConstructor() {
        return "<init>".equals(name);
    }

    boolean isMethod() {
        return type instanceof MethodType && !isConstructor();
    }

    boolean isStatic() {
        return Modifier.isStatic(flags);
    }

    boolean isFinal() {
        return Modifier.isFinal(flags);
    }

    boolean isVolatile() {
        return isField() && Modifier.isVolatile(flags);
    }

    boolean isVarargs() {
        return !isField() && (flags & 0x80) != 0;
    }

    boolean isProtected() {
        return Modifier.isProtected(flags);
    }

    boolean isTrustedFinal() {
        return (flags & TRUSTED_FINAL) != 0;
    }

    boolean hasConflictingDefaults() {
        return (flags & CONFLICTING) != 0;
    }

    boolean isCallerSensitive() {
        return (flags & CALLER_SENSITIVE) != 0;
    }

    private static String typeName(Object type) {
        return type instanceof Class ? ((Class<?>) type).getName() : String.valueOf(type);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (clazz != null) text.append(clazz.getName()).append('.');
        text.append(name);
        if (isField()) text.append('/');
        text.append(typeName(type));
        if (kind != 0) text.append('/').append(MethodHandleNatives.refKindName(kind));
        return text.toString();
    }

    IllegalAccessException accessException(String message, Object from) {
        return accessException(message, toString(), from);
    }

    static IllegalAccessException accessException(String message, String what, Object from) {
        StringBuilder text = new StringBuilder(message).append(": ").append(what);
        if (from == MethodHandles.Lookup.PUBLIC_LOOKUP) {
            text.append(", from public Lookup");
        } else if (from != null) {
            Class<?> previous = null;
            Class<?> caller;
            if (from instanceof MethodHandles.Lookup) {
                caller = ((MethodHandles.Lookup) from).lookupClass();
                previous = ((MethodHandles.Lookup) from).previousLookupClass();
            } else {
                caller = (Class<?>) from;
            }
            text.append(", from ").append(caller).append(" (").append(caller.getModule()).append(')');
            if (previous != null) {
                text.append(", previous lookup ")
                        .append(previous.getName())
                        .append(" (")
                        .append(previous.getModule())
                        .append(')');
            }
        }
        return new IllegalAccessException(text.toString());
    }
}
