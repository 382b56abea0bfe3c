// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.ClassLoaders.
// Why: making the built-in loaders without URLClassPath, module readers and the archive of HotSpot's CDS.
// Native: none.
//
//   null (boot) <- "platform" <- "app"        `bootLoader()` is only the owner of the boot loader's Package objects
//
// Which of them defines a module of the JDK was decided when that JDK was built (jdk.internal.module.ModuleLoaderMap);
// what is in neither of its two sets is "app"'s, and so is every module of the module path.
package jdk.internal.loader;

import java.lang.reflect.Proxy;
import java.net.URL;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.AllPermission;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.module.ModuleLoaderMap;
import sun.reflect.misc.ReflectUtil;

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

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            SecurityManager manager = System.getSecurityManager();
            int dot = manager == null ? -1 : name.lastIndexOf('.');
            if (dot >= 0) manager.checkPackageAccess(name.substring(0, dot));
            Class<?> found = super.loadClass(name, resolve);
            if (manager != null) domainsAllowed(found);
            return found;
        }

        @Override
        protected PermissionCollection getPermissions(CodeSource source) {
            PermissionCollection permissions = super.getPermissions(source);
            permissions.add(new RuntimePermission("exitVM"));
            return permissions;
        }
    }

    // ---- a security manager's checkPackageAccess --------------------------------------------------------------------

    // The classes that were loaded while there was a security manager, each with the protection domains that may refer
    // to it. Guarded by itself; made when there is a manager.
    private static final class Allowed {
        static final Map<Class<?>, Set<ProtectionDomain>> domains = new WeakHashMap<>();
    }

    private static Set<ProtectionDomain> domainsAllowed(Class<?> referenced) {
        synchronized (Allowed.domains) {
            Set<ProtectionDomain> domains = Allowed.domains.get(referenced);
            if (domains == null) {
                domains = Collections.newSetFromMap(new WeakHashMap<>());
                Allowed.domains.put(referenced, domains);
            }
            return domains;
        }
    }

    // Called by the VM when a class has resolved a reference to another one while there is a security manager. It is
    // asked once for a class and a domain. For a class that was loaded before, HotSpot has asked then, and nobody was
    // there to refuse.
    static void checkPackageAccess(Class<?> from, Class<?> referenced) {
        SecurityManager manager = System.getSecurityManager();
        JavaLangAccess access = SharedSecrets.getJavaLangAccess();
        ProtectionDomain domain = access.protectionDomain(from);
        if (manager == null || domain == null || domain == access.protectionDomain(referenced)) return;
        if (Proxy.isProxyClass(from)) return;   // HotSpot defines them without a domain
        synchronized (Allowed.domains) {
            Set<ProtectionDomain> domains = Allowed.domains.get(referenced);
            if (domains == null || domains.contains(domain)) return;
        }
        ask(manager, referenced, new AccessControlContext(new ProtectionDomain[] {domain}));
        synchronized (Allowed.domains) {
            domainsAllowed(referenced).add(domain);
        }
    }

    // Asks whether code of one domain alone may use a package.
    private static final class Question implements PrivilegedAction<Void> {
        private final SecurityManager asked;
        private final String about;

        Question(SecurityManager asked, String about) {
            this.asked = asked;
            this.about = about;
        }

        @Override
        public Void run() {
            asked.checkPackageAccess(about);
            return null;
        }
    }

    // For a proxy that is not public, its interfaces count.
    private static void ask(SecurityManager manager, Class<?> referenced, AccessControlContext asDomain) {
        boolean isProxy = ReflectUtil.isNonPublicProxyClass(referenced);
        for (Class<?> each : isProxy ? referenced.getInterfaces() : new Class<?>[] {referenced}) {
            String about = each.getPackageName();
            if (about.length() > 0) AccessController.doPrivileged(new Question(manager, about), asDomain);
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
        if (ofBuiltin.getClassLoader() == null) return Everything.domain;
        if (System.getSecurityManager() == null) return protectionDomain(ofBuiltin.getName());
        // Privileged, because the security manager would ask for this same domain.
        return AccessController.doPrivileged(new PrivilegedAction<ProtectionDomain>() {
            @Override
            public ProtectionDomain run() {
                return protectionDomain(ofBuiltin.getName());
            }
        });
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
