// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that do not verify: the first line of the verifier's message.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;

import java.util.function.Consumer;

public class VerifyErrors {
    static class Loader extends ClassLoader {
        Loader() {
            super("bad", VerifyErrors.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static int count;

    static void attempt(
            String what, String type, int stack, int locals, Consumer<MethodVisitor> body) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, "Bad" + count++, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "m", type, null, null);
        code.visitCode();
        body.accept(code);
        code.visitMaxs(stack, locals);
        code.visitEnd();
        writer.visitEnd();
        try {
            Class<?> c = new Loader().define(writer.toByteArray());
            Class.forName(c.getName(), true, c.getClassLoader());
            System.out.println(what + ": verified");
        } catch (LinkageError e) {
            System.out.println(what + ": " + e.toString());
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        attempt("fine", "()V", 0, 0, c -> c.visitInsn(RETURN));
        attempt(
                "underflow",
                "()V",
                1,
                0,
                c -> {
                    c.visitInsn(POP);
                    c.visitInsn(RETURN);
                });
        attempt(
                "overflow",
                "()V",
                1,
                0,
                c -> {
                    c.visitInsn(ICONST_0);
                    c.visitInsn(ICONST_0);
                    c.visitInsn(RETURN);
                });
        attempt(
                "int for object",
                "()Ljava/lang/Object;",
                1,
                0,
                c -> {
                    c.visitInsn(ICONST_0);
                    c.visitInsn(ARETURN);
                });
        attempt("falls off", "()V", 1, 0, c -> c.visitInsn(NOP));
        attempt(
                "unset local",
                "()I",
                1,
                1,
                c -> {
                    c.visitVarInsn(ILOAD, 0);
                    c.visitInsn(IRETURN);
                });
        attempt(
                "local out of range",
                "()I",
                1,
                1,
                c -> {
                    c.visitVarInsn(ILOAD, 3);
                    c.visitInsn(IRETURN);
                });
        attempt(
                "wrong return",
                "()J",
                1,
                0,
                c -> {
                    c.visitInsn(ICONST_0);
                    c.visitInsn(IRETURN);
                });
        attempt("return of nothing", "()I", 1, 0, c -> c.visitInsn(RETURN));
        attempt(
                "half of a long",
                "()V",
                2,
                0,
                c -> {
                    c.visitInsn(LCONST_0);
                    c.visitInsn(POP);
                    c.visitInsn(RETURN);
                });
        attempt(
                "string as integer",
                "(Ljava/lang/String;)Ljava/lang/Integer;",
                1,
                1,
                c -> {
                    c.visitVarInsn(ALOAD, 0);
                    c.visitInsn(ARETURN);
                });
        attempt(
                "uninitialised",
                "()Ljava/lang/Object;",
                2,
                0,
                c -> {
                    c.visitTypeInsn(NEW, "java/lang/Object");
                    c.visitInsn(ARETURN);
                });
        attempt(
                "wrong receiver",
                "(Ljava/lang/Object;)I",
                1,
                1,
                c -> {
                    c.visitVarInsn(ALOAD, 0);
                    c.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
                    c.visitInsn(IRETURN);
                });
        attempt(
                "interface receivers are free",
                "(Ljava/lang/Object;)V",
                1,
                1,
                c -> {
                    c.visitVarInsn(ALOAD, 0);
                    c.visitMethodInsn(INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
                    c.visitInsn(RETURN);
                });
        attempt(
                "no frame at a target",
                "(I)V",
                1,
                1,
                c -> {
                    Label there = new Label();
                    c.visitVarInsn(ILOAD, 0);
                    c.visitJumpInsn(IFEQ, there);
                    c.visitInsn(NOP);
                    c.visitLabel(there);
                    c.visitInsn(RETURN);
                });
        attempt(
                "frame disagrees",
                "(I)V",
                1,
                1,
                c -> {
                    Label there = new Label();
                    c.visitVarInsn(ILOAD, 0);
                    c.visitJumpInsn(IFEQ, there);
                    c.visitInsn(NOP);
                    c.visitLabel(there);
                    c.visitFrame(F_FULL, 1, new Object[] {"java/lang/String"}, 0, new Object[0]);
                    c.visitInsn(RETURN);
                });
        attempt(
                "array of another kind",
                "([I)J",
                2,
                1,
                c -> {
                    c.visitVarInsn(ALOAD, 0);
                    c.visitInsn(ICONST_0);
                    c.visitInsn(LALOAD);
                    c.visitInsn(LRETURN);
                });
        attempt(
                "throws a string",
                "()V",
                1,
                0,
                c -> {
                    c.visitLdcInsn("x");
                    c.visitInsn(ATHROW);
                });
        attempt(
                "field of another class",
                "(Ljava/lang/Object;)I",
                1,
                1,
                c -> {
                    c.visitVarInsn(ALOAD, 0);
                    c.visitFieldInsn(GETFIELD, "java/awt/Point", "x", "I");
                    c.visitInsn(IRETURN);
                });
        attempt(
                "arguments missing",
                "()I",
                2,
                0,
                c -> {
                    c.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "max", "(II)I", false);
                    c.visitInsn(IRETURN);
                });
    }
}
