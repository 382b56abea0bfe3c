// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A chain of two hundred subclasses made at run time: virtual calls, type checks, fields of each class.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import static jdk.internal.org.objectweb.asm.Opcodes.*;

import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;

public class DeepInheritance extends ClassLoader {
    public static class Root {
        public int depth() {
            return 0;
        }
    }

    static final int DEPTH = 200;

    Class<?> make(String name, String parent, int field) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, name, null, parent, null);
        writer.visitField(ACC_PUBLIC, "f" + field, field % 2 == 0 ? "I" : "B", null, null)
                .visitEnd();
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, parent, "<init>", "()V", false);
        init.visitVarInsn(ALOAD, 0);
        init.visitIntInsn(BIPUSH, field % 100);
        init.visitFieldInsn(PUTFIELD, name, "f" + field, field % 2 == 0 ? "I" : "B");
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        MethodVisitor depth = writer.visitMethod(ACC_PUBLIC, "depth", "()I", null, null);
        depth.visitCode();
        depth.visitVarInsn(ALOAD, 0);
        depth.visitMethodInsn(INVOKESPECIAL, parent, "depth", "()I", false);
        depth.visitInsn(ICONST_1);
        depth.visitInsn(IADD);
        depth.visitInsn(IRETURN);
        depth.visitMaxs(0, 0);
        writer.visitEnd();
        byte[] bytes = writer.toByteArray();
        return defineClass(name, bytes, 0, bytes.length);
    }

    public static void main(String[] args) throws Exception {
        DeepInheritance loader = new DeepInheritance();
        String parent = "DeepInheritance$Root";
        Class<?>[] all = new Class<?>[DEPTH];
        for (int i = 0; i < DEPTH; i++) {
            all[i] = loader.make("G" + i, parent, i);
            parent = "G" + i;
        }
        Root last = (Root) all[DEPTH - 1].getConstructor().newInstance();
        System.out.println(last.depth());
        int instances = 0, sum = 0;
        for (Class<?> c : all) {
            if (c.isInstance(last)) instances++;
            sum += ((Number) c.getFields()[0].get(last)).intValue();
        }
        System.out.println(instances + " " + sum);
        Root middle = (Root) all[DEPTH / 2].getConstructor().newInstance();
        System.out.println(
                middle.depth()
                        + " "
                        + all[DEPTH / 2 + 1].isInstance(middle)
                        + " "
                        + all[3].isAssignableFrom(all[100])
                        + " "
                        + all[100].isAssignableFrom(all[3]));
    }
}
