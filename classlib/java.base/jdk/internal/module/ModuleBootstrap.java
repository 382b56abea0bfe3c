// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.module.ModuleBootstrap.
// Why: the JDK's makes a module graph at every start. Here that happens only when the command line needs another graph
// than that of class path programs, which the VM knows (BootLoader.defaultModuleNames). Native: none.
//
// The launcher passes options in properties, like HotSpot's; numbered ones start at 0 and may occur more than once:
//
//   -p, --module-path        jdk.module.path              -m module/class          jdk.module.main, and with it
//                                                                                  jdk.module.main.class
//   --upgrade-module-path    jdk.module.upgrade.path      --add-modules a,b        jdk.module.addmods.N
//   --limit-modules a,b      jdk.module.limitmods         --patch-module m=path    jdk.module.patch.N
//   --add-reads m=a,b        jdk.module.addreads.N        --add-exports m/p=a,b    jdk.module.addexports.N
//   --add-opens m/p=a,b      jdk.module.addopens.N        --show-module-resolution jdk.module.showModuleResolution
//   --enable-native-access a,b                            jdk.module.enable.native.access.N
//   --illegal-native-access=allow (warn, deny)            jdk.module.illegal.native.access
package jdk.internal.module;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.loader.BootLoader;
import jdk.internal.loader.BuiltinClassLoader;
import jdk.internal.loader.ClassLoaders;

public final class ModuleBootstrap {
    private static final JavaLangAccess access = SharedSecrets.getJavaLangAccess();

    private static ModulePatcher patcher = new ModulePatcher(Map.of());
    private static Set<String> patched = Set.of();
    // All modules that can be found, and those that --limit-modules leaves. Null: the modules of lib/modules.
    private static volatile ModuleFinder unlimited;
    private static volatile ModuleFinder limited;
    private static volatile ModuleFinder ofImage;
    // The reaction to modules that call restricted methods without permission: "allow", "warn", "deny".
    private static volatile String illegalNativeAccess = "warn";

    private ModuleBootstrap() {
    }

    public static ModulePatcher patcher() {
        return patcher;
    }

    // Replaces ModuleFinder.ofSystem(), which needs the default file system: a program may install its own, which may
    // fail.
    public static ModuleFinder systemFinder() {
        ModuleFinder known = ofImage;
        if (known == null) {
            SystemModules all = SystemModuleFinders.allSystemModules();
            ofImage = known = all == null ? ModuleFinder.ofSystem() : SystemModuleFinders.of(all);
        }
        return known;
    }

    public static ModuleFinder unlimitedFinder() {
        return unlimited == null ? systemFinder() : unlimited;
    }

    public static ModuleFinder limitedFinder() {
        return limited == null ? unlimitedFinder() : limited;
    }

    // For System.initPhase2, which ModuleLayer.bootAsCommanded replaces.
    public static ModuleLayer boot() {
        return ModuleLayer.boot();
    }

    // ---- what is resolved -------------------------------------------------------------------------------------------

    // Resolves the modules of the command line and what they need. Tells the class loader about modules outside of
    // lib/modules. Null: the default graph suffices.
    public static Configuration resolve() {
        takePatches();
        if (take("jdk.module.validation") != null && ModulePathValidator.scanAllModules(System.out) > 0)
            throw new RuntimeException("Validation of module path failed");
        String main = System.getProperty("jdk.module.main");
        ModuleFinder upgrade = finderOf(take("jdk.module.upgrade.path"));
        ModuleFinder path = finderOf(System.getProperty("jdk.module.path"));
        Set<String> limits = names(take("jdk.module.limitmods"));
        Set<String> added = new HashSet<>();
        for (String each : numbered("addmods")) added.addAll(names(each));
        boolean trace = Boolean.parseBoolean(take("jdk.module.showModuleResolution"));
        boolean isDefault = main == null && upgrade == null && path == null && limits.isEmpty() && added.isEmpty();
        if (isDefault && !trace) return null;

        ModuleFinder image = upgrade == null ? systemFinder() : ModuleFinder.compose(upgrade, systemFinder());
        ModuleFinder all = path == null ? image : ModuleFinder.compose(image, path);
        unlimited = all;
        if (!limits.isEmpty()) {
            Set<String> others = new HashSet<>(added);
            if (main != null) others.add(main);
            all = limitedTo(all, limits, others);
            limited = all;
        }

        Set<String> roots = new HashSet<>();
        if (main != null) roots.add(main);
        for (String each : added) if (!isGroup(each)) roots.add(each);
        if (main == null || added.contains("ALL-DEFAULT")) roots.addAll(DefaultRoots.compute(image, all));
        if (added.contains("ALL-SYSTEM")) {
            for (ModuleReference each : image.findAll()) {
                String name = each.descriptor().name();
                if (all.find(name).isPresent()) roots.add(name);
            }
        }
        if (added.contains("ALL-MODULE-PATH") && path != null) {
            for (ModuleReference each : path.findAll())
                if (all.find(each.descriptor().name()).isPresent()) roots.add(each.descriptor().name());
        }

        Configuration resolved = Modules.newBootLayerConfiguration(all, roots, trace ? System.out : null);
        Map<String, String> owners = new HashMap<>();
        for (ResolvedModule each : resolved.modules()) {
            if (isOfImage(each)) continue;
            for (String packageName : each.reference().descriptor().packages()) {
                String other = owners.putIfAbsent(packageName, each.name());
                if (other == null) other = ownerInImage(packageName, resolved);
                if (other != null)
                    throw new LayerInstantiationException("Package " + packageName + " in both module " + each.name()
                                                          + " and module " + other);
            }
            ClassLoader loader = loaderOf(each.name());
            ((BuiltinClassLoader) loader).loadModule(each.reference());
        }
        warnOfIncubators(resolved);
        return resolved;
    }

    // The loader of a module that is not read from lib/modules: the one that the JDK's module of that name has, but
    // never the boot loader, whose Java code comes from lib/modules only.
    public static ClassLoader loaderOf(String name) {
        ClassLoader loader = ClassLoaders.ofModule(name);
        return loader == null ? ClassLoaders.platformClassLoader() : loader;
    }

    // Is the module read from lib/modules? A module of the upgrade path may have the same name.
    public static boolean isOfImage(ResolvedModule module) {
        return module.reference().location().filter(location -> "jrt".equals(location.getScheme())).isPresent();
    }

    // The module of lib/modules that has a package in the graph, or null.
    private static String ownerInImage(String packageName, Configuration resolved) {
        String owner = BootLoader.moduleOfPackage(packageName.replace('.', '/'));
        boolean isInGraph = owner != null && resolved.findModule(owner).filter(ModuleBootstrap::isOfImage).isPresent();
        return isInGraph ? owner : null;
    }

    private static void warnOfIncubators(Configuration resolved) {
        List<String> incubators = new ArrayList<>();
        for (ResolvedModule each : resolved.modules()) {
            if (ModuleResolution.hasIncubatingWarning(each.reference())) incubators.add(each.name());
        }
        if (!incubators.isEmpty()) warn("Using incubator modules: " + String.join(", ", incubators));
    }

    private static boolean isGroup(String name) {
        return name.equals("ALL-DEFAULT") || name.equals("ALL-SYSTEM") || name.equals("ALL-MODULE-PATH");
    }

    // Finds only the modules that `limits` need, and `others` in addition.
    private static ModuleFinder limitedTo(ModuleFinder finder, Set<String> limits, Set<String> others) {
        Configuration closure = Configuration.empty().resolve(finder, ModuleFinder.of(), limits);
        Map<String, ModuleReference> visible = new HashMap<>();
        for (ResolvedModule each : closure.modules()) visible.put(each.name(), each.reference());
        for (String name : others) finder.find(name).ifPresent(reference -> visible.put(name, reference));
        return new Chosen(visible);
    }

    private static final class Chosen implements ModuleFinder {
        private final Map<String, ModuleReference> byName;

        Chosen(Map<String, ModuleReference> byName) {
            this.byName = byName;
        }

        @Override
        public Optional<ModuleReference> find(String name) {
            return Optional.ofNullable(byName.get(name));
        }

        @Override
        public Set<ModuleReference> findAll() {
            return Set.copyOf(byName.values());
        }
    }

    private static ModuleFinder finderOf(String path) {
        if (path == null) return null;
        List<Path> entries = new ArrayList<>();
        for (String each : path.split(File.pathSeparator)) entries.add(Path.of(each));
        return ModulePath.of(patcher, entries.toArray(new Path[0]));
    }

    // ---- what is added to it ----------------------------------------------------------------------------------------

    // Adds exports, opens and reads of the command line, when the boot layer exists.
    public static void addToBootLayer() {
        for (String each : patched) find(each, "--patch-module");
        addReads();
        addExportsOrOpens("addexports", "--add-exports", false);
        addExportsOrOpens("addopens", "--add-opens", true);
        enableNativeAccess();
    }

    public static boolean isPatched(String moduleName) {
        return patched.contains(moduleName);
    }

    // The descriptor of a patched module, because a patch may add packages.
    public static ModuleDescriptor patched(ModuleDescriptor ofImage) {
        Optional<ModuleReference> reference = systemFinder().find(ofImage.name());
        return reference.isPresent() ? patcher.patchIfNeeded(reference.get()).descriptor() : ofImage;
    }

    private static void takePatches() {
        Map<String, List<String>> patches = new HashMap<>();
        for (String each : numbered("patch")) {
            int equals = each.indexOf('=');
            List<String> paths = new ArrayList<>();
            for (String part : each.substring(equals + 1).split(File.pathSeparator))
                if (!part.isEmpty()) paths.add(part);
            patches.put(each.substring(0, equals), paths);
        }
        patched = patches.keySet();
        if (!patches.isEmpty()) patcher = new ModulePatcher(patches);
    }

    private static void addReads() {
        for (String each : numbered("addreads")) {
            int equals = each.indexOf('=');
            if (equals <= 0) throw unparsable("--add-reads", "<module>=<value>", each);
            Module module = find(each.substring(0, equals), "--add-reads");
            if (module == null) continue;
            for (String target : names(each.substring(equals + 1))) {
                Module other = target.equals("ALL-UNNAMED") ? null : find(target, "--add-reads");
                if (other != null) access.addReads(module, other);
                else if (target.equals("ALL-UNNAMED")) access.addReadsAllUnnamed(module);
            }
        }
    }

    private static void addExportsOrOpens(String property, String option, boolean open) {
        for (String each : numbered(property)) {
            int equals = each.indexOf('=');
            if (equals < 0) throw unparsable(option, "<module>=<value>", each);
            int slash = each.indexOf('/');
            if (slash <= 0 || slash > equals) throw unparsable(option, "<module>/<package>", each.substring(0, equals));
            Module module = find(each.substring(0, slash), option);
            if (module == null) continue;
            String packageName = each.substring(slash + 1, equals);
            if (!module.getDescriptor().packages().contains(packageName)) {
                warn("package " + packageName + " not in " + module.getName());
                continue;
            }
            for (String target : names(each.substring(equals + 1))) {
                boolean toAll = target.equals("ALL-UNNAMED");
                Module other = toAll ? null : find(target, option);
                if (toAll) {
                    if (open) access.addOpensToAllUnnamed(module, packageName);
                    else access.addExportsToAllUnnamed(module, packageName);
                } else if (other != null) {
                    if (open) access.addOpens(module, packageName, other);
                    else access.addExports(module, packageName, other);
                }
            }
        }
    }

    private static void enableNativeAccess() {
        Set<String> allowed = new HashSet<>();
        for (String each : numbered("enable.native.access")) allowed.addAll(names(each));
        for (String each : allowed) {
            Module module =
                    each.equals("ALL-UNNAMED") ? BootLoader.getUnnamedModule() : find(each, "--enable-native-access");
            if (module != null) access.addEnableNativeAccess(module);
        }
        String given = take("jdk.module.illegal.native.access");
        if (given == null) return;
        if (!Set.of("allow", "warn", "deny").contains(given)) {
            throw new ExceptionInInitializerError(
                    new RuntimeException("Value specified to --illegal-native-access not recognized: '" + given + "'"));
        }
        illegalNativeAccess = given;
    }

    public static String illegalNativeAccess() {
        return illegalNativeAccess;
    }

    private static Module find(String name, String option) {
        Module module = ModuleLayer.boot().findModule(name).orElse(null);
        if (module == null) warn("Unknown module: " + name + " specified to " + option);
        return module;
    }

    private static void warn(String text) {
        System.err.println("WARNING: " + text);
    }

    private static RuntimeException unparsable(String option, String form, String value) {
        return new RuntimeException("Unable to parse " + option + " " + form + ": " + value);
    }

    // Ends the start of the VM with the failure.
    public static void fail(Throwable failure) {
        System.out.println("Error occurred during initialization of boot layer");
        for (Throwable each = failure; each != null; each = each.getCause())
            System.out.println((each == failure ? "" : "Caused by: ") + each);
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }

    // ---- properties -------------------------------------------------------------------------------------------------

    private static String take(String property) {
        return System.clearProperty(property);
    }

    private static List<String> numbered(String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; ; i++) {
            String value = take("jdk.module." + name + "." + i);
            if (value == null) return values;
            values.add(value);
        }
    }

    // The names in a list separated by commas; none if it is null.
    private static Set<String> names(String list) {
        Set<String> result = new HashSet<>(list == null ? List.of() : Arrays.asList(list.split(",")));
        result.remove("");
        return result;
    }
}
