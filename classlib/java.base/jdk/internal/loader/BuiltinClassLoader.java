// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.BuiltinClassLoader.
// Why: the JDK's finds classes through module references, URLClassPath and java.util.zip; here the VM searches the class path it has
// mapped, and no file or jar is opened by Java code.
// Native: defineFromClassPath0, read0, locations0, manifest0, hasArchives0 (vm/natives/loader/class_path_natives.cpp).
//
// The boot loader (null) defines the classes of all JDK modules, so "platform" is only a parent, and "app" looks at:
//   1 what it has defined   2 modules of the module path, by package   3 the boot loader   4 the class path
package jdk.internal.loader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.security.SecureClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

import jdk.internal.module.Resources;
import sun.net.www.ParseUtil;
import sun.security.util.LazyCodeSourcePermissionCollection;

public class BuiltinClassLoader extends SecureClassLoader {
    static {
        if (!ClassLoader.registerAsParallelCapable()) throw new InternalError();
    }

    private final boolean hasClassPath;
    // Jars may have manifests that describe packages; directories need none of that.
    private final boolean hasArchives;

    BuiltinClassLoader(String name, ClassLoader parent, boolean hasClassPath) {
        super(name, parent);
        this.hasClassPath = hasClassPath;
        this.hasArchives = hasClassPath && hasArchives0();
    }

    boolean hasClassPath() {
        return hasClassPath;
    }

    // ---- classes -------------------------------------------------------------------------------------------------------

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> found = loadClassOrNull(name, resolve);
        if (found == null) throw new ClassNotFoundException(name);
        return found;
    }

    protected Class<?> loadClassOrNull(String name, boolean resolve) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            ModulePathModule module = found != null ? null : moduleOfClass(name);
            if (module != null) {
                found = module.define(this, name);
            } else {
                if (found == null) found = BootLoader.loadClassOrNull(name);
                if (found == null && hasClassPath) found = findOnClassPath(name);
            }
            if (resolve && found != null) resolveClass(found);
            return found;
        }
    }

    protected final Class<?> loadClassOrNull(String name) {
        return loadClassOrNull(name, false);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ModulePathModule module = moduleOfClass(name);
        Class<?> found = module != null ? module.define(this, name) : hasClassPath ? findOnClassPath(name) : null;
        if (found == null) throw new ClassNotFoundException(name);
        return found;
    }

    // In a named module: one of the module path, as the boot loader has the JDK's.
    @Override
    protected Class<?> findClass(String moduleName, String name) {
        ModulePathModule module = moduleOfClass(name);
        if (moduleName != null) return module != null && module.name().equals(moduleName) ? module.define(this, name) : null;
        return module == null && hasClassPath ? findOnClassPath(name) : null;
    }

    private Class<?> findOnClassPath(String name) {
        if (name.indexOf('/') >= 0) return null;
        Class<?> defined = defineFromClassPath0(this, name);
        if (hasArchives && defined != null) describePackage(name);
        return defined;
    }

    // ---- modules of the module path ------------------------------------------------------------------------------------------

    // By package, and by name. Filled before the first class is loaded, read only from then on; null: there is no module path.
    private Map<String, ModulePathModule> moduleOfPackage;
    private Map<String, ModulePathModule> moduleOfName;

    public void loadModule(ModuleReference reference) {
        if (moduleOfName == null) {
            moduleOfPackage = new HashMap<>();
            moduleOfName = new HashMap<>();
        }
        ModulePathModule module = new ModulePathModule(reference);
        moduleOfName.put(module.name(), module);
        for (String each : reference.descriptor().packages()) moduleOfPackage.put(each, module);
    }

    protected ModuleReference findModule(String name) {
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(name);
        return module == null ? null : module.reference();
    }

    private ModulePathModule moduleOfClass(String name) {
        if (moduleOfPackage == null) return null;
        int dot = name.lastIndexOf('.');
        return dot < 0 ? null : moduleOfPackage.get(name.substring(0, dot));
    }

    // For ModulePathModule, which is no class loader.
    final Class<?> define(String name, ByteBuffer bytes, CodeSource source) {
        return defineClass(name, bytes, source);
    }

    // ---- packages ------------------------------------------------------------------------------------------------------

    // A package's first class came from a jar: its manifest says who made it.
    private void describePackage(String className) {
        int dot = className.lastIndexOf('.');
        String packageName = dot < 0 ? "" : className.substring(0, dot);
        if (getDefinedPackage(packageName) != null) return;
        byte[] bytes = manifest0(className.replace('.', '/') + ".class");
        if (bytes == null) return;
        try {
            Manifest manifest = new Manifest(new ByteArrayInputStream(bytes));
            defineOrCheckPackage(packageName, manifest, codeSourceOf(className));
        } catch (IOException unreadable) {
            // as if it had none
        }
    }

    protected Package defineOrCheckPackage(String packageName, Manifest manifest, URL url) {
        Package known = getDefinedPackage(packageName);
        if (known == null) {
            String path = packageName.replace('.', '/') + "/";
            try {
                known = definePackage(packageName,
                    attribute(manifest, path, Attributes.Name.SPECIFICATION_TITLE), attribute(manifest, path, Attributes.Name.SPECIFICATION_VERSION),
                    attribute(manifest, path, Attributes.Name.SPECIFICATION_VENDOR), attribute(manifest, path, Attributes.Name.IMPLEMENTATION_TITLE),
                    attribute(manifest, path, Attributes.Name.IMPLEMENTATION_VERSION), attribute(manifest, path, Attributes.Name.IMPLEMENTATION_VENDOR),
                    "true".equalsIgnoreCase(attribute(manifest, path, Attributes.Name.SEALED)) ? url : null);
            } catch (IllegalArgumentException otherThreadWasFirst) {
                known = getDefinedPackage(packageName);
            }
        }
        if (known.isSealed() && !known.isSealed(url))
            throw new SecurityException("sealing violation: package " + packageName + " is sealed");
        return known;
    }

    // The package's own section, else the main one.
    private static String attribute(Manifest manifest, String path, Attributes.Name name) {
        if (manifest == null) return null;
        Attributes own = manifest.getAttributes(path);
        String value = own == null ? null : own.getValue(name);
        return value != null ? value : manifest.getMainAttributes().getValue(name);
    }

    // The directory or jar that a class of the class path came from.
    static URL codeSourceOf(String className) {
        String[] found = locations0(className.replace('.', '/') + ".class", false);
        try {
            return found.length == 0 ? null : new URL(found[0]);
        } catch (MalformedURLException impossible) {
            return null;
        }
    }

    @Override
    protected PermissionCollection getPermissions(CodeSource source) {
        return new LazyCodeSourcePermissionCollection(super.getPermissions(source), source);
    }

    // ---- resources -----------------------------------------------------------------------------------------------------

    @Override
    public URL findResource(String moduleName, String name) throws IOException {
        if (moduleName == null) return onClassPath(name);
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(moduleName);
        return module != null ? module.find(name) : BootLoader.findResource(moduleName, name);
    }

    public InputStream findResourceAsStream(String moduleName, String name) throws IOException {
        if (moduleName == null) return streamOf(name);
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(moduleName);
        return module != null ? module.open(name) : BootLoader.findResourceAsStream(moduleName, name);
    }

    @Override
    public URL findResource(String name) {
        List<URL> inModules = visibleInModules(name);
        return !inModules.isEmpty() ? inModules.get(0) : onClassPath(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        List<URL> urls = new ArrayList<>(visibleInModules(name));
        if (hasClassPath) for (String location : locations0(name, true)) urls.add(urlOf(location, name));
        return Collections.enumeration(urls);
    }

    private URL onClassPath(String name) {
        if (!hasClassPath) return null;
        String[] locations = locations0(name, false);
        return locations.length == 0 ? null : urlOf(locations[0], name);
    }

    // What may be found without naming the module: all that is in no package of a module, classes, and what is in an open package.
    private List<URL> visibleInModules(String name) {
        if (moduleOfName == null) return List.of();
        List<URL> urls = new ArrayList<>();
        try {
            ModulePathModule owner = moduleOfPackage.get(Resources.toPackageName(name));
            for (ModulePathModule module : owner != null ? List.of(owner) : moduleOfName.values()) {
                URL url = owner == null || module.shows(name) ? module.find(name) : null;
                if (url != null) urls.add(url);
            }
        } catch (IOException unreadable) {
            // as if it were not there
        }
        return urls;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        Objects.requireNonNull(name);
        InputStream stream = BootLoader.findResourceAsStream(null, name);
        if (stream != null) return stream;
        List<URL> inModules = visibleInModules(name);
        try {
            return inModules.isEmpty() ? streamOf(name) : inModules.get(0).openStream();
        } catch (IOException unreadable) {
            return null;
        }
    }

    private InputStream streamOf(String name) {
        byte[] bytes = hasClassPath ? read0(name) : null;
        if (bytes != null) return new ByteArrayInputStream(bytes);
        // A directory has no bytes, but its URL has something to read.
        URL directory = onClassPath(name);
        try {
            return directory == null ? null : directory.openStream();
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static URL urlOf(String location, String name) {
        String path = ParseUtil.encodePath(name, false);
        try {
            return location.endsWith("/") ? new URL(new URL(location), path) : new URL("jar:" + location + "!/" + path);
        } catch (MalformedURLException unnameable) {
            return null;
        }
    }

    // ---- the VM's class path -------------------------------------------------------------------------------------------

    // Null when no entry has it.
    private static native Class<?> defineFromClassPath0(ClassLoader loader, String name);
    private static native byte[] read0(String resource);
    // Code sources (as URLs; directories end in '/') of the first or of all entries that have the resource.
    private static native String[] locations0(String resource, boolean all);
    // The manifest of the jar that has the resource; null for directories, and for jars without one.
    private static native byte[] manifest0(String resource);
    private static native boolean hasArchives0();
}
