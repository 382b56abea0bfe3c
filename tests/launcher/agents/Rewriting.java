// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Transformers of both kinds rewrite class files as they are loaded: order, arguments, what they may throw, classes
// they need themselves.
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.jar.JarFile;

public class Rewriting implements ClassFileTransformer {
    static Instrumentation instrumentation;

    private final String tag;

    Rewriting(String tag) {
        this.tag = tag;
    }

    public static void premain(String options, Instrumentation given) throws Exception {
        instrumentation = given;
        given.addTransformer(new Rewriting("can"), true);
        given.addTransformer(new Rewriting("cannot"));
        given.addTransformer(new Failing());
        System.out.println(OnBootPath.where());
        given.appendToSystemClassLoaderSearch(new JarFile("later.jar"));
        System.out.println(Class.forName("AppendedLater").getDeclaredConstructor().newInstance());
    }

    @Override
    public byte[] transform(
            Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
        if (name == null
                || !(name.startsWith("Rewritten") || name.startsWith("java/util/zip/CRC32C")
                        || name.startsWith("Needed") || name.startsWith("ByLookup")))
            return null;
        String source = domain == null ? null
                : domain.getCodeSource() == null
                ? "none"
                : domain.getCodeSource().getLocation().toString().replaceAll(".*/(.+)", "$1");
        System.out.println(tag + " "
                + (module.isNamed() ? module.getName() : "unnamed of " + module.getClassLoader().getName()) + " " + name
                + " " + redefined + " " + source + " " + (loader == null ? "boot" : file.length + " bytes"));
        if (name.equals("Rewritten$Target")) System.out.println(Needed.text(tag));
        return replaced(
                file, "what the file says, ", ("it went past " + tag + "                         ").substring(0, 20));
    }

    // Replaces `text` by `by` in the bytes of the constant pool. `text` and `by` must have the same length.
    static byte[] replaced(byte[] file, String text, String by) {
        String all = new String(file, StandardCharsets.ISO_8859_1);
        int at = all.indexOf(text);
        if (at < 0) return null;
        return (all.substring(0, at) + by + all.substring(at + text.length())).getBytes(StandardCharsets.ISO_8859_1);
    }

    // A transformer loads this class while it runs, so the VM does not pass this class to that transformer.
    static class Needed {
        static String text(String tag) {
            return "needed by " + tag;
        }
    }

    static class Failing implements ClassFileTransformer {
        @Override
        public byte[] transform(
                ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
            throw new IllegalStateException("nobody hears this");
        }
    }
}
