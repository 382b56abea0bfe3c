// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// String constants of the greatest length, in one, two and three bytes per character; the class is written by hand.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.function.Supplier;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class LongConstants extends ClassLoader {
    public static void main(String[] args) throws Exception {
        for (String text : new String[] {"a".repeat(65535), "\u00e9".repeat(32767) + "x", "\u4e2d".repeat(21845),
                     "\u0000".repeat(32767), "\ud83d\ude00".repeat(10922), ""}) {
            ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            w.visit(V11, ACC_PUBLIC | ACC_SUPER, "Text", null, "java/lang/Object",
                    new String[] {"java/util/function/Supplier"});
            MethodVisitor init = w.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
            init.visitCode();
            init.visitVarInsn(ALOAD, 0);
            init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            init.visitInsn(RETURN);
            init.visitMaxs(0, 0);
            MethodVisitor get = w.visitMethod(ACC_PUBLIC, "get", "()Ljava/lang/Object;", null, null);
            get.visitCode();
            get.visitLdcInsn(text);
            get.visitInsn(ARETURN);
            get.visitMaxs(0, 0);
            w.visitEnd();
            byte[] bytes = w.toByteArray();
            Supplier<?> s = (Supplier<?>) new LongConstants()
                                    .defineClass("Text", bytes, 0, bytes.length)
                                    .getConstructor()
                                    .newInstance();
            System.out.println(((String) s.get()).length() + " " + s.get().equals(text) + " "
                    + (s.get() == text.intern()) + " " + s.get().hashCode());
        }
    }
}
