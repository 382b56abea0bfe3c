// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class objects: names, kinds, arrays, nesting, forName, loaders, packages, modules.
import java.util.*;

public class Classes {
    interface I {}

    enum E {
        X {}
    }

    @interface An {}

    record R(int a, List<String> b) {}

    public static void main(String[] args) throws Exception {
        class Local {}
        Object anon = new Object() {};
        Runnable lam = () -> {};
        for (Class<?> c :
                new Class<?>[] {
                    int.class,
                    void.class,
                    String.class,
                    int[].class,
                    String[][].class,
                    I.class,
                    E.class,
                    E.X.getClass(),
                    An.class,
                    R.class,
                    Local.class,
                    anon.getClass(),
                    Map.Entry.class,
                    Map.Entry[].class
                })
            System.out.println(
                    c
                            + " | "
                            + c.getName()
                            + " "
                            + c.getSimpleName()
                            + " "
                            + c.getTypeName()
                            + " "
                            + c.getCanonicalName()
                            + " "
                            + c.isInterface()
                            + c.isEnum()
                            + c.isAnnotation()
                            + c.isRecord()
                            + c.isArray()
                            + c.isPrimitive()
                            + c.isAnonymousClass()
                            + c.isLocalClass()
                            + c.isMemberClass()
                            + " "
                            + c.getSuperclass()
                            + " "
                            + c.getComponentType()
                            + " "
                            + c.getModifiers()
                            + " "
                            + c.getPackageName()
                            + " "
                            + c.descriptorString());
        System.out.println(
                Class.forName("java.util.ArrayList")
                        + " "
                        + Class.forName("[Ljava.lang.String;")
                        + " "
                        + Class.forName("Classes$I")
                        + " "
                        + String.class.getClassLoader()
                        + " "
                        + (Classes.class.getClassLoader() == ClassLoader.getSystemClassLoader())
                        + " "
                        + Classes.class.getClassLoader().getName()
                        + " "
                        + String.class.getModule()
                        + " "
                        + Classes.class.getModule().isNamed());
        try {
            Class.forName("no.such.Class");
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage());
        }
        try {
            Class.forName("java/lang/String");
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                Arrays.toString(R.class.getRecordComponents())
                        + " "
                        + Arrays.asList(E.class.getEnumConstants())
                        + " "
                        + lam.getClass().isSynthetic()
                        + lam.getClass().isHidden()
                        + " "
                        + Integer.class.cast(5)
                        + " "
                        + Number.class.isAssignableFrom(Integer.class)
                        + " "
                        + Classes.class.getNestHost()
                        + " "
                        + I.class.isNestmateOf(R.class)
                        + " "
                        + Arrays.stream(Classes.class.getDeclaredClasses())
                                .map(Class::getSimpleName)
                                .sorted()
                                .toList());
        try {
            Integer.class.cast("s");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Classes.class.getResource("Classes.class") != null);
        System.out.println(Object.class.getResourceAsStream("String.class").read());
    }
}
