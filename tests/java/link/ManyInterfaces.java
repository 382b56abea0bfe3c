// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class with sixty interfaces, made at run time: each method is found through its own interface.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.util.function.IntSupplier;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class ManyInterfaces extends ClassLoader {
    static final int COUNT = 60;

    Class<?> define(ClassWriter writer) {
        writer.visitEnd();
        byte[] bytes = writer.toByteArray();
        return defineClass(null, bytes, 0, bytes.length);
    }

    public static void main(String[] args) throws Exception {
        ManyInterfaces loader = new ManyInterfaces();
        String[] names = new String[COUNT + 1];
        names[COUNT] = "java/util/function/IntSupplier";
        for (int i = 0; i < COUNT; i++) {
            names[i] = "I" + i;
            ClassWriter face = new ClassWriter(0);
            face.visit(V11, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, names[i], null, "java/lang/Object", null);
            face.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "()I", null, null).visitEnd();
            face.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m" + i, "()I", null, null).visitEnd();
            loader.define(face);
        }
        ClassWriter impl = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        impl.visit(V11, ACC_PUBLIC | ACC_SUPER, "Impl", null, "java/lang/Object", names);
        MethodVisitor init = impl.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        for (int i = -1; i < COUNT; i++) {
            MethodVisitor m = impl.visitMethod(ACC_PUBLIC, i < 0 ? "m" : "m" + i, "()I", null, null);
            m.visitCode();
            m.visitIntInsn(SIPUSH, i < 0 ? 1000 : i);
            m.visitInsn(IRETURN);
            m.visitMaxs(0, 0);
        }
        MethodVisitor sum = impl.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
        sum.visitCode();
        sum.visitInsn(ICONST_0);
        for (int i = 0; i < COUNT; i++) {
            sum.visitVarInsn(ALOAD, 0);
            sum.visitMethodInsn(INVOKEINTERFACE, names[i], "m" + i, "()I", true);
            sum.visitInsn(IADD);
            sum.visitVarInsn(ALOAD, 0);
            sum.visitMethodInsn(INVOKEINTERFACE, names[i], "m", "()I", true);
            sum.visitInsn(IADD);
        }
        sum.visitInsn(IRETURN);
        sum.visitMaxs(0, 0);
        Class<?> c = loader.define(impl);
        IntSupplier s = (IntSupplier) c.getConstructor().newInstance();
        System.out.println(s.getAsInt() + " " + s.getAsInt() + " " + c.getInterfaces().length);
    }
}
