// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that 25 lacks, such as StringTemplate (a preview of 21); deprecated classes; a refused security manager.
// since: 25
// stderr: ignore
@SuppressWarnings("removal")
public class StringTemplatesAbsent {
    public static void main(String[] arguments) {
        for (String name : new String[] {"java.lang.StringTemplate", "java.util.FormatProcessor",
            "java.lang.StringTemplate$Processor",
                                         "java.lang.Compiler", "java.lang.SecurityManager", "sun.misc.Unsafe"}) {
            try {
                System.out.println(Class.forName(name) + " "
                    + Class.forName(name).isAnnotationPresent(Deprecated.class));
            } catch (ClassNotFoundException e) {
                System.out.println(e);
            }
        }
        try {
            System.setSecurityManager(null);
            System.out.println("no manager");
            System.setSecurityManager((SecurityManager) Class.forName("java.lang.SecurityManager").getConstructor()
                .newInstance());
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
        System.out.println(System.getSecurityManager());
    }
}
