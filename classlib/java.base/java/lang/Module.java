// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces java.lang.Module.
// Why: the JDK's modules come from a graph that is resolved at start (140 classes of module descriptors). Here a JDK
// module is a name and a loader; its module-info is read on demand.
// Native: defineModule0 (as HotSpot: the VM stores the module into Class.module; Module_defineModule0).
//
//   kind        name      descriptor                       exports and opens                       reads
//   unnamed     null      null                             everything                              everything
//   JDK module  its name  read from lib/modules, once      by its descriptor, plus additions       by the descriptors
//   declared    its name  given by a module layer, or by   likewise                                by its configuration
//                         java.lang.reflect.Proxy
//
// R1: only the JDK modules of the boot layer exist; a module's object is made at first use.
// R2: java.base opens no package and exports all of its java.* packages, except for 21's examples of documentation
//     (java.lang.foreign.snippets). Queries about both are answered without the descriptor.
// R3: an export to a name is an export to the module of that name in the exporter's layer or in a layer above it.
package java.lang;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ResolvedModule;
import java.lang.reflect.AnnotatedElement;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import jdk.internal.loader.BootLoader;
import jdk.internal.loader.BuiltinClassLoader;
import jdk.internal.loader.ClassLoaders;
import jdk.internal.misc.VM;
import jdk.internal.module.ModuleBootstrap;
import jdk.internal.module.ModuleInfo;
import jdk.internal.module.ServicesCatalog;
import jdk.internal.reflect.CallerSensitive;
import jdk.internal.reflect.Reflection;

public final class Module implements AnnotatedElement {
    // Targets of an export or open. `everyone` includes named modules; `allUnnamed` is the target of --add-opens
    // X=ALL-UNNAMED.
    private static final Module everyone = new Module((ClassLoader) null);
    private static final Module allUnnamed = new Module((ClassLoader) null);

    // java.base itself; the VM reads it for classes that the boot loader defines later.
    private static Module javaBase;
    // The other JDK modules that have been used, by name. The map is made with the second module.
    private static ConcurrentHashMap<String, Module> systemModules;

    private final String name;
    private final ClassLoader loader;
    private final ModuleLayer layer;
    private final boolean system;
    // May be null. Read by the VM. JDK modules have the version of the library.
    private final String version;
    private volatile Set<Module> systemReads;   // a JDK module's, by what the descriptors say
    private volatile ModuleDescriptor descriptor;
    private volatile Exports declared;
    // Exports and opens added at run time. Guarded by this.
    private Map<String, Grant> added;
    // A declared module's reads and those added at run time; for other kinds only the latter. Guarded by this.
    private Map<Module, Boolean> reads;
    private Set<String> addedUses;          // guarded by this
    private Class<?> annotated;             // guarded by this
    private volatile boolean nativeAccess;

    // The unnamed module of a loader.
    Module(ClassLoader loader) {
        this.name = null;
        this.loader = loader;
        this.layer = null;
        this.system = false;
        this.version = null;
    }

    // A named module outside any layer, unknown to the VM.
    Module(ClassLoader loader, ModuleDescriptor descriptor) {
        this.name = descriptor.name();
        this.loader = loader;
        this.layer = null;
        this.system = false;
        this.version = null;
        this.descriptor = descriptor;
    }

    // A declared module.
    Module(ModuleLayer layer, ClassLoader loader, ModuleDescriptor descriptor, URI location) {
        this.name = descriptor.name();
        this.loader = loader;
        this.layer = layer;
        this.system = false;
        this.version = descriptor.rawVersion().orElse(null);
        this.descriptor = descriptor;
        defineModule0(this, descriptor.isOpen(), version,
                      location == null ? null : location.toString(), descriptor.packages().toArray());
    }

    // A JDK module.
    private Module(String name, ClassLoader loader, String version) {
        this.name = name;
        this.loader = loader;
        this.layer = null;
        this.system = true;
        this.version = version;
        this.nativeAccess = true;
    }

    // ---- start of the VM --------------------------------------------------------------------------------------------

    // Called by the VM after System.initPhase1.
    static void boot() {
        Module base = new Module("java.base", null, System.getProperty("java.version"));
        javaBase = base;
        defineModule0(base, false, base.version, "jrt:/java.base", null);
        VM.initLevel(2);
    }

    // Called by the VM after boot().
    static void bootLoaders() {
        VM.initLevel(3);
        ClassLoader loader = ClassLoader.initSystemClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        VM.initLevel(4);
    }

    // ---- JDK modules by name ----------------------------------------------------------------------------------------

    // The JDK's module of that name, or null when the boot layer has none. The VM asks before it defines a class
    // outside java.base.
    static Module ofSystem(String name) {
        if (name.equals("java.base")) return javaBase;
        if (!ModuleLayer.boot().hasSystemModule(name)) return null;
        ConcurrentHashMap<String, Module> modules;
        synchronized (Module.class) {
            if (systemModules == null) systemModules = new ConcurrentHashMap<>();
            modules = systemModules;
        }
        Module module = modules.get(name);
        if (module == null) {
            Module made = new Module(name, ClassLoaders.ofModule(name), javaBase.version);
            Module earlier = modules.putIfAbsent(name, made);
            module = earlier == null ? made : earlier;
        }
        return module;
    }

    // ---- identity ---------------------------------------------------------------------------------------------------

    public boolean isNamed() {
        return name != null;
    }

    public String getName() {
        return name;
    }

    public ClassLoader getClassLoader() {
        return loader;
    }

    public ModuleDescriptor getDescriptor() {
        ModuleDescriptor known = descriptor;
        if (known != null || name == null) return known;
        byte[] bytes = BootLoader.readModuleResource(name, "module-info.class");
        if (bytes == null) throw new InternalError("no module-info.class of " + name);
        known = ModuleInfo.read(ByteBuffer.wrap(bytes), null).descriptor();
        if (ModuleBootstrap.isPatched(name)) known = ModuleBootstrap.patched(known);
        descriptor = known;
        return known;
    }

    public ModuleLayer getLayer() {
        return system ? ModuleLayer.boot() : layer;
    }

    public Set<String> getPackages() {
        if (name != null) return getDescriptor().packages();
        Set<String> names = new HashSet<>();
        Stream<Package> packages = loader == null ? BootLoader.packages() : loader.packages();
        for (Iterator<Package> it = packages.iterator(); it.hasNext(); ) {
            Package each = it.next();
            if (each.module() == this) names.add(each.getName());
        }
        return names;
    }

    @Override
    public String toString() {
        return name != null ? "module " + name
                            : "unnamed module @" + Integer.toHexString(System.identityHashCode(this));
    }

    // ---- reads and uses ---------------------------------------------------------------------------------------------

    public boolean canRead(Module other) {
        Objects.requireNonNull(other);
        if (name == null || other == this) return true;
        if (system && other.name != null && systemReads().contains(other)) return true;
        synchronized (this) {
            if (reads == null) return false;
            return reads.containsKey(other) || (other.name == null && reads.containsKey(allUnnamed));
        }
    }

    // The modules that its descriptor requires, also through `requires transitive`, if the boot layer has them.
    private Set<Module> systemReads() {
        Set<Module> known = systemReads;
        if (known != null) return known;
        if (this == javaBase) return systemReads = Set.of();
        Set<Module> found = new HashSet<>();
        addRequired(this, false, found);
        return systemReads = found;
    }

    private static void addRequired(Module of, boolean onlyImplied, Set<Module> found) {
        for (ModuleDescriptor.Requires each : of.getDescriptor().requires()) {
            if (onlyImplied && !each.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE)) continue;
            Module required = ModuleLayer.boot().findModule(each.name()).orElse(null);
            if (required != null && found.add(required) && required != javaBase) addRequired(required, true, found);
        }
    }

    @CallerSensitive
    public Module addReads(Module other) {
        Objects.requireNonNull(other);
        if (name != null) {
            checkIsCaller(Reflection.getCallerClass());
            implAddReads(other);
        }
        return this;
    }

    void implAddReads(Module other) {
        if (canRead(other)) return;
        synchronized (this) {
            if (reads == null) reads = new WeakHashMap<>();
            reads.put(other, Boolean.TRUE);
        }
    }

    void implAddReadsAllUnnamed() {
        implAddReads(allUnnamed);
    }

    void implAddReadsNoSync(Module other) {
        implAddReads(other);
    }

    public boolean canUse(Class<?> service) {
        Objects.requireNonNull(service);
        if (name == null || declaresUse(service.getName())) return true;
        synchronized (this) {
            return addedUses != null && addedUses.contains(service.getName());
        }
    }

    private boolean declaresUse(String service) {
        ModuleDescriptor known = descriptor;
        // A JDK module needs no descriptor for this.
        if (known == null) return BootLoader.usesService(name, service);
        return known.isAutomatic() || known.uses().contains(service);
    }

    @CallerSensitive
    public Module addUses(Class<?> service) {
        Objects.requireNonNull(service);
        if (name != null) checkIsCaller(Reflection.getCallerClass());
        implAddUses(service);
        return this;
    }

    void implAddUses(Class<?> service) {
        if (canUse(service)) return;
        synchronized (this) {
            if (addedUses == null) addedUses = new HashSet<>();
            addedUses.add(service.getName());
        }
    }

    Module implAddEnableNativeAccess() {
        enableNativeAccessOnce();
        return this;
    }

    static void implAddEnableNativeAccessAllUnnamed() {
        allUnnamed.nativeAccess = true;
    }

    boolean implIsEnableNativeAccess() {
        return name == null ? allUnnamed.nativeAccess : nativeAccess;
    }

    // Later libraries call the following two methods by these names.
    static void implAddEnableNativeAccessToAllUnnamed() {
        implAddEnableNativeAccessAllUnnamed();
    }

    public boolean isNativeAccessEnabled() {
        return implIsEnableNativeAccess();
    }

    // Allows restricted methods. False: the module may call them already. Unnamed modules share one answer.
    synchronized boolean enableNativeAccessOnce() {
        if (name == null && this != allUnnamed) return allUnnamed.enableNativeAccessOnce();
        boolean isFirst = !nativeAccess;
        nativeAccess = true;
        return isFirst;
    }

    // Called before a restricted method runs. Up to 21 these methods are a preview, and all modules may call them.
    void ensureNativeAccess(Class<?> owner, String methodName) {}

    void ensureNativeAccess(Class<?> owner, String methodName, Class<?> currentClass, boolean jni) {
        NativeAccess.ensure(this, owner, methodName, currentClass);
    }

    // ---- exports and opens ------------------------------------------------------------------------------------------

    // Exported and opened packages with their targets; a null set means everyone.
    private static final class Exports {
        final Map<String, Set<String>> exported = new HashMap<>();
        final Map<String, Set<String>> opened = new HashMap<>();

        Exports(ModuleDescriptor descriptor) {
            for (ModuleDescriptor.Exports each : descriptor.exports())
                exported.put(each.source(), each.isQualified() ? each.targets() : null);
            for (ModuleDescriptor.Opens each : descriptor.opens())
                opened.put(each.source(), each.isQualified() ? each.targets() : null);
        }

        static boolean allows(Map<String, Set<String>> packages, String packageName, Module from, Module to) {
            if (!packages.containsKey(packageName)) return false;
            Set<String> targets = packages.get(packageName);
            if (targets == null) return true;
            if (to.name == null || !targets.contains(to.name)) return false;
            return from.system && to.system
                    || from.getLayer() != null && from.getLayer().findModule(to.name).orElse(null) == to;   // R3
        }
    }

    // The exports and opens that were added for one package.
    private static final class Grant {
        final Map<Module, Boolean> targets = new WeakHashMap<>();   // true = open, false = exported only

        boolean allows(Module to, boolean open) {
            return has(everyone, open) || has(to, open) || (to.name == null && to != everyone && has(allUnnamed, open));
        }

        private boolean has(Module target, boolean open) {
            Boolean isOpen = targets.get(target);
            return isOpen != null && (!open || isOpen);
        }
    }

    public boolean isExported(String packageName) {
        return allows(Objects.requireNonNull(packageName), everyone, false);
    }

    public boolean isExported(String packageName, Module other) {
        Objects.requireNonNull(packageName);
        return allows(packageName, Objects.requireNonNull(other), false);
    }

    public boolean isOpen(String packageName) {
        return allows(Objects.requireNonNull(packageName), everyone, true);
    }

    public boolean isOpen(String packageName, Module other) {
        Objects.requireNonNull(packageName);
        return allows(packageName, Objects.requireNonNull(other), true);
    }

    private boolean allows(String packageName, Module other, boolean open) {
        if (name == null) return true;
        if (this == javaBase) {   // R2
            boolean exported = !open && packageName.startsWith("java.") && !packageName.endsWith(".snippets");
            if (exported || other == this)
                return name.equals(BootLoader.moduleOfPackage(packageName.replace('.', '/')));
            if (open) return reflectivelyAllows(packageName, other, true);
        }
        ModuleDescriptor about = getDescriptor();
        if (other == this || about.isOpen() || about.isAutomatic()) return about.packages().contains(packageName);
        Exports known = declared;
        if (known == null) declared = known = new Exports(about);
        if (Exports.allows(known.opened, packageName, this, other)) return true;
        if (!open && Exports.allows(known.exported, packageName, this, other)) return true;
        return reflectivelyAllows(packageName, other, open);
    }

    private synchronized boolean reflectivelyAllows(String packageName, Module other, boolean open) {
        if (added == null) return false;
        Grant grant = added.get(packageName);
        return grant != null && grant.allows(other, open);
    }

    boolean isReflectivelyExported(String packageName, Module other) {
        return reflectivelyAllows(packageName, other, false);
    }

    boolean isReflectivelyOpened(String packageName, Module other) {
        return reflectivelyAllows(packageName, other, true);
    }

    @CallerSensitive
    public Module addExports(String packageName, Module other) {
        if (packageName == null) throw new IllegalArgumentException("package is null");
        Objects.requireNonNull(other);
        if (name != null) {
            checkIsCaller(Reflection.getCallerClass());
            checkedAdd(packageName, other, false);
        }
        return this;
    }

    @CallerSensitive
    public Module addOpens(String packageName, Module other) {
        if (packageName == null) throw new IllegalArgumentException("package is null");
        Objects.requireNonNull(other);
        if (name == null) return this;
        Module caller = moduleOf(Reflection.getCallerClass());
        boolean passesOn = caller == this || caller != null && isOpen(packageName, caller);
        if (!passesOn) throw new IllegalCallerException(packageName + " is not open to " + caller);
        checkedAdd(packageName, other, true);
        return this;
    }

    // The module of a caller; null if the caller is no class.
    private static Module moduleOf(Class<?> caller) {
        return caller == null ? null : caller.getModule();
    }

    private void checkIsCaller(Class<?> callerClass) {
        Module caller = moduleOf(callerClass);
        if (caller != this) throw new IllegalCallerException(caller + " != " + this);
    }

    private void checkedAdd(String packageName, Module other, boolean open) {
        if (name == null || allows(packageName, other, open)) return;
        if (!getDescriptor().packages().contains(packageName))
            throw new IllegalArgumentException("package " + packageName + " not in contents");
        add(packageName, other, open);
    }

    private synchronized void add(String packageName, Module other, boolean open) {
        if (added == null) added = new HashMap<>();
        Grant grant = added.get(packageName);
        if (grant == null) added.put(packageName, grant = new Grant());
        Boolean isOpen = grant.targets.get(other);
        grant.targets.put(other, open || (isOpen != null && isOpen));
    }

    void implAddExports(String packageName) {
        checkedAdd(packageName, everyone, false);
    }

    void implAddExports(String packageName, Module other) {
        checkedAdd(packageName, other, false);
    }

    void implAddExportsToAllUnnamed(String packageName) {
        checkedAdd(packageName, allUnnamed, false);
    }

    void implAddExportsNoSync(String packageName) {
        checkedAdd(packageName.replace('/', '.'), everyone, false);
    }

    void implAddExportsNoSync(String packageName, Module other) {
        checkedAdd(packageName.replace('/', '.'), other, false);
    }

    void implAddOpens(String packageName) {
        checkedAdd(packageName, everyone, true);
    }

    void implAddOpens(String packageName, Module other) {
        checkedAdd(packageName, other, true);
    }

    void implAddOpensToAllUnnamed(String packageName) {
        checkedAdd(packageName, allUnnamed, true);
    }

    void implAddOpensToAllUnnamed(Set<String> concealedPackages, Set<String> exportedPackages) {
        for (String each : concealedPackages) add(each, allUnnamed, true);
        for (String each : exportedPackages) add(each, allUnnamed, true);
    }

    // ---- the rest ---------------------------------------------------------------------------------------------------

    // Makes the modules of a layer. JDK modules in the boot layer's configuration are not made here, but by name when
    // they are first used.
    static Map<String, Module> defineModules(Configuration configuration, Function<String, ClassLoader> loaders,
                                             ModuleLayer layer) {
        boolean isBoot = layer == ModuleLayer.boot();
        Map<String, Module> made = new HashMap<>();
        for (ResolvedModule each : configuration.modules()) {
            if (isBoot && ModuleBootstrap.isOfImage(each)) continue;
            ModuleDescriptor about = each.reference().descriptor();
            ClassLoader loader = loaders.apply(each.name());
            boolean mayHaveAnyPackage = loader == null || loader == ClassLoaders.platformClassLoader();
            if (!isBoot && mayHaveAnyPackage)
                throw new IllegalArgumentException("loader can't be 'null' or the platform class loader");
            for (String packageName : about.packages()) {
                if (!mayHaveAnyPackage && (packageName.equals("java") || packageName.startsWith("java.")))
                    throw new IllegalArgumentException("Class loader (instance of): " + loader.getClass().getName()
                                                       + " tried to define prohibited package name: " + packageName);
            }
            made.put(each.name(), new Module(layer, loader, about, each.reference().location().orElse(null)));
        }
        for (ResolvedModule each : configuration.modules()) {
            Module module = made.get(each.name());
            if (module == null) continue;
            for (ResolvedModule read : each.reads()) module.implAddReads(layer.moduleOf(read, made));
            if (module.descriptor.isAutomatic()) module.implAddReads(allUnnamed);
            ServicesCatalog catalog = ServicesCatalog.getServicesCatalog(module.loader);
            if (!module.descriptor.provides().isEmpty()) catalog.register(module);
            if (!isBoot) layer.bindToLoader(module.loader);
        }
        return made;
    }

    // Returns the class that has the annotations of module-info.java.
    private synchronized AnnotatedElement annotated() {
        if (annotated == null) {
            byte[] content = name == null ? null : BootLoader.readModuleResource(name, "module-info.class");
            annotated = content == null ? ModuleAnnotations.class : ModuleAnnotations.classOf(loader, content);
        }
        return annotated;
    }

    @Override
    public <T extends Annotation> T getAnnotation(Class<T> annotationClass) {
        return annotated().getDeclaredAnnotation(Objects.requireNonNull(annotationClass));
    }

    @Override
    public Annotation[] getAnnotations() {
        return annotated().getDeclaredAnnotations();
    }

    @Override
    public Annotation[] getDeclaredAnnotations() {
        return annotated().getDeclaredAnnotations();
    }

    @CallerSensitive
    public InputStream getResourceAsStream(String resource) throws IOException {
        if (resource.startsWith("/")) resource = resource.substring(1);
        if (name != null && jdk.internal.module.Resources.canEncapsulate(resource)) {
            Class<?> callerClass = Reflection.getCallerClass();
            Module caller = callerClass == null ? null : callerClass.getModule();
            if (caller != this && caller != javaBase) {
                String packageName = jdk.internal.module.Resources.toPackageName(resource);
                if (getPackages().contains(packageName)
                    && !(caller == null ? isOpen(packageName) : isOpen(packageName, caller)))
                    return null;
            }
        }
        if (loader == null) return BootLoader.findResourceAsStream(name, resource);
        if (loader instanceof BuiltinClassLoader)
            return ((BuiltinClassLoader) loader).findResourceAsStream(name, resource);
        URL url = loader.findResource(name, resource);
        return url == null ? null : url.openStream();
    }

    private static native void defineModule0(Module module, boolean open, String version, String location,
                                             Object[] packages);
}
