// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Modules, loaders, packages, resources, services and code sources, as a program on the class path sees
// them.
import java.lang.reflect.*;
import java.util.*;

public class Modules {
    public static void main(String[] a) throws Exception {
        System.out.println(
                Object.class.getModule()
                        + " "
                        + Modules.class.getModule().isNamed()
                        + " "
                        + String.class.getModule().getName());
        System.out.println(
                Modules.class.getClassLoader().getName()
                        + " "
                        + ClassLoader.getPlatformClassLoader().getName()
                        + " "
                        + ClassLoader.getSystemClassLoader().getParent().getName()
                        + " "
                        + String.class.getClassLoader());
        try {
            Field f = String.class.getDeclaredField("value");
            f.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        try {
            Class.forName("jdk.internal.misc.Unsafe").getDeclaredConstructor().setAccessible(true);
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@X"));
        }
        Object.class.getModule().getDescriptor();
        System.out.println(
                Object.class.getModule().getDescriptor().name()
                        + " "
                        + Object.class.getModule().isExported("java.lang")
                        + " "
                        + Object.class.getModule().isExported("jdk.internal.misc")
                        + " "
                        + Object.class.getModule().isOpen("java.lang")
                        + " "
                        + Object.class.getModule().getPackages().contains("java.util"));
        System.out.println(
                ModuleLayer.boot().findModule("java.logging").isPresent()
                        + " "
                        + ModuleLayer.boot().findModule("nope").isPresent());
        System.out.println(Class.forName("java.util.logging.Level").getModule());
        System.out.println(
                Modules.class.getPackage()
                        + " "
                        + String.class.getPackage()
                        + " "
                        + Modules.class.getPackageName()
                        + " "
                        + String.class.getPackage().getImplementationTitle());
        System.out.println(
                new java.io.File(
                                        Modules.class
                                                .getProtectionDomain()
                                                .getCodeSource()
                                                .getLocation()
                                                .toURI())
                                .getName()
                                .length()
                        > 0);
        System.out.println(Modules.class.getResource("Modules.class") != null);
        System.out.println(
                Modules.class.getResourceAsStream("Modules.class").readAllBytes().length > 100);
        System.out.println(Object.class.getResource("Object.class"));
        System.out.println(
                ClassLoader.getSystemResource("nope")
                        + " "
                        + Collections.list(ClassLoader.getSystemResources("Modules.class")).size());
        for (Object o : ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class))
            System.out.println(o.getClass().getName());
        try {
            Class.forName("does.not.Exist");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        System.out.println(String.class.getMethod("length").invoke("four"));
        System.out.println(Character.getName('A'));
        Object proxy =
                Proxy.newProxyInstance(
                        Modules.class.getClassLoader(),
                        new Class<?>[] {Runnable.class},
                        (p, m, x) -> {
                            System.out.println("proxied " + m.getName());
                            return null;
                        });
        ((Runnable) proxy).run();
        System.out.println(
                java.util.random.RandomGenerator.of("L64X128MixRandom").getClass().getSimpleName());
    }
}
