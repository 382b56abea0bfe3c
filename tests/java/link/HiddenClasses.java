// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lookup.defineHiddenClass: names, nests, class data, and look-ups by name that do not find the class.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.util.function.Supplier;

public class HiddenClasses {
    private static String secret() {
        return "secret";
    }

    static byte[] bytes(String name) {
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
        get.visitMethodInsn(INVOKESTATIC, "HiddenClasses", "secret", "()Ljava/lang/String;", false);
        get.visitInsn(ARETURN);
        get.visitMaxs(0, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }

    public static void main(String[] args) throws Throwable {
        Lookup lookup = MethodHandles.lookup();
        Lookup a = lookup.defineHiddenClass(bytes("Ghost"), true, ClassOption.NESTMATE);
        Lookup b = lookup.defineHiddenClass(bytes("Ghost"), false);
        Class<?> ca = a.lookupClass(), cb = b.lookupClass();
        System.out.println((ca == cb) + " " + ca.isHidden() + " " + String.class.isHidden());
        System.out.println(
                ca.getName().replaceAll("/.*", "/N")
                        + " "
                        + ca.getSimpleName().replaceAll("/.*", "/N")
                        + " "
                        + ca.getCanonicalName());
        System.out.println(
                ca.descriptorString().replaceAll("\\.0x.*", ".N")
                        + " "
                        + ca.getNestHost()
                        + " "
                        + (cb.getNestHost() == cb));
        Supplier<?> first = (Supplier<?>) ca.getConstructor().newInstance();
        System.out.println(first.get());
        Supplier<?> second = (Supplier<?>) cb.getConstructor().newInstance();
        try {
            System.out.println(second.get());
        } catch (IllegalAccessError e) {
            System.out.println(
                    e.getMessage().replaceAll("/0x[0-9a-f]+", "/N").replaceAll("0x[0-9a-f]+", "N"));
        }
        try {
            Class.forName(ca.getName());
        } catch (ClassNotFoundException e) {
            System.out.println("not found");
        }
        try {
            lookup.defineHiddenClass(bytes("other/Ghost"), true);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Lookup data =
                lookup.defineHiddenClassWithClassData(
                        bytes("Ghost"), "the data", true, ClassOption.NESTMATE);
        System.out.println(MethodHandles.classData(data, "_", String.class));
        try {
            MethodHandles.classData(data, "_", Integer.class);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(MethodHandles.classData(a, "_", Object.class));
        Object array = java.lang.reflect.Array.newInstance(ca, 2);
        System.out.println(
                array.getClass().getName().replaceAll("/.*", "/N;")
                        + " "
                        + array.getClass().isHidden());
        System.out.println(first.toString().replaceAll("/0x[0-9a-f]+@[0-9a-f]+", "/N@H"));
        Class<?> plain = lookup.defineClass(bytes("Visible"));
        System.out.println(
                plain.getName()
                        + " "
                        + plain.isHidden()
                        + " "
                        + (plain == Class.forName("Visible")));
        try {
            lookup.defineClass(bytes("Visible"));
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
    }
}
