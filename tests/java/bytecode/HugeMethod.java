// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method of nearly 64 KB, with jumps across all of it, loads ten thousand constants. ASM refuses a larger method.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.function.IntUnaryOperator;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodTooLargeException;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class HugeMethod extends ClassLoader {
    static byte[] make(int additions) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V1_6, ACC_PUBLIC | ACC_SUPER, "Huge", null, "java/lang/Object",
                new String[] {"java/util/function/IntUnaryOperator"});
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        MethodVisitor m = writer.visitMethod(ACC_PUBLIC, "applyAsInt", "(I)I", null, null);
        m.visitCode();
        Label top = new Label(), end = new Label();
        m.visitInsn(ICONST_0);
        m.visitVarInsn(ISTORE, 2);
        m.visitLabel(top);
        m.visitVarInsn(ILOAD, 1);
        m.visitJumpInsn(IFLE, end);
        for (int i = 0; i < additions; i++) {
            m.visitVarInsn(ILOAD, 2);
            m.visitLdcInsn(100000 + i % 10000);
            m.visitInsn(IXOR);
            m.visitVarInsn(ISTORE, 2);
        }
        m.visitIincInsn(1, -1);
        m.visitJumpInsn(GOTO, top);
        m.visitLabel(end);
        m.visitVarInsn(ILOAD, 2);
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }
    public static void main(String[] args) throws Exception {
        for (int additions : new int[] {10, 6000, 10900}) {
            byte[] bytes = make(additions);
            IntUnaryOperator f = (IntUnaryOperator) new HugeMethod()
                                         .defineClass("Huge", bytes, 0, bytes.length)
                                         .getConstructor()
                                         .newInstance();
            System.out.println(additions + " " + f.applyAsInt(0) + " " + f.applyAsInt(1) + " " + f.applyAsInt(3));
        }
        try {
            make(12000);
        } catch (MethodTooLargeException e) {
            System.out.println(e.getMethodName());
        }
    }
}
