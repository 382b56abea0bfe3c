// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a Lookup finds and what it may touch: resolution of members (JVMS 5.4.3) and access control (JVMS 5.4.4) on behalf of its lookup class, with the
// words of the JDK's exceptions.
package java.lang.invoke;

import java.util.Objects;
import sun.invoke.util.VerifyAccess;

import static java.lang.invoke.MethodHandleInfo.*;
import static java.lang.invoke.MethodHandles.Lookup.*;

final class MemberAccess {
    private final MethodHandles.Lookup lookup;
    private final Class<?> lookupClass;
    private final Class<?> prevLookupClass;
    private final int allowedModes;

    MemberAccess(MethodHandles.Lookup lookup) {
        this.lookup = lookup;
        lookupClass = lookup.lookupClass();
        prevLookupClass = lookup.previousLookupClass();
        allowedModes = lookup.allowedModes;
    }

    boolean isClassAccessible(Class<?> referenced) {
        Objects.requireNonNull(referenced);
        if (allowedModes == TRUSTED || referenced == lookupClass) return true;
        Class<?> type = referenced;
        while (type.isArray()) type = type.getComponentType();
        return VerifyAccess.isClassAccessible(type, lookupClass, prevLookupClass, allowedModes);
    }

    void checkSymbolicClass(Class<?> referenced) throws IllegalAccessException {
        if (!isClassAccessible(referenced)) {
            throw MemberName.accessException("symbolic reference class is not accessible", String.valueOf(referenced), lookup);
        }
    }

    MemberName resolve(int kind, Class<?> referenced, String name, MethodType type) throws NoSuchMethodException, IllegalAccessException {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        checkSymbolicClass(referenced);
        if (kind != REF_newInvokeSpecial && name.startsWith("<")) throw new NoSuchMethodException("illegal method name: " + name);
        MemberName member = MemberName.findMethod(kind, referenced, name, type);
        if (member == null) {
            String what = kind == REF_newInvokeSpecial ? "no such constructor" : "no such method";
            MemberName wanted = new MemberName(referenced, name, type, 0, kind, 0);
            NoSuchMethodException exception = new NoSuchMethodException(what + ": " + wanted);
            exception.initCause(new NoSuchMethodError(missingText(referenced, name, type)));
            throw exception;
        }
        if (kind != REF_newInvokeSpecial) checkLinkage("no such method: ", referenced, member, kind == REF_invokeStatic);
        else checkLinkage("no such constructor: ", referenced, member, false);
        return member;
    }

    // As the VM words it: 'void Main.run(int)'.
    private static String missingText(Class<?> referenced, String name, MethodType type) {
        StringBuilder text = new StringBuilder("'").append(type.returnType().getTypeName()).append(' ');
        text.append(referenced.getName()).append('.').append(name).append('(');
        for (int i = 0; i < type.parameterCount(); i++) {
            if (i > 0) text.append(", ");
            text.append(type.parameterType(i).getTypeName());
        }
        return text.append(")'").toString();
    }

    MemberName resolveField(int kind, Class<?> refc, String name, Class<?> type) throws NoSuchFieldException, IllegalAccessException {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        checkSymbolicClass(refc);
        MemberName member = MemberName.findField(kind, refc, name, type);
        if (member == null) {
            NoSuchFieldException exception = new NoSuchFieldException("no such field: " + new MemberName(refc, name, type, 0, kind, 0));
            exception.initCause(new NoSuchFieldError(name));
            throw exception;
        }
        checkLinkage("no such field: ", refc, member, kind == REF_getStatic || kind == REF_putStatic);
        return member;
    }

    // What linking an instruction of the lookup class would refuse is reported like a missing member.
    private void checkLinkage(String what, Class<?> referenced, MemberName member, boolean wantStatic) throws IllegalAccessException {
        Error cause = null;
        int modifiers = member.getModifiers();
        if (wantStatic != member.isStatic()) {
            cause = new IncompatibleClassChangeError(member.toString());
        } else if (allowedModes != TRUSTED && member.clazz != lookupClass && !java.lang.reflect.Modifier.isPublic(modifiers) && !referenced.isArray()
                && !VerifyAccess.isMemberAccessible(referenced, member.clazz, modifiers, lookupClass, null, FULL_POWER_MODES)) {
            cause = new IllegalAccessError(member.toString());
        }
        if (cause == null) return;
        IllegalAccessException exception = new IllegalAccessException(what + member);
        exception.initCause(cause);
        throw exception;
    }

    void checkSpecialCaller(Class<?> specialCaller, Class<?> refc) throws IllegalAccessException {
        if (allowedModes == TRUSTED) return;
        boolean own = specialCaller == lookupClass || refc != null && refc.isInterface() && refc.isAssignableFrom(specialCaller);
        if ((lookup.lookupModes() & PRIVATE) == 0 || !own) {
            throw MemberName.accessException("no private access for invokespecial", String.valueOf(specialCaller), lookup);
        }
    }

    void checkMethod(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        boolean wantStatic = kind == REF_invokeStatic;
        if (kind != REF_newInvokeSpecial && wantStatic != member.isStatic()) {
            throw member.accessException(wantStatic ? "expected a static method" : "expected a non-static method", lookup);
        }
        checkAccess(kind, refc, member);
    }

    void checkField(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        boolean wantStatic = kind == REF_getStatic || kind == REF_putStatic;
        if (wantStatic != member.isStatic()) {
            throw member.accessException(wantStatic ? "expected a static field" : "expected a non-static field", lookup);
        }
        checkAccess(kind, refc, member);
    }

    void checkAccess(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        if (allowedModes == TRUSTED) return;
        int modifiers = member.getModifiers();
        boolean isSetter = kind == REF_putField || kind == REF_putStatic;
        if (isSetter && member.isFinal()) throw member.accessException("unexpected set of a final field", lookup);
        if (refc == lookupClass && member.clazz == lookupClass && lookup.hasFullPrivilegeAccess()) return;
        if (member.isProtected() && kind == REF_invokeVirtual && member.clazz == Object.class && member.name.equals("clone") && refc.isArray()) {
            modifiers ^= PROTECTED | PUBLIC;    // an array's clone is public (JLS 10.7)
        }
        if (member.isProtected() && kind == REF_newInvokeSpecial) modifiers ^= PROTECTED;
        int requested = modifiers & (PUBLIC | PRIVATE | PROTECTED);
        if (requested == 0) requested = PACKAGE;
        else if ((requested & PUBLIC) != 0) requested |= UNCONDITIONAL;
        if ((requested & allowedModes) != 0) {
            if (VerifyAccess.isMemberAccessible(refc, member.clazz, modifiers, lookupClass, prevLookupClass, allowedModes)) return;
        } else if ((requested & PROTECTED) != 0 && (allowedModes & PACKAGE) != 0 && VerifyAccess.isSamePackage(member.clazz, lookupClass)) {
            return;
        }
        throw member.accessException(accessFailure(refc, member), lookup);
    }

    private String accessFailure(Class<?> refc, MemberName member) {
        Class<?> declaring = member.clazz;
        boolean classIsAccessible = java.lang.reflect.Modifier.isPublic(declaring.getModifiers())
                && (declaring == refc || java.lang.reflect.Modifier.isPublic(refc.getModifiers()));
        if (!classIsAccessible && (allowedModes & PACKAGE) != 0) {
            classIsAccessible = VerifyAccess.isClassAccessible(declaring, lookupClass, null, FULL_POWER_MODES)
                    && (declaring == refc || VerifyAccess.isClassAccessible(refc, lookupClass, null, FULL_POWER_MODES));
        }
        if (!classIsAccessible) return "class is not public";
        int modifiers = member.getModifiers();
        if (java.lang.reflect.Modifier.isPublic(modifiers)) return "access to public member failed";
        if (java.lang.reflect.Modifier.isPrivate(modifiers)) return "member is private";
        if (java.lang.reflect.Modifier.isProtected(modifiers)) return "member is protected";
        return "member is private to package";
    }

    // A protected member that is inherited from another package is reached through the lookup class only.
    boolean restrictsReceiver(MemberName member) {
        return member.isProtected() && !member.isStatic() && allowedModes != TRUSTED && member.clazz != lookupClass
                && !VerifyAccess.isSamePackage(member.clazz, lookupClass)
                && !(member.clazz == Object.class && member.name.equals("clone"));
    }

    Class<?> restricted(MemberName member, Class<?> refc) throws IllegalAccessException {
        if (!member.clazz.isAssignableFrom(lookupClass)) {
            throw member.accessException("caller class must be a subclass below the method", lookupClass);
        }
        return lookupClass.isAssignableFrom(refc) ? refc : lookupClass;
    }
}
