// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chains of transformers over retransformations: which are called, in what order, and with which bytes each begins.
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

public class Retransformed {
    static class Target {
        static String text() {
            return "....";
        }
    }

    static final List<String> log = new ArrayList<>();

    // Replaces the first dot in the class's string of dots and letters by the letter of this transformer.
    static class Letter implements ClassFileTransformer {
        final char letter;
        boolean silent;

        Letter(char letter) {
            this.letter = letter;
        }

        @Override
        public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined,
                ProtectionDomain domain, byte[] file) {
            if (!"Retransformed$Target".equals(name)) return null;
            byte[] result = file.clone();
            for (int i = 0; i + 6 < file.length; i++) {
                if (file[i] != 1 || file[i + 1] != 0 || file[i + 2] != 4) continue;   // a text of four letters
                int dot = i + 3;
                while (dot < i + 7 && (file[dot] >= 'A' && file[dot] <= 'Z')) dot++;
                if (dot == i + 7 || file[dot] != '.') continue;
                result[dot] = (byte) letter;
                log.add(letter + (redefined == null ? "-" : "+") + (domain == null ? "?" : ""));
                return silent ? null : result;
            }
            log.add(letter + " found nothing");
            return null;
        }
    }

    static void show(String when) {
        System.out.println(when + ": " + Target.text() + " " + log);
        log.clear();
    }

    public static void main(String[] arguments) throws Exception {
        Instrumentation instrumentation = Refused.instrumentation;
        Letter a = new Letter('A'), b = new Letter('B'), c = new Letter('C');
        instrumentation.addTransformer(b, true);
        instrumentation.addTransformer(a, false);
        show("loaded");
        instrumentation.retransformClasses(Target.class);
        show("retransformed");
        instrumentation.addTransformer(c, true);
        instrumentation.retransformClasses(Target.class);
        show("one more");
        instrumentation.removeTransformer(b);
        instrumentation.retransformClasses(Target.class);
        show("one less");
        byte[] file = Files.readAllBytes(Path.of("classes/Retransformed$Target.class"));
        instrumentation.redefineClasses(new ClassDefinition(Target.class, file));
        show("redefined");
        instrumentation.removeTransformer(a);
        instrumentation.retransformClasses(Target.class);
        show("the other less");
        c.silent = true;
        instrumentation.retransformClasses(Target.class, Retransformed.class);
        show("silent");
        instrumentation.redefineClasses(new ClassDefinition(Target.class, file));
        show("redefined again");

        // Retransforming a class of the boot loader starts from the bytes in the library's image.
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                if (!"java/util/StringJoiner".equals(name))
                    return null;
                return Rewriting.replaced(bytes, "The prefix must not be null", "The PREFIX must not be null");
            }
        }, true);
        for (int i = 0; i < 2; i++) {
            try {
                new StringJoiner(",", null, "");
            } catch (NullPointerException e) {
                System.out.println(e.getMessage());
            }
            instrumentation.retransformClasses(StringJoiner.class, Integer.class, String.class, Object.class,
                    Thread.class, java.util.HashMap.class);
        }
        System.out.println(new StringJoiner(",").add("a").add("b") + " " + Integer.valueOf(1000) + " "
                + "text".substring(2) + new java.util.HashMap<>(java.util.Map.of(1, 2)));
    }
}
