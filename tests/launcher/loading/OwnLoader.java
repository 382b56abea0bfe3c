// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A loader for -Djava.system.class.loader, another one that fails, and the program.
import java.nio.file.FileSystems;

public class OwnLoader extends ClassLoader {
    public OwnLoader(ClassLoader parent) {
        super("own", parent);
        System.out.println("made above " + parent.getName());
    }

    public static class Failing extends ClassLoader {
        public Failing(ClassLoader parent) {
            throw new IllegalStateException("no loader");
        }
    }

    public static void main(String[] arguments) {
        System.out.println(ClassLoader.getSystemClassLoader().getName() + " "
                + Thread.currentThread().getContextClassLoader().getName() + " "
                + OwnLoader.class.getClassLoader().getName());
        System.out.println(FileSystems.getDefault().provider().getScheme());
        for (String name : new String[] {"java/lang/String", "Bare", "p/Main", "p.Main", "[LBare;", "[Lp/Main;", "", "."}) {
            try {
                System.out.println(Class.forName(name).getName());
            } catch (Throwable failure) {
                System.out.println(failure);
            }
            for (ClassLoader loader : new ClassLoader[] {ClassLoader.getSystemClassLoader(),
                    ClassLoader.getPlatformClassLoader(), new ClassLoader(OwnLoader.class.getClassLoader()) {}}) {
                try {
                    System.out.println(loader.loadClass(name).getName());
                } catch (Throwable failure) {
                    System.out.println(failure);
                }
            }
        }
    }
}
