// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.module.ServicesCatalog.
// Why: the JDK fills a catalog per loader from all module descriptors at start. Here the VM searches the `provides`
// clauses of the module-infos in lib/modules when a service is looked for.
// Native: serviceProviders0, which does the search (classlib/natives/java.base/loader).
//
//   catalog of       holds
//   boot loader,     the providers of the JDK modules that the loader defines, and what was registered: those of the
//                    module
//   platform, app    path
//   boot layer       the same for all three
//   other loaders,   what was registered, when a layer defined modules to them
//   other layers
package jdk.internal.module;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import java.lang.module.ModuleDescriptor;
import jdk.internal.loader.ClassLoaderValue;
import jdk.internal.loader.ClassLoaders;

public final class ServicesCatalog {
    public static final class ServiceProvider {
        private final Module module;
        private final String providerName;

        public ServiceProvider(Module module, String providerName) {
            this.module = module;
            this.providerName = providerName;
        }

        public Module module() {
            return module;
        }

        public String providerName() {
            return providerName;
        }

        @Override
        public int hashCode() {
            return Objects.hash(module, providerName);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ServiceProvider && ((ServiceProvider) other).module == module
                   && Objects.equals(((ServiceProvider) other).providerName, providerName);
        }
    }

    // Catalogs of loaders that registered something. Each is attached to its loader, because a catalog refers to
    // modules, and modules refer to the loader.
    private static final ClassLoaderValue<ServicesCatalog> ofLoaders = new ClassLoaderValue<>();
    private static ServicesCatalog ofBoot;
    // The scope of a catalog of a loader that defines JDK modules.
    private enum Scope { REGISTERED, LOADER, LAYER }

    private final Scope scope;
    private final ClassLoader loader;   // with Scope.LOADER; null: boot
    private final Map<String, List<ServiceProvider>> found = new ConcurrentHashMap<>();

    private ServicesCatalog(Scope scope, ClassLoader loader) {
        this.scope = scope;
        this.loader = loader;
    }

    public static ServicesCatalog create() {
        return new ServicesCatalog(Scope.REGISTERED, null);
    }

    public static ServicesCatalog createForBootLayer() {
        return new ServicesCatalog(Scope.LAYER, null);
    }

    public List<ServiceProvider> findServices(String service) {
        List<ServiceProvider> providers = found.get(service);
        if (providers == null) {
            if (scope == Scope.REGISTERED) return List.of();
            providers = new ArrayList<>();
            String[] pairs = serviceProviders0(service);
            // As in HotSpot, a search begins with the application loader's modules and ends with the boot loader's.
            if (scope == Scope.LOADER) addOfLoader(loader, pairs, providers);
            else for (ClassLoader each = ClassLoaders.appClassLoader(); ; each = each.getParent()) {
                addOfLoader(each, pairs, providers);
                if (each == null) break;
            }
            found.put(service, providers);
        }
        return new ArrayList<>(providers);
    }

    // Adds the providers of modules in the boot layer.
    private static void addOfLoader(ClassLoader loader, String[] pairs, List<ServiceProvider> providers) {
        for (int i = 0; i < pairs.length; i += 2) {
            Module module = ModuleLayer.boot().findModule(pairs[i]).orElse(null);
            if (module == null || module.getClassLoader() != loader) continue;
            providers.add(new ServiceProvider(module, pairs[i + 1]));
        }
    }

    public void register(Module module) {
        for (ModuleDescriptor.Provides each : module.getDescriptor().provides())
            for (String provider : each.providers()) add(each.service(), new ServiceProvider(module, provider));
    }

    public void addProvider(Module module, Class<?> service, Class<?> implementation) {
        add(service.getName(), new ServiceProvider(module, implementation.getName()));
    }

    private synchronized void add(String service, ServiceProvider provider) {
        List<ServiceProvider> all = findServices(service);
        if (all.isEmpty()) all = new ArrayList<>();
        if (!all.contains(provider)) all.add(provider);
        found.put(service, all);
    }

    public static ServicesCatalog getServicesCatalogOrNull(ClassLoader loader) {
        return definesJdkModules(loader) ? getServicesCatalog(loader) : ofLoaders.get(loader);
    }

    private static boolean definesJdkModules(ClassLoader loader) {
        return loader == ClassLoaders.appClassLoader() || loader == ClassLoaders.platformClassLoader();
    }

    public static ServicesCatalog getServicesCatalog(ClassLoader loader) {
        ServicesCatalog known = ofLoaders.get(loader);
        if (known != null) return known;
        ServicesCatalog made = definesJdkModules(loader) ? new ServicesCatalog(Scope.LOADER, loader) : create();
        known = ofLoaders.putIfAbsent(loader, made);
        return known != null ? known : made;
    }

    public static void putServicesCatalog(ClassLoader loader, ServicesCatalog catalog) {
        if (ofLoaders.putIfAbsent(loader, catalog) != null) throw new InternalError();
    }

    // The catalog of the boot loader.
    public static synchronized ServicesCatalog ofBootLoader() {
        if (ofBoot == null) ofBoot = new ServicesCatalog(Scope.LOADER, null);
        return ofBoot;
    }

    // module, provider, module, provider ...
    private static native String[] serviceProviders0(String service);
}
