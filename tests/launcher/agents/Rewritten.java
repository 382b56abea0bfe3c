// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that the agent Rewriting rewrites as they are loaded, in each way that a class can be defined.
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

public class Rewritten {
    static class Target {
        static String text() {
            return "what the file says, " + Target.class.getName();
        }
    }

    static class OfLoader extends ClassLoader {
        OfLoader() {
            super("own", null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] bytes = Files.readAllBytes(Path.of("classes", name + ".class"));
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(Target.text());
        System.out.println(new java.util.zip.CRC32C().getValue());
        var method = new OfLoader().loadClass("Rewritten$Target").getDeclaredMethod("text");
        method.setAccessible(true);
        System.out.println(method.invoke(null));
        byte[] file = Files.readAllBytes(Path.of("classes", "ByLookup.class"));
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(file, true).lookupClass();
        System.out.println(hidden.getDeclaredConstructor().newInstance());
        System.out.println(MethodHandles.lookup().defineClass(file).getDeclaredConstructor().newInstance());

        Instrumentation instrumentation = Rewriting.instrumentation;
        List<Class<?>> all = Arrays.asList(instrumentation.getAllLoadedClasses());
        System.out.println(all.contains(Target.class) + " " + all.contains(String.class) + " "
                + all.contains(int[].class) + " " + all.contains(int.class) + " " + all.contains(hidden));
        List<Class<?>> initiated = Arrays.asList(instrumentation.getInitiatedClasses(Rewritten.class.getClassLoader()));
        System.out.println(initiated.contains(Target.class) + " " + initiated.contains(hidden));
        System.out.println(instrumentation.isModifiableClass(Target.class) + " "
                + instrumentation.isModifiableClass(hidden) + " " + instrumentation.isModifiableClass(int[].class) + " "
                + instrumentation.isModifiableClass(void.class) + " "
                + instrumentation.isModifiableClass(Object.class));
        System.out.println(instrumentation.getObjectSize(new byte[1000]) / 100 + " "
                + (instrumentation.getObjectSize(new long[3]) > instrumentation.getObjectSize(new long[2])));
        System.out.println(instrumentation.removeTransformer(new Rewriting("unknown")));
    }
}
