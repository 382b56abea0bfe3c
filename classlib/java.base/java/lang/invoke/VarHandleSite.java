// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of one signature-polymorphic VarHandle site (a class's constant-pool entry): its mode, its type, and the
// last handle seen whose types it fits without conversion. Adapters compare their handle with `direct` and `view`. If
// it is equal they need no further type check, because the site's descriptor gives the types of the values from Java
// code.
//
// A site lives as long as its class, and a cached handle as long as the site. So the site caches no handle that refers
// to a class that could be unloaded earlier: the class's loader must be the site's loader, an ancestor of it, or one
// that lives for ever, and the class must not be hidden. So library code that gets handles of plugins always takes the
// other path.
package java.lang.invoke;

import jdk.internal.loader.BuiltinClassLoader;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

final class VarHandleSite {
    private final VarHandle.AccessMode mode;
    private final MethodType type;
    private final ClassLoader loader;   // the loader of the site's class
    VarHandle direct;              // a field or array handle; racy, any value is right
    ByteViewVarHandle view;        // a view of byte[]

    private VarHandleSite(VarHandle.AccessMode mode, MethodType type, ClassLoader loader) {
        this.mode = mode;
        this.type = type;
        this.loader = loader;
    }

    static VarHandleSite make(int mode, MethodType type, ClassLoader loader) {
        try {
            VarHandle.checkSiteSlots(type);
        } catch (IllegalArgumentException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        return new VarHandleSite(VarHandle.AccessMode.of(mode), type, loader);
    }

    // The adapters' other path, with boxed arguments and a boxed result. It is not inlined: each site takes it once, so
    // in a profile of few calls it looks hot, and it has twenty times as much code as the access.
    @DontInline
    @Hidden
    static Object access(VarHandle handle, VarHandleSite site, Object[] arguments) throws Throwable {
        if (handle == null) throw new NullPointerException();
        site.remember(handle);
        if (!TypeBoundary.IS_CHECKED) return handle.access(site.mode, site.type, arguments);
        TypeBoundary.checkArguments(site.type, arguments, site);
        Object result = handle.access(site.mode, site.type, arguments);
        TypeBoundary.checkResult(site.type, result, site);
        return result;
    }

    // vm/interpreter/points/quiet.def knows this method.
    private void remember(VarHandle handle) {
        if (direct == handle || view == handle || !handle.supports(mode) || !fits(handle) || !outlives(handle)) return;
        if (handle instanceof ByteViewVarHandle) {
            ByteViewVarHandle bytes = (ByteViewVarHandle) handle;
            boolean isPlain = mode == VarHandle.AccessMode.GET || mode == VarHandle.AccessMode.SET;
            if (bytes.ofArray && isPlain) view = bytes;
        } else if (handle.isDirect()) {
            direct = handle;
        }
    }

    @Override
    public String toString() {
        return mode.methodName + type;
    }

    // Do the handle's classes live at least as long as this site? If not, the site must not keep them alive.
    private boolean outlives(VarHandle handle) {
        for (Class<?> each : handle.coordinates) {
            if (!outlives(each)) return false;
        }
        return outlives(handle.varType) && (!(handle.base instanceof Class) || outlives((Class<?>) handle.base));
    }

    private boolean outlives(Class<?> other) {
        while (other.isArray()) other = other.getComponentType();
        if (other.isHidden()) return false;
        ClassLoader others = other.getClassLoader();
        if (others == null || others instanceof BuiltinClassLoader) return true;
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each == others) return true;
        }
        return false;
    }

    boolean fits(VarHandle handle) {
        MethodType access = handle.accessModeType(mode);
        if (access == type) return true;
        if (handle.exact || access.parameterCount() != type.parameterCount()) return false;
        for (int i = 0; i < type.parameterCount(); i++) {
            Class<?> from = type.parameterType(i), to = access.parameterType(i);
            // javac gives a literal null the type Void: compareAndSet(object, null, value). Adapters check that the
            // value that they store is null.
            boolean isNull = from == Void.class && i >= handle.coordinates.length && !to.isPrimitive();
            if (!isNull && !passes(from, to)) return false;
        }
        return type.returnType() == void.class || passes(access.returnType(), type.returnType());
    }

    private static boolean passes(Class<?> from, Class<?> to) {
        return from == to || !from.isPrimitive() && !to.isPrimitive() && to.isAssignableFrom(from);
    }
}
