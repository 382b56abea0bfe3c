// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.BootLoader.
// Why: resources, packages, services and module names straight from lib/modules, with nothing made before it is asked for.
// Native: getSystemPackageNames, getSystemPackageLocation, setBootLoaderUnnamedModule0 (as HotSpot);
//   resource0, moduleOf0, moduleNames0, serviceProviders0 (vm/natives/loader/system_modules.cpp).
package jdk.internal.loader;

import java.io.ByteArrayInputStream;
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

    private static final class Libraries {
        static final NativeLibraries libraries = NativeLibraries.jniNativeLibraries(null);
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
        return Libraries.libraries;
    }

    public static boolean hasClassPath() {
        return false;
    }

    public static void loadModule(ModuleReference reference) {
        throw new UnsupportedOperationException("Keyhole has no modules beyond the JDK's");
    }

    // The natives of java.base are part of the VM.
    public static void loadLibrary(String name) {
    }

    // ---- classes and packages ------------------------------------------------------------------------------------------

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

    // ---- resources -----------------------------------------------------------------------------------------------------

    public static byte[] readModuleResource(String moduleName, String name) {
        return resource0(moduleName, name);
    }

    public static URL findResource(String moduleName, String name) {
        return resource0(moduleName, name) == null ? null : urlOf(moduleName, name);
    }

    // With a null module: that of the resource's package.
    public static InputStream findResourceAsStream(String moduleName, String name) {
        String module = moduleName != null ? moduleName : moduleOfVisible(name);
        byte[] bytes = module == null ? null : resource0(module, name);
        return bytes == null ? null : new ByteArrayInputStream(bytes);
    }

    public static URL findResource(String name) {
        String module = moduleOfVisible(name);
        return module == null ? null : findResource(module, name);
    }

    public static Enumeration<URL> findResources(String name) {
        URL url = findResource(name);
        return url == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(url));
    }

    // Without naming the module, code finds classes and what is in no package; the rest is encapsulated.
    private static String moduleOfVisible(String name) {
        int slash = name.lastIndexOf('/');
        if (slash <= 0 || !name.endsWith(".class")) return null;
        return moduleOf0(name.substring(0, slash));
    }

    private static URL urlOf(String moduleName, String name) {
        try {
            return new URL("jrt:/" + moduleName + "/" + ParseUtil.encodePath(name, false));
        } catch (MalformedURLException unnameable) {
            return null;
        }
    }

    // ---- JDK modules ---------------------------------------------------------------------------------------------------

    public static boolean hasModule(String name) {
        return resource0(name, "module-info.class") != null;
    }

    // The JDK's module that has a package ("java/lang"), or null.
    public static String moduleOfPackage(String packageName) {
        return moduleOf0(packageName);
    }

    public static String[] moduleNames() {
        return moduleNames0();
    }

    // module, provider, module, provider ...
    public static String[] serviceProviders(String service) {
        return serviceProviders0(service);
    }

    public static Module systemModule(String name) {
        return ModuleLayer.boot().findModule(name).orElseThrow();
    }

    private static native String[] getSystemPackageNames();
    private static native String getSystemPackageLocation(String name);
    private static native void setBootLoaderUnnamedModule0(Module module);
    // Content of a resource of a module in lib/modules, or null.
    private static native byte[] resource0(String moduleName, String name);
    private static native String moduleOf0(String packageName);
    private static native String[] moduleNames0();
    private static native String[] serviceProviders0(String service);
}
