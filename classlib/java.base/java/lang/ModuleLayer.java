// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces java.lang.ModuleLayer.
// Why: the boot layer of the JDK is a module graph that is made at start. Here the VM computes on demand the names of
// the graph of every class path program; each module is made at first use. The graph is resolved only if the command
// line needs another one (jdk.internal.module.ModuleBootstrap).
// Native: none (BootLoader.defaultModuleNames0 names the modules of that graph).
//
//   layer     configuration                      modules
//   empty     empty                              none
//   boot      the default graph, when asked for; JDK modules by name, and those of the module path
//             or what the command line resolved
//   others    given                              made with the layer, by Module.defineModules
package java.lang;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import jdk.internal.loader.BootLoader;
import jdk.internal.loader.ClassLoaderValue;
import jdk.internal.loader.Loader;
import jdk.internal.loader.LoaderPool;
import jdk.internal.module.ModuleBootstrap;
import jdk.internal.module.ServicesCatalog;

public final class ModuleLayer {
    private static final ModuleLayer empty = new ModuleLayer(List.of(), Map.of());
    // The map of this layer is replaced once, before the first user's class is loaded, when the command line names
    // modules.
    private static final ModuleLayer boot = new ModuleLayer(List.of(empty), Map.of());

    // True while the boot layer's graph is not known yet.
    private static volatile boolean resolving;

    private final List<ModuleLayer> parents;
    private volatile Configuration configuration;
    private Configuration commanded;   // only in the boot layer: the configuration from the command line, if any
    private volatile Set<String> defaultNames;   // otherwise: the names of the default modules
    // Only in the boot layer: the modules that are not the JDK's.
    private Map<String, Module> byName;
    private volatile Set<Module> modules;
    private ServicesCatalog services;   // guarded by this

    private ModuleLayer(List<ModuleLayer> parents, Map<String, Module> byName) {
        this.parents = parents;
        this.byName = byName;
    }

    private ModuleLayer(Configuration configuration, List<ModuleLayer> parents, Function<String, ClassLoader> loaders) {
        this.parents = parents;
        this.configuration = configuration;
        this.byName = Module.defineModules(configuration, loaders, this);
    }

    public static ModuleLayer boot() {
        return boot;
    }

    public static ModuleLayer empty() {
        return empty;
    }

    // Called by the VM after Module.boot() when the command line has options about modules.
    static void bootAsCommanded() {
        try {
            resolving = true;
            Configuration resolved = ModuleBootstrap.resolve();
            if (resolved != null) {
                boot.commanded = boot.configuration = resolved;
                boot.byName = Module.defineModules(resolved, ModuleBootstrap::loaderOf, boot);
            }
            resolving = false;
            ModuleBootstrap.addToBootLayer();
        } catch (RuntimeException | Error failure) {
            ModuleBootstrap.fail(failure);
        }
    }

    // The class that a module-info names as the main class, or null. Called by the VM for -m, like the next method.
    static String mainClassName(String moduleName) {
        return boot.findModule(moduleName).orElseThrow().getDescriptor().mainClass().orElse(null);
    }

    static Class<?> mainClass(String moduleName, String className) {
        System.setProperty("jdk.module.main.class", className);
        return Class.forName(boot.findModule(moduleName).orElseThrow(), className);
    }

    public Configuration configuration() {
        Configuration known = configuration;
        if (known == null) {
            known = Configuration.empty();
            if (this == boot) known = known.resolve(ModuleBootstrap.systemFinder(), ModuleFinder.of(), defaultNames());
            configuration = known;
        }
        return known;
    }

    public List<ModuleLayer> parents() {
        return parents;
    }

    public Set<Module> modules() {
        Set<Module> known = modules;
        if (known == null) {
            Set<Module> all = new HashSet<>(byName.values());
            if (this == boot) {
                if (commanded == null) for (String name : defaultNames()) all.add(Module.ofSystem(name));
                else for (ResolvedModule each : commanded.modules()) all.add(ownModule(each.name()));
            }
            modules = known = Set.copyOf(all);
        }
        return known;
    }

    public Optional<Module> findModule(String name) {
        Objects.requireNonNull(name);
        for (ModuleLayer layer : ancestors()) {
            Module module = layer.ownModule(name);
            if (module != null) return Optional.of(module);
        }
        return Optional.empty();
    }

    private Module ownModule(String name) {
        Module module = byName.get(name);
        return module != null || this != boot ? module : Module.ofSystem(name);
    }

    // Does the boot layer have that module of lib/modules? Works for java.base before the graph is known.
    boolean hasSystemModule(String name) {
        if (commanded == null) return !resolving && defaultNames().contains(name);
        Optional<ResolvedModule> resolved = commanded.findModule(name);
        return resolved.isPresent() && ModuleBootstrap.isOfImage(resolved.get());
    }

    private Set<String> defaultNames() {
        Set<String> known = defaultNames;
        if (known == null) defaultNames = known = Set.of(BootLoader.defaultModuleNames());
        return known;
    }

    // Finds a module that a module of this new layer reads: in this layer or in a layer above.
    Module moduleOf(ResolvedModule wanted, Map<String, Module> own) {
        if (wanted.configuration() == configuration) {
            Module module = own.get(wanted.name());
            return module != null ? module : Module.ofSystem(wanted.name());
        }
        for (ModuleLayer each : ancestors()) {
            if (each != this && each.configuration == wanted.configuration()) return each.ownModule(wanted.name());
        }
        throw new InternalError(wanted.name() + " is in no layer above");
    }

    public ClassLoader findLoader(String name) {
        Optional<Module> module = findModule(name);
        if (module.isEmpty()) throw new IllegalArgumentException("Module " + name + " not known to this layer");
        return module.get().getClassLoader();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Module each : modules()) {
            if (text.length() > 0) text.append(", ");
            text.append(each.getName());
        }
        return text.toString();
    }

    // This layer and the layers above it, each once. A layer's first parent and the ancestors of that parent precede
    // its second parent.
    private Set<ModuleLayer> ancestors() {
        Set<ModuleLayer> found = new LinkedHashSet<>();
        collect(found);
        return found;
    }

    private void collect(Set<ModuleLayer> found) {
        if (!found.add(this)) return;
        for (ModuleLayer parent : parents) parent.collect(found);
    }

    // ---- layers of one's own ----------------------------------------------------------------------------------------

    public ModuleLayer defineModulesWithOneLoader(Configuration configuration, ClassLoader parent) {
        return defineModulesWithOneLoader(configuration, List.of(this), parent).layer();
    }

    public ModuleLayer defineModulesWithManyLoaders(Configuration configuration, ClassLoader parent) {
        return defineModulesWithManyLoaders(configuration, List.of(this), parent).layer();
    }

    public ModuleLayer defineModules(Configuration configuration, Function<String, ClassLoader> loaders) {
        return defineModules(configuration, List.of(this), loaders).layer();
    }

    public static Controller defineModulesWithOneLoader(Configuration configuration, List<ModuleLayer> parents,
                                                        ClassLoader parent) {
        List<ModuleLayer> above = checkedParents(configuration, parents);
        // One loader for all: any two modules with the same package collide
        checkPackages(configuration, name -> parent);
        return define(configuration, above, () -> {
            Loader loader = new Loader(configuration.modules(), parent);
            loader.initRemotePackageMap(configuration, above);
            return name -> loader;
        });
    }

    public static Controller defineModulesWithManyLoaders(Configuration configuration, List<ModuleLayer> parents,
                                                          ClassLoader parent) {
        List<ModuleLayer> above = checkedParents(configuration, parents);
        return define(configuration, above, () -> new LoaderPool(configuration, above, parent)::loaderFor);
    }

    public static Controller defineModules(Configuration configuration, List<ModuleLayer> parents,
                                           Function<String, ClassLoader> loaders) {
        List<ModuleLayer> above = checkedParents(configuration, parents);
        Objects.requireNonNull(loaders);
        // Each name is asked for once, because the function may give another answer the next time.
        Map<String, ClassLoader> chosen = new HashMap<>();
        for (ResolvedModule each : configuration.modules()) chosen.put(each.name(), loaders.apply(each.name()));
        checkPackages(configuration, chosen::get);
        return define(configuration, above, () -> chosen::get);
    }

    private interface LoaderChoice {
        Function<String, ClassLoader> get();
    }

    private static Controller define(Configuration configuration, List<ModuleLayer> parents, LoaderChoice loaders) {
        try {
            return new Controller(new ModuleLayer(configuration, parents, loaders.get()));
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new LayerInstantiationException(refused.getMessage());
        }
    }

    private static List<ModuleLayer> checkedParents(Configuration configuration, List<ModuleLayer> layers) {
        List<ModuleLayer> parents = List.copyOf(layers);
        List<Configuration> wanted = configuration.parents();
        if (parents.size() != wanted.size()) throw new IllegalArgumentException("wrong number of parents");
        for (int i = 0; i < wanted.size(); i++) {
            if (parents.get(i).configuration() != wanted.get(i))
                throw new IllegalArgumentException("Parent of configuration != configuration of this Layer");
        }
        return parents;
    }

    // Checks that no loader gets a package twice.
    private static void checkPackages(Configuration configuration, Function<String, ClassLoader> loaders) {
        Map<ClassLoader, Map<String, String>> owners = new HashMap<>();
        for (ResolvedModule each : configuration.modules()) {
            ModuleDescriptor descriptor = each.reference().descriptor();
            Map<String, String> ofLoader =
                    owners.computeIfAbsent(loaders.apply(descriptor.name()), loader -> new HashMap<>());
            for (String packageName : descriptor.packages()) {
                String other = ofLoader.putIfAbsent(packageName, descriptor.name());
                if (other != null)
                    throw new LayerInstantiationException("Package " + packageName + " in both module "
                                                          + descriptor.name() + " and module " + other);
            }
        }
    }

    public static final class Controller {
        private final ModuleLayer layer;

        Controller(ModuleLayer layer) {
            this.layer = layer;
        }

        public ModuleLayer layer() {
            return layer;
        }

        private void check(Module source) {
            if (source.getLayer() != layer) throw new IllegalArgumentException(source + " not in layer");
        }

        public Controller addReads(Module source, Module target) {
            check(source);
            source.implAddReads(target);
            return this;
        }

        public Controller addExports(Module source, String packageName, Module target) {
            check(source);
            source.implAddExports(packageName, target);
            return this;
        }

        public Controller addOpens(Module source, String packageName, Module target) {
            check(source);
            source.implAddOpens(packageName, target);
            return this;
        }

        public Controller enableNativeAccess(Module target) {
            check(target);
            target.implAddEnableNativeAccess();
            return this;
        }
    }

    // Allows native access to a module of the layer. False: there is no such module.
    boolean addEnableNativeAccess(String name) {
        Module module = findModule(name).orElse(null);
        if (module != null) module.implAddEnableNativeAccess();
        return module != null;
    }

    // ---- for the JDK's own classes ----------------------------------------------------------------------------------

    Stream<ModuleLayer> layers() {
        return ancestors().stream();
    }

    private static final ClassLoaderValue<List<ModuleLayer>> layersOfLoader = new ClassLoaderValue<>();

    // Layers that define modules to `loader`.
    static Stream<ModuleLayer> layers(ClassLoader loader) {
        List<ModuleLayer> known = layersOfLoader.get(loader);
        return known == null ? Stream.empty() : known.stream();
    }

    void bindToLoader(ClassLoader loader) {
        List<ModuleLayer> known = layersOfLoader.computeIfAbsent(loader, (owner, key) -> new CopyOnWriteArrayList<>());
        if (!known.contains(this)) known.add(this);
    }

    synchronized ServicesCatalog getServicesCatalog() {
        if (services == null) {
            services = this == boot ? ServicesCatalog.createForBootLayer() : ServicesCatalog.create();
            for (Module each : byName.values()) services.register(each);
        }
        return services;
    }
}
