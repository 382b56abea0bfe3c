// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The boot layer of a program on the class path: its modules, their descriptions of themselves, and the packages that
// they see of each other.
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

public class BootLayer {
    static final ModuleLayer boot = ModuleLayer.boot();
    static final Configuration graph = boot.configuration();
    static final List<Module> modules = boot.modules().stream().sorted(Comparator.comparing(Module::getName)).toList();
    static final Module unnamed = BootLayer.class.getModule();

    static <T> String sorted(Collection<T> all, Function<T, ?> text) {
        return all.stream().map(each -> String.valueOf(text.apply(each))).sorted().collect(Collectors.joining(" "));
    }

    static String loader(ClassLoader loader) {
        return loader == null ? "boot" : loader.getName();
    }

    static String packages(String source, Set<String> targets) {
        return targets.isEmpty() ? source : source + new TreeSet<>(targets);
    }

    static void describe(ModuleDescriptor about) {
        System.out.println("  " + about.toNameAndVersion() + " " + about.modifiers() + about.isOpen()
                + about.isAutomatic() + " " + about.mainClass());
        System.out.println(
                "  requires " + sorted(about.requires(), each -> each.name() + new TreeSet<>(each.modifiers())));
        System.out.println("  exports " + sorted(about.exports(), each -> packages(each.source(), each.targets())));
        System.out.println("  opens " + sorted(about.opens(), each -> packages(each.source(), each.targets())));
        System.out.println("  uses " + sorted(about.uses(), each -> each));
        System.out.println("  provides " + sorted(about.provides(), each -> each));
        System.out.println("  packages " + sorted(about.packages(), each -> each));
    }

    // Encodes access to the package: letters for all modules, the module itself, `unnamed`; then one sign per module.
    static String visibility(Module module, String packageName) {
        StringBuilder text = new StringBuilder();
        text.append(module.isExported(packageName) ? 'E' : 'e').append(module.isOpen(packageName) ? 'O' : 'o');
        text.append(module.isExported(packageName, module) ? 'S' : 's')
                .append(module.isOpen(packageName, module) ? 'T' : 't');
        text.append(module.isExported(packageName, unnamed) ? 'U' : 'u')
                .append(module.isOpen(packageName, unnamed) ? 'V' : 'v');
        for (Module other : modules)
            text.append(!module.isExported(packageName, other) ? '.' : module.isOpen(packageName, other) ? '+' : '-');
        return text.toString();
    }

    static void show(Module module) {
        String name = module.getName();
        ResolvedModule resolved = graph.findModule(name).get();
        System.out.println(module + " of " + loader(module.getClassLoader()) + " " + loader(boot.findLoader(name)));
        System.out.println("  found " + (boot.findModule(name).get() == module) + (module.getLayer() == boot)
                + (resolved.configuration() == graph));
        describe(module.getDescriptor());
        System.out.println("  same " + module.getDescriptor().equals(resolved.reference().descriptor())
                + module.getPackages().equals(module.getDescriptor().packages()) + " "
                + resolved.reference().location());
        System.out.println("  resolved to read " + sorted(resolved.reads(), ResolvedModule::name));
        System.out.println("  reads " + sorted(modules.stream().filter(module::canRead).toList(), Module::getName) + " "
                + module.canRead(unnamed) + unnamed.canRead(module));
        StringBuilder seen = new StringBuilder();
        for (String each : new TreeSet<>(module.getPackages())) seen.append(each).append(visibility(module, each));
        System.out.println("  sees " + seen.toString().hashCode() + " " + seen.chars().filter(c -> c == '-').count()
                + " " + seen.chars().filter(c -> c == '+').count());
        System.out.println(
                "  none " + visibility(module, "no.such").hashCode() + visibility(module, "java.nope").hashCode());
        System.out.println("  uses " + module.canUse(java.util.spi.ToolProvider.class) + module.canUse(Runnable.class)
                + Arrays.toString(module.getAnnotations()));
    }

    public static void main(String[] args) {
        System.out.println(modules.size() + " " + graph.modules().size());
        System.out.println(sorted(modules, Module::getName).equals(sorted(graph.modules(), ResolvedModule::name)));
        System.out.println(boot.parents().equals(List.of(ModuleLayer.empty())) + " "
                + graph.parents().equals(List.of(Configuration.empty())));
        for (Module each : modules) show(each);
        for (String name : new String[]{"jdk.incubator.vector", "jdk.random", "jdk.internal.vm.compiler", "no.such"}) {
            System.out.println(name + " " + boot.findModule(name) + graph.findModule(name).isPresent()
                    + ModuleFinder.ofSystem().find(name).isPresent());
            try {
                System.out.println(loader(boot.findLoader(name)));
            } catch (IllegalArgumentException unknown) {
                System.out.println(unknown);
            }
        }
    }
}
