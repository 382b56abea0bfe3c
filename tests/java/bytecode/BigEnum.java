// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An enum with five hundred constants, made at run time; reflection on its values, and an EnumSet of them.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.EnumSet;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class BigEnum extends ClassLoader {
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        int count = 500;
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_ENUM, "E", "Ljava/lang/Enum<LE;>;", "java/lang/Enum",
                null);
        for (int i = 0; i < count; i++)
            w.visitField(ACC_PUBLIC | ACC_STATIC | ACC_FINAL | ACC_ENUM, "C" + i, "LE;", null, null).visitEnd();
        w.visitField(ACC_PRIVATE | ACC_STATIC | ACC_FINAL | ACC_SYNTHETIC, "$VALUES", "[LE;", null, null).visitEnd();
        MethodVisitor init = w.visitMethod(ACC_PRIVATE, "<init>", "(Ljava/lang/String;I)V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitVarInsn(ALOAD, 1);
        init.visitVarInsn(ILOAD, 2);
        init.visitMethodInsn(INVOKESPECIAL, "java/lang/Enum", "<init>", "(Ljava/lang/String;I)V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        MethodVisitor values = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "values", "()[LE;", null, null);
        values.visitCode();
        values.visitFieldInsn(GETSTATIC, "E", "$VALUES", "[LE;");
        values.visitMethodInsn(INVOKEVIRTUAL, "[LE;", "clone", "()Ljava/lang/Object;", false);
        values.visitTypeInsn(CHECKCAST, "[LE;");
        values.visitInsn(ARETURN);
        values.visitMaxs(0, 0);
        MethodVisitor c = w.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        c.visitCode();
        c.visitIntInsn(SIPUSH, count);
        c.visitTypeInsn(ANEWARRAY, "E");
        c.visitVarInsn(ASTORE, 0);
        for (int i = 0; i < count; i++) {
            c.visitTypeInsn(NEW, "E");
            c.visitInsn(DUP);
            c.visitLdcInsn("C" + i);
            c.visitIntInsn(SIPUSH, i);
            c.visitMethodInsn(INVOKESPECIAL, "E", "<init>", "(Ljava/lang/String;I)V", false);
            c.visitInsn(DUP);
            c.visitFieldInsn(PUTSTATIC, "E", "C" + i, "LE;");
            c.visitVarInsn(ASTORE, 1);
            c.visitVarInsn(ALOAD, 0);
            c.visitIntInsn(SIPUSH, i);
            c.visitVarInsn(ALOAD, 1);
            c.visitInsn(AASTORE);
        }
        c.visitVarInsn(ALOAD, 0);
        c.visitFieldInsn(PUTSTATIC, "E", "$VALUES", "[LE;");
        c.visitInsn(RETURN);
        c.visitMaxs(0, 0);
        w.visitEnd();
        byte[] bytes = w.toByteArray();
        Class e = new BigEnum().defineClass("E", bytes, 0, bytes.length);
        System.out.println(e.getEnumConstants().length + " " + Enum.valueOf(e, "C321") + " " + EnumSet.allOf(e).size()
                + " " + EnumSet.range(Enum.valueOf(e, "C10"), Enum.valueOf(e, "C499")).hashCode() * 0 + " "
                + e.isEnum());
        try {
            Enum.valueOf(e, "C500");
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage());
        }
        try {
            e.getDeclaredConstructors()[0].setAccessible(true);
            e.getDeclaredConstructors()[0].newInstance("X", 1);
        } catch (Exception x) {
            System.out.println(x.getClass().getSimpleName());
        }
    }
}
