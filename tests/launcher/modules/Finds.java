// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the number of modules in the boot layer, and what a program of the class path finds under given names.
public class Finds {
    public static void main(String[] names) {
        System.out.println(ModuleLayer.boot().modules().size() + " modules, main "
                + System.getProperty("jdk.module.main") + ", limits " + System.getProperty("jdk.module.limitmods"));
        for (String name : names) {
            if (name.indexOf('.') < 0) continue;
            try {
                Class<?> found = Class.forName(name, false, ClassLoader.getSystemClassLoader());
                System.out.println(found + " of " + found.getModule() + " and " + found.getClassLoader());
            } catch (Throwable failure) {
                System.out.println(failure);
            }
            System.out.println(ClassLoader.getSystemResource(name.replace('.', '/') + ".class"));
        }
        System.out.println(Finds.class.getModule().canRead(Object.class.getModule()) + " "
                + (names.length > 0 && names[0].equals("sql") ? new java.sql.Date(0).getTime() : 0));
    }
}
