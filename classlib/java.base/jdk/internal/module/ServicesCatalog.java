// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces jdk.internal.module.ServicesCatalog.
// Why: the JDK fills a catalog per loader from all module descriptors at start. Here the VM searches the `provides` clauses of the
// module-infos in lib/modules when a service is looked for.
// Native: none (BootLoader.serviceProviders0 does the search).
//
//   catalog of       holds
//   boot loader      the providers of all JDK modules (their classes are the boot loader's)
//   boot layer       the same, and what was registered: the providers of the module path
//   other loaders,   what was registered, when a layer defined modules to them
//   other layers
package jdk.internal.module;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import java.lang.module.ModuleDescriptor;
import jdk.internal.loader.BootLoader;
import jdk.internal.loader.ClassLoaderValue;

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

    // Catalogs of loaders that registered something. They hang on their loaders: a catalog knows modules, and those know the loader.
    private static final ClassLoaderValue<ServicesCatalog> ofLoaders = new ClassLoaderValue<>();
    private static ServicesCatalog ofBoot;

    private final boolean ofJdk;
    private final Map<String, List<ServiceProvider>> found = new ConcurrentHashMap<>();

    private ServicesCatalog(boolean ofJdk) {
        this.ofJdk = ofJdk;
    }

    public static ServicesCatalog create() {
        return new ServicesCatalog(false);
    }

    public static ServicesCatalog createForBootLayer() {
        return new ServicesCatalog(true);
    }

    public List<ServiceProvider> findServices(String service) {
        List<ServiceProvider> providers = found.get(service);
        if (providers == null) {
            if (!ofJdk) return List.of();
            providers = new ArrayList<>();
            String[] pairs = BootLoader.serviceProviders(service);
            // HotSpot's order: a search starts at the application loader's modules and ends at the boot loader's.
            for (int loader = 2; loader >= 0; loader--) {
                for (int i = 0; i < pairs.length; i += 2)
                    if (loaderOfModule(pairs[i]) == loader) providers.add(new ServiceProvider(BootLoader.systemModule(pairs[i]), pairs[i + 1]));
            }
            found.put(service, providers);
        }
        return new ArrayList<>(providers);
    }

    // Where HotSpot defines a module: 0 boot, 1 platform, 2 application loader.
    private static int loaderOfModule(String name) {
        return ModuleLoaderMap.bootModules().contains(name) ? 0 : ModuleLoaderMap.platformModules().contains(name) ? 1 : 2;
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
        return ofLoaders.get(loader);
    }

    public static ServicesCatalog getServicesCatalog(ClassLoader loader) {
        ServicesCatalog known = ofLoaders.get(loader);
        if (known != null) return known;
        ServicesCatalog made = create();
        known = ofLoaders.putIfAbsent(loader, made);
        return known != null ? known : made;
    }

    public static void putServicesCatalog(ClassLoader loader, ServicesCatalog catalog) {
        if (ofLoaders.putIfAbsent(loader, catalog) != null) throw new InternalError();
    }

    // The boot loader's.
    public static synchronized ServicesCatalog ofBootLoader() {
        if (ofBoot == null) ofBoot = new ServicesCatalog(true);
        return ofBoot;
    }
}
