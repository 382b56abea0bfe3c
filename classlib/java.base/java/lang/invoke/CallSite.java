// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.invoke.CallSite. A dynamic call with a constant call site is linked to the target itself. Any other is
// linked to the CallSite object, and each call fetches the target, so setting a target needs no work in the VM.
package java.lang.invoke;

import java.util.Objects;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

public abstract class CallSite {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final class Target {
        static final long OFFSET = UNSAFE.objectFieldOffset(CallSite.class, "target");
    }

    MethodHandle target;

    CallSite(MethodType type) {
        IllegalStateException uninitialized = new IllegalStateException("uninitialized call site");
        MethodHandle thrower = MethodHandles.throwException(type.returnType(), IllegalStateException.class);
        this.target = MethodHandles.dropArguments(MethodHandles.bindChecked(thrower, 0, new Object[] {uninitialized}),
                                                  0, type.parameterArray());
    }

    CallSite(MethodHandle target) {
        this.target = Objects.requireNonNull(target);
    }

    CallSite(MethodType targetType, MethodHandle createTargetHook) throws Throwable {
        this(targetType);
        MethodHandle made = (MethodHandle) createTargetHook.invokeWithArguments(this);
        setTargetNormal(made);
    }

    public MethodType type() {
        return target.type();
    }

    public abstract MethodHandle getTarget();

    public abstract void setTarget(MethodHandle newTarget);

    public abstract MethodHandle dynamicInvoker();

    MethodHandle makeDynamicInvoker() {
        return new DynamicInvoker(this);
    }

    private void checkTargetChange(MethodHandle newTarget) {
        MethodType newType = newTarget.type();
        if (!newType.equals(target.type()))
            throw new WrongMethodTypeException(newTarget + " should be of type " + target.type());
    }

    final void setTargetNormal(MethodHandle newTarget) {
        checkTargetChange(newTarget);
        target = newTarget;
    }

    final MethodHandle getTargetVolatile() {
        return (MethodHandle) UNSAFE.getReferenceVolatile(this, Target.OFFSET);
    }

    final void setTargetVolatile(MethodHandle newTarget) {
        checkTargetChange(newTarget);
        UNSAFE.putReferenceVolatile(this, Target.OFFSET, newTarget);
    }

    private static final class DynamicInvoker extends MethodHandle {
        private final CallSite site;

        DynamicInvoker(CallSite site) {
            super(site.type());
            this.site = site;
        }

        @Override
        @Hidden
        Object invokeBoxed(Object[] arguments) throws Throwable {
            return site.getTarget().invokeBoxed(arguments);
        }
    }
}
