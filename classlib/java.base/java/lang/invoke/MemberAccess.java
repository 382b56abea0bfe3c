// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which members a Lookup finds and may access: resolution of members (JVMS 5.4.3) and access control (JVMS
// 5.4.4) for its lookup class, with the texts of the JDK's exceptions.
package java.lang.invoke;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
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
        Class<?> element = referenced;
        while (element.isArray()) element = element.getComponentType();
        return allowedModes == TRUSTED
                || VerifyAccess.isClassAccessible(element, lookupClass, prevLookupClass, allowedModes);
    }

    void checkSymbolicClass(Class<?> referenced) throws IllegalAccessException {
        if (!isClassAccessible(referenced)) {
            throw MemberName.accessException("symbolic reference class is not accessible", String.valueOf(referenced),
                                             lookup);
        }
    }

    // --- resolution (JVMS 5.4.3), and further checks of linking an instruction of the lookup class ---

    MemberName resolve(int kind, Class<?> referenced, String name, MethodType type)
            throws NoSuchMethodException, IllegalAccessException {
        checkSymbolicClass(referenced);
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        boolean isConstructor = kind == REF_newInvokeSpecial;
        String complaint = isConstructor ? "no such constructor: " : "no such method: ";
        if (!isConstructor && name.startsWith("<")) throw new NoSuchMethodException("illegal method name: " + name);
        MemberName wanted = new MemberName(referenced, name, type, 0, kind, 0);
        MemberName member = isConstructor && type.returnType() != void.class ? null
                : MemberName.findMethod(kind, referenced, name, type);
        if (member == null) {
            MemberName inherited = isConstructor ? inheritedConstructor(wanted) : null;
            if (inherited != null && allowedModes != TRUSTED) {
                try {
                    checkLinkage(referenced, inherited);
                } catch (LinkageError refusal) {
                    throw refused(complaint + wanted, refusal);
                }
            }
            NoSuchMethodException exception = new NoSuchMethodException(complaint + wanted);
            exception.initCause(new NoSuchMethodError(missingText(wanted, inherited != null)));
            throw exception;
        }
        Error refusal = linkageError(kind, referenced, member);
        if (refusal != null) throw refused(complaint + wanted, refusal);
        return kind == REF_invokeSpecial ? selectedFor(referenced, member) : member;
    }

    // The method that invokespecial runs. In an interface this is `member` itself; selectSpecial checks it later.
    private MemberName selectedFor(Class<?> referenced, MemberName member) {
        return lookupClass.isInterface() || allowedModes == TRUSTED ? member : selectSpecial(referenced, member);
    }

    private static IllegalAccessException refused(String message, Error refusal) {
        IllegalAccessException exception = new IllegalAccessException(message);
        exception.initCause(refusal);
        return exception;
    }

    private Error linkageError(int kind, Class<?> referenced, MemberName member) {
        try {
            Error error = allowedModes == TRUSTED ? staticnessError(kind, referenced, member)
                    : instructionError(kind, referenced, member);
            if (error == null) member.checkTypeAlias();
            return error;
        } catch (LinkageError error) {
            return error;
        }
    }

    // Checks loading constraints, except for a public lookup, which does not constrain the loader of its class.
    private void checkLinkage(Class<?> referenced, MemberName member) {
        member.checkLinkage(lookupClass, referenced, allowedModes != UNCONDITIONAL);
    }

    // Throws or returns the error of linking such an instruction in the lookup class.
    private Error instructionError(int kind, Class<?> referenced, MemberName member) {
        checkLinkage(referenced, member);
        Error error = staticnessError(kind, referenced, member);
        if (error != null || kind != REF_invokeSpecial) return error;
        // By JVMS 6.5.invokespecial an interface must be a direct superinterface, and the method must not be abstract.
        if (referenced.isInterface() && referenced != lookupClass
                && !Arrays.asList(lookupClass.getInterfaces()).contains(referenced)) {
            return new IncompatibleClassChangeError("Interface method reference: " + methodText(member.clazz, member)
                    + ReleaseBehaviour.NO_DIRECT_INTERFACE + lookupClass.getName());
        }
        MemberName selected = selectedFor(referenced, member);
        if (selected.address != member.address) checkLinkage(referenced, selected);
        if (!Modifier.isAbstract(selected.flags)) return null;
        boolean isInherited = selected.clazz.isInterface() && !referenced.isInterface() && referenced != lookupClass;
        return new AbstractMethodError(methodText(isInherited ? member.clazz : memberHolder(referenced), selected));
    }

    private static Error staticnessError(int kind, Class<?> referenced, MemberName member) {
        boolean wantStatic = kind == REF_invokeStatic;
        if (wantStatic == member.isStatic()) return null;
        String expected = wantStatic ? "Expected static method "
                : member.clazz.isInterface() ? "Expected instance not static method " : "Expecting non-static method ";
        // For conflicting defaults the VM names the class itself, as if it declared the method.
        Class<?> holder = member.hasConflictingDefaults() ? referenced : member.clazz;
        return new IncompatibleClassChangeError(expected + methodText(holder, member));
    }

    // Selects the method of invokespecial: if a superclass was named, the search begins at the lookup class's
    // superclass.
    MemberName selectSpecial(Class<?> referenced, MemberName method) {
        Class<?> named = referenced.isArray() ? Object.class : referenced;
        boolean isArrayOfInterface = referenced.isArray() && lookupClass.isInterface();
        Class<?> holder = isArrayOfInterface ? named : holderOfSpecial(named);
        if (holder == named) return method;
        MemberName selected = MemberName.findMethod(REF_invokeSpecial, holder, method.name, method.getMethodType());
        return selected == null || selected.isStatic() ? method : selected;
    }

    // The class where that search begins. An interface has no superclass: a method of Object is found in Object, or
    // refused with java's message.
    Class<?> holderOfSpecial(Class<?> referenced) {
        if (referenced.isInterface() || referenced == lookupClass || !referenced.isAssignableFrom(lookupClass)) {
            return referenced;
        }
        if (!lookupClass.isInterface()) return lookupClass.getSuperclass();
        if (ReleaseBehaviour.INTERFACES_REACH_OBJECT) return referenced;
        throw new IllegalArgumentException("nothing to resolve");
    }

    // An array has the members of Object.
    private static Class<?> memberHolder(Class<?> referenced) {
        return referenced.isArray() ? Object.class : referenced;
    }

    // Finds a constructor of a superclass. The VM resolves constructors like methods: it finds this one and rejects it.
    private static MemberName inheritedConstructor(MemberName wanted) {
        if (wanted.clazz.isPrimitive() || wanted.getMethodType().returnType() != void.class) return null;
        Class<?> above = wanted.clazz.isInterface() ? Object.class : wanted.clazz.getSuperclass();
        for (; above != null; above = above.getSuperclass()) {
            MemberName found =
                    MemberName.findMethod(REF_newInvokeSpecial, above, wanted.name, wanted.getMethodType());
            if (found != null) return found;
        }
        return null;
    }

    // The VM's message for a missing member.
    private static String missingText(MemberName wanted, boolean isInherited) {
        if (wanted.clazz.isPrimitive()) return "method resolution failed";
        if (isInherited) return wanted.clazz.getName() + ": method " + methodText(null, wanted) + " not found";
        return methodText(memberHolder(wanted.clazz), wanted);
    }

    // Describes a method: 'void Main.run(int)'.
    private static String methodText(Class<?> holder, MemberName method) {
        MethodType type = method.getMethodType();
        StringJoiner parameters = new StringJoiner(", ", "(", ")");
        for (Class<?> parameter : type.parameterArray()) parameters.add(parameter.getTypeName());
        String qualifier = holder == null ? "" : holder.getName() + ".";
        return "'" + type.returnType().getTypeName() + " " + qualifier + method.name + parameters + "'";
    }

    MemberName resolveField(boolean isSetter, Class<?> referenced, String name, Class<?> type, int kind)
            throws NoSuchFieldException, IllegalAccessException {
        checkSymbolicClass(referenced);
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        MemberName member = MemberName.findField(isSetter, referenced, name, type);
        if (member == null) {
            NoSuchFieldException exception = new NoSuchFieldException("no such field: "
                    + new MemberName(referenced, name, type, 0, kind, 0));
            exception.initCause(new NoSuchFieldError(
                    referenced.isPrimitive() ? "field resolution failed"
                                             : ReleaseBehaviour.missingField(memberHolder(referenced), name, type)));
            throw exception;
        }
        try {
            if (allowedModes != TRUSTED) checkLinkage(referenced, member);
            member.checkTypeAlias();
        } catch (LinkageError refusal) {
            throw refused("no such field: " + new MemberName(referenced, name, type, 0, kind, 0), refusal);
        }
        return member;
    }

    // --- access control (JVMS 5.4.4) ---

    void checkSpecialCaller(Class<?> specialCaller, Class<?> refc) throws IllegalAccessException {
        Objects.requireNonNull(specialCaller);
        if (allowedModes == TRUSTED) return;
        boolean own = specialCaller == lookupClass
                || refc != null && refc.isInterface() && refc.isAssignableFrom(specialCaller);
        if ((lookup.lookupModes() & PRIVATE) == 0 || !own) {
            throw MemberName.accessException("no private access for invokespecial", String.valueOf(specialCaller),
                                             lookup);
        }
    }

    // A caller-sensitive method sees its caller, which only a lookup that the class made itself may represent.
    void checkCallerSensitive(MemberName method) throws IllegalAccessException {
        if (method.isCallerSensitive() && (lookup.lookupModes() & ORIGINAL) == 0 && allowedModes != TRUSTED) {
            throw new IllegalAccessException(
                    "Attempt to lookup caller-sensitive method using restricted lookup object");
        }
    }

    // A handle of a caller-sensitive method calls on behalf of `caller`, so only `caller` may reveal it.
    void checkReveals(Class<?> caller) {
        boolean isCaller = lookupClass == caller && (allowedModes & ORIGINAL) != 0;
        if (isCaller || allowedModes == TRUSTED) return;
        throw new IllegalArgumentException("method handle is caller sensitive: " + caller);
    }

    void checkMethod(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        boolean wantStatic = kind == REF_invokeStatic;
        if (kind != REF_newInvokeSpecial && wantStatic != member.isStatic()) {
            throw member.accessException(wantStatic ? "expected a static method" : "expected a non-static method",
                                         lookup);
        }
        checkAccess(kind, refc, member);
    }

    void checkField(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        boolean wantStatic = kind == REF_getStatic || kind == REF_putStatic;
        if (wantStatic != member.isStatic()) {
            throw member.accessException(wantStatic ? "expected a static field" : "expected a non-static field",
                                         lookup);
        }
        checkAccess(kind, refc, member);
    }

    void checkAccess(int kind, Class<?> refc, MemberName member) throws IllegalAccessException {
        if (allowedModes == TRUSTED) return;
        if ((kind == REF_putField || kind == REF_putStatic) && member.isFinal()) {
            throw member.accessException("unexpected set of a final field", lookup);
        }
        boolean isOwn = refc == lookupClass && member.clazz == lookupClass && lookup.hasFullPrivilegeAccess();
        if (!isOwn && !mayUse(refc, member, visibility(kind, refc, member))) {
            throw member.accessException(refusal(refc, member), lookup);
        }
    }

    private static final int VISIBILITIES = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE;

    // The visibility of a member for this use: one of the modifiers, or 0 for its package.
    private static int visibility(int kind, Class<?> refc, MemberName member) {
        int declared = member.getModifiers() & VISIBILITIES;
        if (declared != Modifier.PROTECTED) return declared;
        if (kind == REF_newInvokeSpecial) return 0;    // a subclass calls it by super(...) only (JLS 6.6.2.2)
        boolean isArrayClone = kind == REF_invokeVirtual && refc.isArray() && member.name.equals("clone");
        return isArrayClone ? Modifier.PUBLIC : Modifier.PROTECTED;    // JLS 10.7
    }

    private boolean mayUse(Class<?> refc, MemberName member, int visibility) {
        int sufficient;    // any of these modes
        switch (visibility) {
            case Modifier.PUBLIC: sufficient = PUBLIC | UNCONDITIONAL; break;
            case Modifier.PRIVATE: sufficient = PRIVATE; break;
            case Modifier.PROTECTED:
                // Without the mode PROTECTED, a protected member is visible in its package only.
                if ((allowedModes & PROTECTED) == 0) {
                    return (allowedModes & PACKAGE) != 0 && VerifyAccess.isSamePackage(member.clazz, lookupClass);
                }
                sufficient = PROTECTED;
                break;
            default: sufficient = PACKAGE; break;
        }
        int modifiers = member.getModifiers() & ~VISIBILITIES | visibility;
        return (allowedModes & sufficient) != 0
                && VerifyAccess.isMemberAccessible(refc, member.clazz, modifiers, lookupClass, prevLookupClass,
                        allowedModes);
    }

    // Names the first obstacle: the class that was searched, the class that declares the member, or the member itself.
    private String refusal(Class<?> refc, MemberName member) {
        if (!isVisible(member.clazz) || !isVisible(refc)) return "class is not public";
        switch (member.getModifiers() & VISIBILITIES) {
            case Modifier.PUBLIC: return "access to public member failed";
            case Modifier.PRIVATE: return "member is private";
            case Modifier.PROTECTED: return "member is protected";
            default: return "member is private to package";
        }
    }

    private boolean isVisible(Class<?> type) {
        if (Modifier.isPublic(type.getModifiers())) return true;
        return (allowedModes & PACKAGE) != 0
                && VerifyAccess.isClassAccessible(type, lookupClass, null, FULL_POWER_MODES);
    }

    // A protected member that is inherited from another package is accessible through the lookup class only. This
    // includes an array's clone, which is public (JLS 10.7), because the library of 17 restricts it, too.
    boolean restrictsReceiver(MemberName member, Class<?> referenced) {
        boolean mayBe = ReleaseBehaviour.RESTRICTS_CLONE_OF_ARRAYS || !referenced.isArray();
        return mayBe && member.isProtected() && !member.isStatic() && allowedModes != TRUSTED
                && member.clazz != lookupClass
                && !VerifyAccess.isSamePackage(member.clazz, lookupClass);
    }

    Class<?> restricted(MemberName member, Class<?> refc) throws IllegalAccessException {
        if (!member.clazz.isAssignableFrom(lookupClass)) {
            throw member.accessException("caller class must be a subclass below the method", lookupClass);
        }
        return lookupClass.isAssignableFrom(refc) ? refc : lookupClass;
    }
}
