// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An agent tries to redefine a class by several class files: the VM must refuse most of them, and accept some.
import java.io.File;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class Refused {
    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    static void redefine(String what, byte[] file) {
        try {
            instrumentation.redefineClasses(new ClassDefinition(Shape.class, file));
            System.out.println(what + ": m() is " + new Shape().m());
        } catch (Throwable refusal) {
            System.out.println(what + ": " + refusal);
        }
    }

    interface Attempt {
        void run() throws Exception;
    }

    static void attempt(String what, Attempt attempt) {
        try {
            attempt.run();
            System.out.println(what + ": done");
        } catch (Throwable refusal) {
            System.out.println(what + ": " + refusal);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] original = Files.readAllBytes(Path.of("classes/Shape.class"));
        System.out.println(new Shape().m());
        String[] variants = new File("variants").list();
        Arrays.sort(variants);
        for (String each : variants) {
            Path file = Path.of("variants", each, "Shape.class");
            if (Files.exists(file)) redefine(each, Files.readAllBytes(file));
        }
        new Shape().n();
        redefine("the first", original);
        attempt("native again", () -> {
            try {
                new Shape().n();
            } catch (UnsatisfiedLinkError expected) {
                System.out.println("UnsatisfiedLinkError");
            }
        });
        redefine("garbage", new byte[] {1, 2, 3, 4});
        redefine("nothing", new byte[0]);
        redefine("truncated", Arrays.copyOf(original, original.length - 3));
        byte[] future = original.clone();
        future[7] = 99;
        redefine("of the future", future);
        redefine("another class", Files.readAllBytes(Path.of("classes/Hello.class")));
        byte[] illTyped = original.clone();
        for (int i = illTyped.length - 1; i > 0; i--) {
            if ((illTyped[i] & 0xFF) != 0xAC) continue;
            illTyped[i] = (byte) 0xB0;   // ireturn: areturn
            break;
        }
        redefine("ill-typed", illTyped);
        attempt("null", () -> instrumentation.redefineClasses((ClassDefinition) null));
        attempt("no class", () -> instrumentation.redefineClasses());
        attempt("array", () -> instrumentation.redefineClasses(new ClassDefinition(int[].class, original)));
        attempt("primitive", () -> instrumentation.retransformClasses(int.class));
        attempt("lambda", () -> instrumentation.retransformClasses(((Runnable) () -> { }).getClass()));
        attempt("null class", () -> instrumentation.retransformClasses((Class<?>) null));
        attempt("no classes", () -> instrumentation.retransformClasses());
        attempt("prefix", () -> instrumentation.setNativeMethodPrefix(new ClassFileTransformer() { }, "x"));
        attempt("two, one refused",
                ()
                        -> instrumentation.redefineClasses(
                                new ClassDefinition(
                                        Shape.class, Files.readAllBytes(Path.of("variants/body/Shape.class"))),
                                new ClassDefinition(Hello.class, original)));
        System.out.println(new Shape().m());
    }
}
