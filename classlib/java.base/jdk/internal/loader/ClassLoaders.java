// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.ClassLoaders.
// Why: making the built-in loaders without URLClassPath, module readers and the archive of HotSpot's CDS.
// Native: none.
//
//   null (boot) <- "platform" <- "app"        `bootLoader()` is only the owner of the boot loader's Package objects
package jdk.internal.loader;

import java.net.URL;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.Map;

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

        // One for each directory or jar, as they are asked for. Guarded by itself.
        private final Map<String, ProtectionDomain> domains = new HashMap<>();

        AppClassLoader(ClassLoader parent) {
            super("app", parent, true);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return super.loadClass(name, resolve);
        }

        @Override
        protected PermissionCollection getPermissions(CodeSource source) {
            PermissionCollection permissions = super.getPermissions(source);
            permissions.add(new RuntimePermission("exitVM"));
            return permissions;
        }

        ProtectionDomain domainOf(URL location) {
            String key = location == null ? "" : location.toString();
            synchronized (domains) {
                ProtectionDomain domain = domains.get(key);
                if (domain == null) {
                    CodeSource source = new CodeSource(location, (Certificate[]) null);
                    domain = new ProtectionDomain(source, getPermissions(source), this, null);
                    domains.put(key, domain);
                }
                return domain;
            }
        }
    }

    // Called by the VM (Class.getProtectionDomain0) for a class of the class path.
    static ProtectionDomain protectionDomain(Class<?> definedByApp) {
        return protectionDomain(definedByApp.getName());
    }

    // The same before it is defined, for those who rewrite class files.
    static ProtectionDomain protectionDomain(String className) {
        return app.domainOf(BuiltinClassLoader.codeSourceOf(className));
    }
}
