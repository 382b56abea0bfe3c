// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.ClassLoaders, as the class of the first layer does. The application loader of this
// release asks no security manager, so it has no loadClass of its own that stack traces would show.
// Why: making the built-in loaders without URLClassPath, module readers and the archive of HotSpot's CDS.
// Native: none.
//
//   null (boot) <- "platform" <- "app"        `bootLoader()` is only the owner of the boot loader's Package objects
//
// Which of them defines a module of the JDK was decided when that JDK was built (jdk.internal.module.ModuleLoaderMap);
// what is in neither of its two sets is "app"'s, and so is every module of the module path.
package jdk.internal.loader;

import java.security.AllPermission;
import java.security.ProtectionDomain;

import jdk.internal.module.ModuleLoaderMap;

public class ClassLoaders {
    private static final PlatformClassLoader platform = new PlatformClassLoader();
    private static final AppClassLoader app = new AppClassLoader(platform);

    private ClassLoaders() {
    }

    private static final class Boot {
        static final BootClassLoader loader = new BootClassLoader();
    }

    static BuiltinClassLoader bootLoader() {
        return Boot.loader;
    }

    public static ClassLoader platformClassLoader() {
        return platform;
    }

    public static ClassLoader appClassLoader() {
        return app;
    }

    // The loader that defines a module of the boot layer.
    public static ClassLoader ofModule(String name) {
        if (ModuleLoaderMap.bootModules().contains(name)) return null;
        return ModuleLoaderMap.platformModules().contains(name) ? platform : app;
    }

    private static class BootClassLoader extends BuiltinClassLoader {
        BootClassLoader() {
            super(null, null, false);
        }

        @Override
        protected Class<?> loadClassOrNull(String name, boolean resolve) {
            return BootLoader.loadClassOrNull(name);
        }
    }

    private static class PlatformClassLoader extends BuiltinClassLoader {
        static {
            if (!ClassLoader.registerAsParallelCapable()) throw new InternalError();
        }

        PlatformClassLoader() {
            super("platform", null, false);
        }
    }

    private static class AppClassLoader extends BuiltinClassLoader {
        static {
            if (!ClassLoader.registerAsParallelCapable()) throw new InternalError();
        }

        AppClassLoader(ClassLoader parent) {
            super("app", parent, true);
        }
    }

    // The permissions of the boot loader's classes: everything.
    private static final class Everything {
        static final ProtectionDomain domain =
                new ProtectionDomain(null, new AllPermission().newPermissionCollection());
    }

    // Called by the VM (Class.getProtectionDomain0) for a class of the class path or of a JDK module that the boot
    // loader does not define; from 25 on for all classes that have no domain.
    static ProtectionDomain protectionDomain(Class<?> ofBuiltin) {
        return ofBuiltin.getClassLoader() == null ? Everything.domain : protectionDomain(ofBuiltin.getName());
    }

    // The domain of a class before it is defined, for transformers of class files.
    static ProtectionDomain protectionDomain(String className) {
        int dot = className.lastIndexOf('.');
        String owner = dot < 0 ? null : BootLoader.moduleOfPackage(className.substring(0, dot).replace('.', '/'));
        Module module = owner == null ? null : BootLoader.systemModule(owner);
        if (module == null) return app.domainOf(BuiltinClassLoader.codeSourceOf(className));
        return ((BuiltinClassLoader) module.getClassLoader()).domainOf(BootLoader.locationOf(owner));
    }
}
