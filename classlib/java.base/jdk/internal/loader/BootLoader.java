// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.BootLoader.
// Why: reads resources, packages and module names straight from lib/modules, on demand.
// Native: getSystemPackageNames, getSystemPackageLocation, setBootLoaderUnnamedModule0 (as HotSpot);
//   resource0, moduleOf0, modulesWith0, defaultModuleNames0, usesService0 (classlib/natives/java.base/loader).
package jdk.internal.loader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.module.Resources;
import jdk.internal.module.ServicesCatalog;
import sun.net.www.ParseUtil;

public class BootLoader {
    private static final ConcurrentHashMap<?, ?> classLoaderValues = new ConcurrentHashMap<>();

    private BootLoader() {
    }

    private static final class Unnamed {
        static final Module module;
        static {
            JavaLangAccess access = SharedSecrets.getJavaLangAccess();
            module = access.defineUnnamedModule(null);
            access.addEnableNativeAccess(module);
            setBootLoaderUnnamedModule0(module);
        }
    }

    public static Module getUnnamedModule() {
        return Unnamed.module;
    }

    public static ServicesCatalog getServicesCatalog() {
        return ServicesCatalog.ofBootLoader();
    }

    public static ConcurrentHashMap<?, ?> getClassLoaderValueMap() {
        return classLoaderValues;
    }

    public static NativeLibraries getNativeLibraries() {
        return BootLibraries.libraries;
    }

    public static boolean hasClassPath() {
        return false;
    }

    public static void loadModule(ModuleReference reference) {
        throw new UnsupportedOperationException("Keyhole has no modules beyond the JDK's");
    }

    // Does nothing: the natives of java.base are part of the VM.
    public static void loadLibrary(String name) {
    }

    // ---- classes and packages ---------------------------------------------------------------------------------------

    public static Class<?> loadClassOrNull(String name) {
        return SharedSecrets.getJavaLangAccess().findBootstrapClassOrNull(name);
    }

    public static Class<?> loadClass(Module module, String name) {
        Class<?> found = loadClassOrNull(name);
        return found != null && found.getModule() == module ? found : null;
    }

    public static Package definePackage(Class<?> type) {
        return getDefinedPackage(type.getPackageName());
    }

    public static Package getDefinedPackage(String name) {
        Package known = ClassLoaders.bootLoader().getDefinedPackage(name);
        if (known != null) return known;
        String location = getSystemPackageLocation(name.replace('.', '/'));
        if (location == null) return null;
        Module module = location.startsWith("jrt:/") ? systemModule(location.substring(5)) : getUnnamedModule();
        return SharedSecrets.getJavaLangAccess().definePackage(ClassLoaders.bootLoader(), name.intern(), module);
    }

    public static Stream<Package> packages() {
        List<Package> all = new ArrayList<>();
        for (String name : getSystemPackageNames()) {
            Package each = getDefinedPackage(name.replace('/', '.'));
            if (each != null) all.add(each);
        }
        return all.stream();
    }

    // ---- resources --------------------------------------------------------------------------------------------------

    public static byte[] readModuleResource(String moduleName, String name) {
        return resource0(moduleName, name);
    }

    public static URL findResource(String moduleName, String name) {
        return resource0(moduleName, name) == null ? null : urlOf(moduleName, name);
    }

    // With a null module: the resource that code finds without naming a module.
    public static InputStream findResourceAsStream(String moduleName, String name) throws IOException {
        if (moduleName == null) {
            URL url = findResource(name);
            return url == null ? null : url.openStream();
        }
        byte[] bytes = resource0(moduleName, name);
        return bytes == null ? null : new ByteArrayInputStream(bytes);
    }

    public static URL findResource(String name) {
        List<URL> urls = visibleResources(name, null);
        return urls.isEmpty() ? null : urls.get(0);
    }

    public static Enumeration<URL> findResources(String name) {
        return Collections.enumeration(visibleResources(name, null));
    }

    // The resources that code finds in a loader's modules without naming one: classes, and resources in no package. All
    // others are encapsulated.
    static List<URL> visibleResources(String name, ClassLoader loader) {
        String owner = name.indexOf('/') < 0 ? null : moduleOf0(Resources.toPackageName(name).replace('.', '/'));
        if (owner != null) {
            if (!name.endsWith(".class") || !isDefinedBy(owner, loader)) return List.of();
            URL url = findResource(owner, name);
            return url == null ? List.of() : List.of(url);
        }
        List<URL> urls = new ArrayList<>();
        for (String module : modulesWith(name)) if (isDefinedBy(module, loader)) urls.add(urlOf(module, name));
        return urls;
    }

    // A resource in no package is searched by each built-in loader in turn. The image is searched once for all.
    private static final class Holders {
        final String resource;
        final String[] modules;

        Holders(String resource) {
            this.resource = resource;
            this.modules = modulesWith0(resource);
        }
    }

    private static volatile Holders latest;

    private static String[] modulesWith(String resource) {
        Holders known = latest;
        if (known == null || !known.resource.equals(resource)) latest = known = new Holders(resource);
        return known.modules;
    }

    // Is a module of lib/modules in the boot layer, and does this loader define its classes?
    static boolean isDefinedBy(String moduleName, ClassLoader loader) {
        Module module = systemModule(moduleName);
        return module != null && module.getClassLoader() == loader;
    }

    // The code source of a JDK module's classes.
    static URL locationOf(String moduleName) {
        try {
            return new URL("jrt:/" + moduleName);
        } catch (MalformedURLException impossible) {
            return null;
        }
    }

    private static URL urlOf(String moduleName, String name) {
        try {
            return new URL("jrt:/" + moduleName + "/" + ParseUtil.encodePath(name, false));
        } catch (MalformedURLException unnameable) {
            return null;
        }
    }

    // ---- JDK modules ------------------------------------------------------------------------------------------------

    // The JDK's module that has a package ("java/lang"), or null.
    public static String moduleOfPackage(String packageName) {
        return moduleOf0(packageName);
    }

    // The modules that java resolves for a program of the class path when no option says otherwise.
    public static String[] defaultModuleNames() {
        return defaultModuleNames0();
    }

    // Does a module of lib/modules declare that it uses a service?
    public static boolean usesService(String moduleName, String service) {
        return usesService0(moduleName, service);
    }

    // A JDK module; null when the boot layer does not have it.
    public static Module systemModule(String name) {
        return ModuleLayer.boot().findModule(name).orElse(null);
    }

    private static native String[] getSystemPackageNames();
    private static native String getSystemPackageLocation(String name);
    private static native void setBootLoaderUnnamedModule0(Module module);
    // Content of a resource of a module in lib/modules, or null.
    private static native byte[] resource0(String moduleName, String name);
    private static native String moduleOf0(String packageName);
    private static native String[] defaultModuleNames0();
    private static native boolean usesService0(String moduleName, String service);
    // The modules of lib/modules that have a resource.
    private static native String[] modulesWith0(String name);
}
