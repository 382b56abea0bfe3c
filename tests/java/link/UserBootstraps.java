// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// invokedynamic and dynamic constants with bootstrap methods of the program: call sites, arguments,
// failures.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.function.Supplier;

public class UserBootstraps extends ClassLoader {
    static MutableCallSite mutable;

    public static String one() {
        return "one";
    }

    public static String two() {
        return "two";
    }

    public static CallSite constant(MethodHandles.Lookup lookup, String name, MethodType type)
            throws Exception {
        System.out.println("bootstrap " + name + type + " in " + lookup.lookupClass().getName());
        return new ConstantCallSite(lookup.findStatic(UserBootstraps.class, name, type));
    }

    public static CallSite changing(MethodHandles.Lookup lookup, String name, MethodType type)
            throws Exception {
        mutable = new MutableCallSite(lookup.findStatic(UserBootstraps.class, "one", type));
        return mutable;
    }

    public static CallSite arguments(
            MethodHandles.Lookup lookup,
            String name,
            MethodType type,
            int i,
            long l,
            double d,
            String s,
            Class<?> c,
            MethodType t,
            MethodHandle h)
            throws Throwable {
        String text = i + " " + l + " " + d + " " + s + " " + c + " " + t + " " + h.invoke();
        return new ConstantCallSite(MethodHandles.constant(String.class, text));
    }

    public static CallSite variadic(
            MethodHandles.Lookup lookup, String name, MethodType type, Object... more) {
        return new ConstantCallSite(
                MethodHandles.constant(String.class, java.util.Arrays.toString(more)));
    }

    public static CallSite wrongType(MethodHandles.Lookup lookup, String name, MethodType type) {
        return new ConstantCallSite(MethodHandles.constant(int.class, 5));
    }

    public static Object notASite(MethodHandles.Lookup lookup, String name, MethodType type) {
        return "not a call site";
    }

    public static CallSite nothing(MethodHandles.Lookup lookup, String name, MethodType type) {
        return null;
    }

    public static CallSite throwing(MethodHandles.Lookup lookup, String name, MethodType type) {
        throw new IllegalStateException("from the bootstrap");
    }

    public static CallSite failing(MethodHandles.Lookup lookup, String name, MethodType type) {
        throw new StackOverflowError("an error");
    }

    static int made;

    public static String condy(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return name + " of " + type.getSimpleName() + " " + ++made;
    }

    Supplier<String> make(String name, java.util.function.Consumer<MethodVisitor> body)
            throws Exception {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(
                V11,
                ACC_PUBLIC | ACC_SUPER,
                name,
                null,
                "java/lang/Object",
                new String[] {"java/util/function/Supplier"});
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        MethodVisitor get =
                writer.visitMethod(ACC_PUBLIC, "get", "()Ljava/lang/Object;", null, null);
        get.visitCode();
        body.accept(get);
        get.visitInsn(ARETURN);
        get.visitMaxs(0, 0);
        writer.visitEnd();
        byte[] bytes = writer.toByteArray();
        @SuppressWarnings("unchecked")
        Supplier<String> made =
                (Supplier<String>)
                        defineClass(name, bytes, 0, bytes.length).getConstructor().newInstance();
        return made;
    }

    static Handle handle(String name, String type) {
        return new Handle(H_INVOKESTATIC, "UserBootstraps", name, type, false);
    }

    static final String PLAIN =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";

    static void twice(String what, Supplier<String> s) {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(what + ": " + s.get());
            } catch (Throwable e) {
                System.out.println(what + ": " + e + " / " + e.getCause());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        UserBootstraps loader = new UserBootstraps();
        String string = "()Ljava/lang/String;";
        twice(
                "constant",
                loader.make(
                        "A",
                        m -> m.visitInvokeDynamicInsn("one", string, handle("constant", PLAIN))));
        Supplier<String> changing =
                loader.make(
                        "B",
                        m -> m.visitInvokeDynamicInsn("one", string, handle("changing", PLAIN)));
        System.out.println(changing.get());
        mutable.setTarget(
                MethodHandles.lookup()
                        .findStatic(
                                UserBootstraps.class, "two", MethodType.methodType(String.class)));
        System.out.println(changing.get());
        twice(
                "arguments",
                loader.make(
                        "C",
                        m ->
                                m.visitInvokeDynamicInsn(
                                        "x",
                                        string,
                                        handle(
                                                "arguments",
                                                PLAIN.replace(
                                                        ")L",
                                                        "IJDLjava/lang/String;Ljava/lang/Class;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;)L")),
                                        1,
                                        2L,
                                        3.5,
                                        "four",
                                        Type.getType("[I"),
                                        Type.getMethodType("(I)V"),
                                        handle("one", string))));
        twice(
                "variadic",
                loader.make(
                        "D",
                        m ->
                                m.visitInvokeDynamicInsn(
                                        "x",
                                        string,
                                        handle(
                                                "variadic",
                                                PLAIN.replace(")L", "[Ljava/lang/Object;)L")),
                                        1,
                                        "b",
                                        3.5f)));
        twice(
                "variadic, none",
                loader.make(
                        "D0",
                        m ->
                                m.visitInvokeDynamicInsn(
                                        "x",
                                        string,
                                        handle(
                                                "variadic",
                                                PLAIN.replace(")L", "[Ljava/lang/Object;)L")))));
        twice(
                "wrong type",
                loader.make(
                        "E",
                        m -> m.visitInvokeDynamicInsn("x", string, handle("wrongType", PLAIN))));
        twice(
                "not a site",
                loader.make(
                        "F",
                        m ->
                                m.visitInvokeDynamicInsn(
                                        "x",
                                        string,
                                        handle(
                                                "notASite",
                                                PLAIN.replace(
                                                        "Ljava/lang/invoke/CallSite;",
                                                        "Ljava/lang/Object;")))));
        twice(
                "nothing",
                loader.make(
                        "G", m -> m.visitInvokeDynamicInsn("x", string, handle("nothing", PLAIN))));
        twice(
                "throwing",
                loader.make(
                        "H",
                        m -> m.visitInvokeDynamicInsn("x", string, handle("throwing", PLAIN))));
        twice(
                "failing",
                loader.make(
                        "I", m -> m.visitInvokeDynamicInsn("x", string, handle("failing", PLAIN))));
        twice(
                "missing",
                loader.make(
                        "J",
                        m -> m.visitInvokeDynamicInsn("x", string, handle("noSuchMethod", PLAIN))));
        String condy =
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/String;";
        twice(
                "constant of the program",
                loader.make(
                        "K",
                        m ->
                                m.visitLdcInsn(
                                        new ConstantDynamic(
                                                "k",
                                                "Ljava/lang/String;",
                                                handle("condy", condy)))));
        twice(
                "null constant",
                loader.make(
                        "L",
                        m ->
                                m.visitLdcInsn(
                                        new ConstantDynamic(
                                                "n",
                                                "Ljava/lang/String;",
                                                new Handle(
                                                        H_INVOKESTATIC,
                                                        "java/lang/invoke/ConstantBootstraps",
                                                        "nullConstant",
                                                        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;",
                                                        false)))));
        twice(
                "constant as an argument",
                loader.make(
                        "M",
                        m ->
                                m.visitInvokeDynamicInsn(
                                        "x",
                                        string,
                                        handle(
                                                "variadic",
                                                PLAIN.replace(")L", "[Ljava/lang/Object;)L")),
                                        new ConstantDynamic(
                                                "inner",
                                                "Ljava/lang/String;",
                                                handle("condy", condy)))));
    }
}
