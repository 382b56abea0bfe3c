// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class.forName: arrays, primitive types, malformed names, with and without initialisation.
public class ForName {
    static class Loud {
        static {
            System.out.println("Loud initialised");
        }
    }

    static class Quiet {
        static {
            System.out.println("Quiet initialised");
        }
    }

    static void attempt(String name) {
        try {
            Class<?> c = Class.forName(name);
            System.out.println(name + " -> " + c + " " + c.getModifiers());
        } catch (Throwable e) {
            System.out.println(name + " -> " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name :
                new String[] {
                    "java.lang.String",
                    "[Ljava.lang.String;",
                    "[[I",
                    "[I",
                    "int",
                    "I",
                    "[int",
                    "Ljava.lang.String;",
                    "java/lang/String",
                    "[",
                    "[[",
                    "[V",
                    "[L;",
                    "[Ljava.lang.String",
                    "[Ljava/lang/String;",
                    "",
                    " ",
                    ".",
                    "..",
                    "java.",
                    "java.lang",
                    "java.lang.string",
                    "[LNope;",
                    "Nope",
                    "ForName$Loud",
                    "ForName.Loud",
                    "[LForName$Quiet;",
                    "ForName$",
                    "java.util.Map$Entry",
                    "java.util.Map.Entry"
                }) {
            attempt(name);
        }
        try {
            Class.forName(null);
        } catch (NullPointerException e) {
            System.out.println("null: " + e.getClass().getName());
        }
        Class<?> quiet = Class.forName("ForName$Quiet", false, ForName.class.getClassLoader());
        System.out.println("not yet");
        Class.forName("ForName$Quiet", true, ForName.class.getClassLoader());
        System.out.println(quiet.getName());
        try {
            Class.forName("ForName", true, null);
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        System.out.println(Class.forName("java.lang.Object", true, null));
        System.out.println(Class.forName("[[LForName$Loud;").getComponentType().getComponentType());
        StringBuilder deep = new StringBuilder();
        for (int i = 0; i < 255; i++) deep.append('[');
        attempt(deep.toString().substring(250) + "I");
        System.out.println(Class.forName(deep + "I").getName().length());
        try {
            Class.forName(deep + "[I");
        } catch (ClassNotFoundException e) {
            System.out.println("too deep");
        }
        System.out.println(
                Class.forName(Object.class.getModule(), "java.util.List")
                        + " "
                        + Class.forName(Object.class.getModule(), "no.such.Thing"));
    }
}
