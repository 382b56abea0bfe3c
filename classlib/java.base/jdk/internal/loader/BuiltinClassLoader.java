// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.loader.BuiltinClassLoader.
// Why: the JDK's finds classes through module references, URLClassPath and java.util.zip; here the VM searches the
// class path it has mapped. Java code opens a jar only to check it, and to read resources from it.
// Native: findInJdk0, defineFromClassPath0, packagesOf0, locations0, manifest0, hasArchives0
// (classlib/natives/java.base/loader/loader_natives.cpp).
//
// The package decides where a class is searched. "platform" and "app" both search in this order:
//   1 the classes that they have defined
//   2 the module of the module path that has the package
//   3 the JDK's module that has it, through the loader that defines that one
//   4 "app" only, when no module has the package: the class path
//
// The VM defines classes of the class path itself until a search ends in a jar that is signed or seals packages. From
// then on the JDK's URLClassPath reads all of them:
//
//   the VM defines  --- checkEntries(): the packages so far are unsigned and not sealed --->  URLClassPath reads
//
// C1: a class of a signed jar exists only if its digest and those of the manifest are right; its signers are those of
//     its package (ClassLoader.checkCerts).
// C2: all classes of a sealed package come from one jar.
// C3: classes that the VM defined before count for C1 and C2: checkEntries() enters their packages.
// C4: a search that reaches a jar with META-INF/INDEX.LIST (library 17) is made by the JDK's URLClassPath over the
//     whole class path. It finds the same in the entries before that jar.
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
import java.security.ProtectionDomain;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

import jdk.internal.access.SharedSecrets;
import jdk.internal.module.Resources;
import sun.net.www.ParseUtil;

public class BuiltinClassLoader extends SecureClassLoader {
    static {
        if (!ClassLoader.registerAsParallelCapable()) throw new InternalError();
    }

    private final boolean hasClassPath;
    // Jars may have manifests that describe packages; directories do not.
    private final boolean hasArchives;

    BuiltinClassLoader(String name, ClassLoader parent, boolean hasClassPath) {
        super(name, parent);
        this.hasClassPath = hasClassPath;
        this.hasArchives = hasClassPath && hasArchives0();
    }

    boolean hasClassPath() {
        return hasClassPath;
    }

    // ---- classes ----------------------------------------------------------------------------------------------------

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
                found = module.load(name);
            } else {
                if (found == null) found = findInJdk0(name);
                if (found == null && hasClassPath) found = findClassOnClassPathOrNull(name);
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
        Class<?> found = findHere(name);
        if (found == null) throw new ClassNotFoundException(name);
        return found;
    }

    @Override
    protected Class<?> findClass(String moduleName, String name) {
        Class<?> found = findHere(name);
        return found != null && Objects.equals(found.getModule().getName(), moduleName) ? found : null;
    }

    // A class that this loader defines.
    private Class<?> findHere(String name) {
        ModulePathModule module = moduleOfClass(name);
        if (module != null) return module.loader() == this ? module.define(name) : null;
        Class<?> found = findInJdk0(name);
        if (found != null) return found.getClassLoader() == this ? found : null;
        return hasClassPath ? findClassOnClassPathOrNull(name) : null;
    }

    private Class<?> findClassOnClassPathOrNull(String name) {
        if (name.indexOf('/') >= 0) return refuseFileName(name);
        Object found = defineFromClassPath0(this, name, checkedEntries != null);
        if (found instanceof String) {
            try {
                Resource resource = checkEntries().find((String) found, name);
                return resource == null ? null : defineClass(name, resource);
            } catch (IOException unreadable) {
                return null;
            }
        }
        Class<?> defined = (Class<?>) found;
        if (hasArchives && defined != null) describePackage(name);
        return defined;
    }

    // If a file exists for a name such as "p/Main", ClassLoader rejects the class's name.
    private Class<?> refuseFileName(String name) {
        return onClassPath(name.concat(".class")) == null ? null : defineClass(name, new byte[0], 0, 0);
    }

    // ---- signed and sealed jars -------------------------------------------------------------------------------------

    // Null: the VM defines the classes.
    private volatile CheckedEntries checkedEntries;

    private synchronized CheckedEntries checkEntries() {
        if (checkedEntries == null) {
            CheckedEntries entries = new CheckedEntries();
            for (String packageName : packagesOf0(this)) {   // C3
                if (getDefinedPackage(packageName) == null) defineOrCheckPackage(packageName, null, null);
                CheckedEntries.enterUnsigned(this, packageName);
            }
            checkedEntries = entries;
        }
        return checkedEntries;
    }

    private Class<?> defineClass(String name, Resource resource) throws IOException {
        URL location = resource.getCodeSourceURL();
        int dot = name.lastIndexOf('.');
        if (dot >= 0) defineOrCheckPackage(name.substring(0, dot), resource.getManifest(), location);
        ByteBuffer buffer = resource.getByteBuffer();
        byte[] bytes = buffer == null ? resource.getBytes() : null;
        // Known once the bytes have been read
        CodeSource source = new CodeSource(location, resource.getCodeSigners());
        return buffer != null ? defineClass(name, buffer, source) : defineClass(name, bytes, 0, bytes.length, source);
    }

    // ---- modules of the module path ---------------------------------------------------------------------------------

    // The modules of both loaders, by package and by name. Filled before the first class is loaded, and only read
    // afterwards. Null: there is no module path.
    private static Map<String, ModulePathModule> moduleOfPackage;
    private static Map<String, ModulePathModule> moduleOfName;

    public void loadModule(ModuleReference reference) {
        if (moduleOfName == null) {
            moduleOfPackage = new HashMap<>();
            moduleOfName = new HashMap<>();
        }
        ModulePathModule module = new ModulePathModule(this, reference);
        moduleOfName.put(module.name(), module);
        for (String each : reference.descriptor().packages()) moduleOfPackage.put(each, module);
    }

    protected ModuleReference findModule(String name) {
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(name);
        return module == null || module.loader() != this ? null : module.reference();
    }

    private static ModulePathModule moduleOfClass(String name) {
        if (moduleOfPackage == null) return null;
        int dot = name.lastIndexOf('.');
        return dot < 0 ? null : moduleOfPackage.get(name.substring(0, dot));
    }

    // ModulePathModule, which is no class loader, calls the next two.
    final Class<?> loadedOrDefined(ModulePathModule module, String name) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            return found != null ? found : module.define(name);
        }
    }

    final Class<?> define(String name, ByteBuffer bytes, CodeSource source) {
        return defineClass(name, bytes, source);
    }

    // ---- packages ---------------------------------------------------------------------------------------------------

    // Describes a package by its jar's manifest, if its first class came from a jar.
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
            // Treated like a jar without a manifest.
        }
    }

    protected Package defineOrCheckPackage(String packageName, Manifest manifest, URL url) {
        Package known = getAndVerifyPackage(packageName, manifest, url);
        if (known != null) return known;
        String path = packageName.replace('.', '/') + "/";
        try {
            return definePackage(packageName, attribute(manifest, path, Attributes.Name.SPECIFICATION_TITLE),
                                 attribute(manifest, path, Attributes.Name.SPECIFICATION_VERSION),
                                 attribute(manifest, path, Attributes.Name.SPECIFICATION_VENDOR),
                                 attribute(manifest, path, Attributes.Name.IMPLEMENTATION_TITLE),
                                 attribute(manifest, path, Attributes.Name.IMPLEMENTATION_VERSION),
                                 attribute(manifest, path, Attributes.Name.IMPLEMENTATION_VENDOR),
                                 isSealed(manifest, path) ? url : null);
        } catch (IllegalArgumentException otherThreadWasFirst) {
            return getAndVerifyPackage(packageName, manifest, url);
        }
    }

    // Checks rule C2. Null: the package is not defined yet.
    private Package getAndVerifyPackage(String packageName, Manifest manifest, URL url) {
        Package known = getDefinedPackage(packageName);
        if (known == null) return null;
        if (known.isSealed() && !known.isSealed(url))
            throw new SecurityException("sealing violation: package " + packageName + " is sealed");
        if (!known.isSealed() && isSealed(manifest, packageName.replace('.', '/') + "/"))
            throw new SecurityException("sealing violation: can't seal package " + packageName + ": already defined");
        return known;
    }

    private boolean isSealed(Manifest manifest, String path) {
        return "true".equalsIgnoreCase(attribute(manifest, path, Attributes.Name.SEALED));
    }

    // An attribute of the package's own section, else of the main one. SecurityException: a signature does not cover
    // it.
    private String attribute(Manifest manifest, String path, Attributes.Name name) {
        if (manifest == null) return null;
        // Unsigned manifests do not need JarFile, whose initialisation a start would pay for.
        Attributes own = checkedEntries == null ? manifest.getAttributes(path)
                : SharedSecrets.javaUtilJarAccess().getTrustedAttributes(manifest, path);
        String value = own == null ? null : own.getValue(name);
        return value != null ? value : manifest.getMainAttributes().getValue(name);
    }

    // The directory or jar that a class of the class path came from.
    static URL codeSourceOf(String className) {
        String[] found = locations0(className.replace('.', '/') + ".class", false);
        try {
            return found == null || found.length == 0 ? null : new URL(found[0]);
        } catch (MalformedURLException impossible) {
            return null;
        }
    }

    // The protection domains, one for each directory, jar or module, made on request. Guarded by itself.
    private final Map<String, ProtectionDomain> domains = new HashMap<>();

    final ProtectionDomain domainOf(URL location) {
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

    @Override
    protected PermissionCollection getPermissions(CodeSource source) {
        return CodePermissions.of(super.getPermissions(source), source);
    }

    // ---- resources --------------------------------------------------------------------------------------------------

    @Override
    public URL findResource(String moduleName, String name) throws IOException {
        if (moduleName == null) return onClassPath(name);
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(moduleName);
        if (module != null) return module.loader() == this ? module.find(name) : null;
        return BootLoader.isDefinedBy(moduleName, this) ? BootLoader.findResource(moduleName, name) : null;
    }

    public InputStream findResourceAsStream(String moduleName, String name) throws IOException {
        if (moduleName == null) {
            URL url = onClassPath(name);
            return url == null ? null : url.openStream();
        }
        ModulePathModule module = moduleOfName == null ? null : moduleOfName.get(moduleName);
        if (module != null) return module.loader() == this ? module.open(name) : null;
        return BootLoader.isDefinedBy(moduleName, this) ? BootLoader.findResourceAsStream(moduleName, name) : null;
    }

    @Override
    public URL findResource(String name) {
        List<URL> inModules = visibleInModules(name);
        return !inModules.isEmpty() ? inModules.get(0) : onClassPath(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        List<URL> urls = new ArrayList<>(visibleInModules(name));
        if (hasClassPath) {
            String[] places = locations0(name, true);
            if (places == null) return indexedResources(urls, name);
            for (int i = 0; i < places.length; i += 2) urls.add(urlOf(places[i], places[i + 1]));
        }
        return Collections.enumeration(urls);
    }

    private URL onClassPath(String name) {
        if (!hasClassPath) return null;
        String[] place = locations0(name, false);
        if (place == null) return CodePermissions.find(CheckedEntries.whole(), name);
        return place.length == 0 ? null : urlOf(place[0], place[1]);
    }

    private static Enumeration<URL> indexedResources(List<URL> urls, String name) {
        urls.addAll(Collections.list(CodePermissions.findAll(CheckedEntries.whole(), name)));
        return Collections.enumeration(urls);
    }

    // The resources that code finds without naming the module: those that are in no package of a module, classes, and
    // those in an open package.
    private List<URL> visibleInModules(String name) {
        List<URL> urls = BootLoader.visibleResources(name, this);
        if (moduleOfName == null) return urls;
        urls = new ArrayList<>(urls);
        try {
            ModulePathModule owner = moduleOfPackage.get(Resources.toPackageName(name));
            for (ModulePathModule module : owner != null ? List.of(owner) : moduleOfName.values()) {
                URL url = module.loader() == this && (owner == null || module.shows(name)) ? module.find(name) : null;
                if (url != null) urls.add(url);
            }
        } catch (IOException unreadable) {
            // A module that cannot be read has no resources.
        }
        return urls;
    }

    private static URL urlOf(String location, String name) {
        String path = ParseUtil.encodePath(name, false);
        try {
            return location.endsWith("/") ? new URL(new URL(location), path) : new URL("jar:" + location + "!/" + path);
        } catch (MalformedURLException unnameable) {
            return null;
        }
    }

    // ---- the VM's class path ----------------------------------------------------------------------------------------

    // Finds the class in the module of the boot layer that has the package, defined by its loader. Null: no module has
    // it.
    private static native Class<?> findInJdk0(String name);
    // Defines a class of the class path. Null: no entry has it, or the package is a JDK module's. If the class is not
    // defined, returns a String: the entry that has it, which is signed or seals packages, unless `locateOnly`; "" for
    // C4.
    private static native Object defineFromClassPath0(ClassLoader loader, String name, boolean locateOnly);
    // The packages in which the loader has defined classes, without the unnamed one.
    private static native String[] packagesOf0(ClassLoader loader);
    // Pairs for the first or for all entries that have the resource: the code source (as URL; directories end in '/'),
    // and the resource's name there, which differs in a jar that has versions of it for several releases. Null for C4.
    private static native String[] locations0(String resource, boolean all);
    // The manifest of the jar that has the resource; null for directories, and for jars without one.
    private static native byte[] manifest0(String resource);
    private static native boolean hasArchives0();
}
