// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The built-in loader that defines the classes of each module, and the classes, resources and providers of services
// that each loader finds.
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

public class BuiltinLoaders {
    static final ClassLoader platform = ClassLoader.getPlatformClassLoader(), app = ClassLoader.getSystemClassLoader();

    static String name(ClassLoader loader) {
        return loader == null ? "boot" : loader.getName();
    }

    static String describe(Class<?> type) {
        ProtectionDomain domain = type.getProtectionDomain();
        CodeSource source = domain.getCodeSource();
        return type + " " + type.getModule() + " " + name(type.getClassLoader()) + " " + type.getPackage() + " "
                + name(domain.getClassLoader()) + " "
                + (source == null ? null : source.getLocation() + Arrays.toString(source.getCodeSigners()));
    }

    static void find(String className, ClassLoader from) {
        try {
            System.out.println(name(from) + " " + describe(Class.forName(className, false, from)));
        } catch (ClassNotFoundException notFound) {
            System.out.println(name(from) + " " + notFound);
        }
        if (from == null) return;
        try {
            System.out.println("  " + from.loadClass(className));
        } catch (ClassNotFoundException notFound) {
            System.out.println("  " + notFound);
        }
    }

    static void classes() throws Exception {
        String[] names = {"java.lang.String", "java.sql.Connection", "java.util.logging.Logger",
                "com.sun.tools.javac.Main", "jdk.incubator.vector.VectorShape", "jdk.internal.net.http.HttpClientImpl",
                "sun.security.ec.ECKeyFactory", "sun.nio.cs.ext.Big5", "jdk.tools.jlink.internal.Main",
                "java.util.Nope", "java.sql.Nope", "java.nope.Nope", "java.sql.", "java/sql/Driver",
                "[Ljava.sql.Driver;", "", "BuiltinLoaders"};
        for (String each : names)
            if (!each.equals("BuiltinLoaders"))
                for (ClassLoader from : new ClassLoader[] {null, platform, app}) find(each, from);
        for (String each : names) {
            for (String module : new String[]{"java.base", "java.sql", "jdk.compiler"}) {
                Class<?> found = Class.forName(ModuleLayer.boot().findModule(module).get(), each);
                if (found != null) System.out.println(module + " has " + found);
            }
        }
        System.out.println(java.sql.Date.class.getModule() + " " + java.sql.Date[].class.getModule() + " "
                + name(java.sql.Date[][].class.getClassLoader()));
        System.out.println(Class.forName("com.sun.tools.javac.Main").getDeclaredConstructor().newInstance().getClass());
    }

    static void resources() throws Exception {
        for (String each : new String[] {"META-INF/MANIFEST.MF", "META-INF/providers", "java/sql/Driver.class",
                     "com/sun/tools/javac/Main.class", "java/lang/uniName.dat",
                     "com/sun/tools/javac/resources/javac.properties", "com/sun/tools/javac/resources/compiler.class",
                     "java/sql", "java/sql/", "sun/net/www/content-types.properties",
                     "jdk/incubator/vector/VectorShape.class", "/", "no/such"}) {
            for (ClassLoader from : new ClassLoader[]{platform, app}) {
                try (InputStream stream = from.getResourceAsStream(each)) {
                    System.out.println(each + " " + from.getName() + " " + from.getResource(each) + " "
                            + Collections.list(from.getResources(each)) + (stream != null));
                }
            }
        }
        List<String> found = new ArrayList<>();
        for (URL each : Collections.list(platform.getResources("module-info.class"))) found.add(each.toString());
        Collections.sort(found);
        System.out.println(found);
        for (String module : new String[]{"java.base", "java.sql", "jdk.compiler", "java.desktop"}) {
            for (String each : new String[] {"module-info.class", "java/sql/Driver.class",
                         "/com/sun/tools/javac/Main.class", "com/sun/tools/javac/resources/javac.properties"}) {
                try (InputStream stream = ModuleLayer.boot().findModule(module).get().getResourceAsStream(each)) {
                    System.out.println(module + " " + each + " " + (stream != null));
                }
            }
        }
        System.out.println(java.sql.Driver.class.getResource("Driver.class") + " "
                + java.sql.Driver.class.getResource("/BuiltinLoaders.class"));
    }

    static <S> String providers(ServiceLoader<S> loader) {
        return loader.stream().map(each -> each.type().getName()).sorted().toList().toString();
    }

    static void services() {
        for (Class<?> service : new Class<?>[] {javax.tools.JavaCompiler.class, java.security.Provider.class,
                     java.nio.file.spi.FileSystemProvider.class, java.util.spi.ToolProvider.class}) {
            for (ClassLoader from : new ClassLoader[] {null, platform, app})
                System.out.println(name(from) + " " + providers(ServiceLoader.load(service, from)));
            System.out.println("layer " + providers(ServiceLoader.load(ModuleLayer.boot(), service)));
            System.out.println("installed " + providers(ServiceLoader.loadInstalled(service)));
        }
    }

    static void message(Runnable wrong) {
        try {
            wrong.run();
        } catch (RuntimeException expected) {
            System.out.println(expected);
            System.out.println("  at " + expected.getStackTrace()[0]);
        }
    }

    static void messages() throws Exception {
        Object date = new java.sql.Date(0), self = new BuiltinLoaders();
        message(() -> ((String) date).length());
        message(() -> ((java.sql.Date) self).getTime());
        message(() -> java.sql.Date.valueOf("x"));
        message(() -> java.util.logging.Level.parse("x"));
        try {
            java.sql.DriverManager.class.getDeclaredField("registeredDrivers").setAccessible(true);
        } catch (RuntimeException inaccessible) {
            System.out.println(inaccessible.toString().replaceAll("@.*", ""));
        }
        try {
            MethodHandles.privateLookupIn(java.sql.Date.class, MethodHandles.lookup());
        } catch (IllegalAccessException refused) {
            System.out.println(refused.toString().replaceAll("@.*", ""));
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(name(platform.getParent()) + " " + (app.getParent() == platform));
        classes();
        resources();
        services();
        messages();
    }
}
