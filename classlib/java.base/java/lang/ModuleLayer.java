// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces java.lang.ModuleLayer.
// Why: the boot layer of the JDK is the resolved module graph. Here it is all modules of lib/modules, each made when it is asked for.
// Native: none (BootLoader.moduleNames0 names the modules).
//
// Layers of a user's own are not supported: defineModules says so.
package java.lang;

import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import jdk.internal.loader.BootLoader;
import jdk.internal.module.ServicesCatalog;

public final class ModuleLayer {
    private static final ModuleLayer empty = new ModuleLayer(false);
    private static final ModuleLayer boot = new ModuleLayer(true);

    private final boolean isBoot;
    private volatile Configuration configuration;
    private volatile Set<Module> modules;

    private ModuleLayer(boolean isBoot) {
        this.isBoot = isBoot;
    }

    public static ModuleLayer boot() {
        return boot;
    }

    public static ModuleLayer empty() {
        return empty;
    }

    public Configuration configuration() {
        Configuration known = configuration;
        if (known == null) {
            known = Configuration.empty();
            if (isBoot) known = known.resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), Set.of(BootLoader.moduleNames()));
            configuration = known;
        }
        return known;
    }

    public List<ModuleLayer> parents() {
        return isBoot ? List.of(empty) : List.of();
    }

    public Set<Module> modules() {
        Set<Module> known = modules;
        if (known == null) {
            HashSet<Module> all = new HashSet<>();
            if (isBoot) for (String name : BootLoader.moduleNames()) all.add(Module.ofSystem(name));
            modules = known = Set.copyOf(all);
        }
        return known;
    }

    public Optional<Module> findModule(String name) {
        Objects.requireNonNull(name);
        return Optional.ofNullable(isBoot ? Module.find(name) : null);
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

    // ---- layers of one's own ---------------------------------------------------------------------------------------------

    public ModuleLayer defineModulesWithOneLoader(Configuration configuration, ClassLoader parent) {
        throw unsupported();
    }

    public ModuleLayer defineModulesWithManyLoaders(Configuration configuration, ClassLoader parent) {
        throw unsupported();
    }

    public ModuleLayer defineModules(Configuration configuration, Function<String, ClassLoader> loaders) {
        throw unsupported();
    }

    public static Controller defineModulesWithOneLoader(Configuration configuration, List<ModuleLayer> parents, ClassLoader parent) {
        throw unsupported();
    }

    public static Controller defineModulesWithManyLoaders(Configuration configuration, List<ModuleLayer> parents, ClassLoader parent) {
        throw unsupported();
    }

    public static Controller defineModules(Configuration configuration, List<ModuleLayer> parents, Function<String, ClassLoader> loaders) {
        throw unsupported();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("Keyhole has no module layers beyond the boot layer");
    }

    public static final class Controller {
        private final ModuleLayer layer;

        Controller(ModuleLayer layer) {
            this.layer = layer;
        }

        public ModuleLayer layer() {
            return layer;
        }

        public Controller addReads(Module source, Module target) {
            source.implAddReads(target);
            return this;
        }

        public Controller addExports(Module source, String packageName, Module target) {
            source.implAddExports(packageName, target);
            return this;
        }

        public Controller addOpens(Module source, String packageName, Module target) {
            source.implAddOpens(packageName, target);
            return this;
        }
    }

    // ---- for the JDK's own classes -----------------------------------------------------------------------------------------

    Stream<ModuleLayer> layers() {
        return isBoot ? Stream.of(boot, empty) : Stream.of(empty);
    }

    // Layers other than boot that define modules to `loader`.
    static Stream<ModuleLayer> layers(ClassLoader loader) {
        return Stream.empty();
    }

    ServicesCatalog getServicesCatalog() {
        return isBoot ? ServicesCatalog.ofBootLoader() : ServicesCatalog.create();
    }

    void bindToLoader(ClassLoader loader) {
    }
}
