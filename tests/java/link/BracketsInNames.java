// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes and methods with brackets in their names, as in Kotlin's tests. The names are in descriptors of parameters
// and results, and the VM must parse these descriptors everywhere.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class BracketsInNames {
    static final String[] NAMES = {"adds (two) numbers", "a)b", "a(b", ")", "(", "V)V", "()V", ")J(", "(I)J"};
    static final int FLAGS = ClassWriter.COMPUTE_MAXS;

    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    // Defines an interface and a class that implements it. The class takes, stores and returns objects of its own type.
    static Class<?> define(Loader loader, String name, int version) {
        String itself = "L" + name + ";", contract = name + " contract";
        ClassWriter types = new ClassWriter(FLAGS);
        types.visit(version, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, contract, null, "java/lang/Object", null);
        types.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "either", "(J" + itself + "I" + itself + ")" + itself, null, null)
                .visitEnd();
        types.visitEnd();
        loader.define(types.toByteArray());

        ClassWriter writer = new ClassWriter(FLAGS);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", new String[] {contract});
        MethodVisitor m = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "make", "()" + itself, null, null);
        m.visitCode();
        m.visitTypeInsn(NEW, name);
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, name, "<init>", "()V", false);
        m.visitInsn(ARETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC, "either", "(J" + itself + "I" + itself + ")" + itself, null, null);
        m.visitCode();
        m.visitVarInsn(ALOAD, 5);
        m.visitInsn(ARETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "sum", "(" + itself + "J[[" + itself + "D)J", null, null);
        m.visitCode();
        m.visitVarInsn(LLOAD, 1);
        m.visitVarInsn(DLOAD, 4);
        m.visitInsn(D2L);
        m.visitInsn(LADD);
        m.visitInsn(LRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "ignore", "(" + itself + ")V", null, null);
        m.visitCode();
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "calls ()", "()J", null, null);
        m.visitCode();
        m.visitMethodInsn(INVOKESTATIC, name, "make", "()" + itself, false);
        m.visitVarInsn(ASTORE, 0);
        for (boolean byInterface : new boolean[] {false, true}) {
            m.visitVarInsn(ALOAD, 0);
            m.visitLdcInsn(7L);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ICONST_1);
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(byInterface ? INVOKEINTERFACE : INVOKEVIRTUAL, byInterface ? contract : name, "either",
                              "(J" + itself + "I" + itself + ")" + itself, byInterface);
            m.visitVarInsn(ASTORE, 0);
        }
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKESTATIC, name, "ignore", "(" + itself + ")V", false);
        m.visitVarInsn(ALOAD, 0);
        m.visitLdcInsn(40L);
        m.visitInsn(ACONST_NULL);
        m.visitLdcInsn(2.0);
        m.visitMethodInsn(INVOKESTATIC, name, "sum", "(" + itself + "J[[" + itself + "D)J", false);
        m.visitInsn(LRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "null receiver", "()J", null, null);
        m.visitCode();
        m.visitMethodInsn(INVOKESTATIC, name, "make", "()" + itself, false);
        m.visitInsn(LCONST_0);
        m.visitInsn(ACONST_NULL);
        m.visitInsn(ICONST_0);
        m.visitInsn(ACONST_NULL);
        m.visitMethodInsn(INVOKEVIRTUAL, name, "either", "(J" + itself + "I" + itself + ")" + itself, false);
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "hashCode", "()I", false);
        m.visitInsn(I2L);
        m.visitInsn(LRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "no such method", "()J", null, null);
        m.visitCode();
        m.visitInsn(ACONST_NULL);
        m.visitMethodInsn(INVOKESTATIC, name, "absent", "(" + itself + ")" + itself, false);
        m.visitInsn(POP);
        m.visitInsn(LCONST_0);
        m.visitInsn(LRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();

        if (version >= V1_8) {
            m = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "lambda", "()J", null, null);
            m.visitCode();
            m.visitMethodInsn(INVOKESTATIC, name, "make", "()" + itself, false);
            m.visitVarInsn(ASTORE, 0);
            m.visitVarInsn(ALOAD, 0);
            String metafactory = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;"
                + "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";
            m.visitInvokeDynamicInsn("either", "(" + itself + ")L" + contract + ";",
                new Handle(H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "metafactory", metafactory, false),
                Type.getMethodType("(J" + itself + "I" + itself + ")" + itself),
                new Handle(H_INVOKEVIRTUAL, name, "either", "(J" + itself + "I" + itself + ")" + itself, false),
                Type.getMethodType("(J" + itself + "I" + itself + ")" + itself));
            m.visitLdcInsn(7L);
            m.visitInsn(ACONST_NULL);
            m.visitInsn(ICONST_1);
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEINTERFACE, contract, "either", "(J" + itself + "I" + itself + ")" + itself, true);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "hashCode", "()I", false);
            m.visitInsn(POP);
            String concat = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)"
                + "Ljava/lang/invoke/CallSite;";
            m.visitInsn(ACONST_NULL);
            m.visitTypeInsn(CHECKCAST, name);
            m.visitLdcInsn(5L);
            m.visitInvokeDynamicInsn("make", "(" + itself + "J)Ljava/lang/String;",
                    new Handle(H_INVOKESTATIC, "java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
                            concat, false),
                    "\1+\1");
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(I2L);
            m.visitInsn(LRETURN);
            m.visitMaxs(0, 0);
            m.visitEnd();
        }
        writer.visitEnd();
        return loader.define(writer.toByteArray());
    }

    static void run(String what, Method method) throws Exception {
        try {
            long result = 0;
            for (int i = 0; i < 2000; i++) result = (long) method.invoke(null);
            System.out.println(what + ": " + result);
        } catch (InvocationTargetException e) {
            System.out.println(what + ": " + e.getCause() + " at " + e.getCause().getStackTrace()[0]);
        }
    }

    public static void main(String[] args) throws Throwable {
        for (int version : new int[] {V1_5, V1_7, V17}) {
            for (String name : NAMES) {
                System.out.println("--- " + name + ", version " + version);
                Class<?> klass = define(new Loader(), name, version);
                Method[] methods = klass.getDeclaredMethods();
                Arrays.sort(methods, Comparator.comparing(Method::getName));
                for (Method method : methods) {
                    System.out.println(method);
                    if (method.getParameterCount() == 0
                            && method.getReturnType() == long.class && !method.getName().equals("lambda")) {
                        run(method.getName(), method);
                    }
                }
                Object object = klass.getMethod("make").invoke(null);
                System.out.println(
                        klass.getMethod("sum", klass, long.class, klass.arrayType().arrayType(), double.class)
                                .invoke(null, object, 1L, null, 3.0));
                MethodType type = MethodType.methodType(klass, long.class, klass, int.class, klass);
                System.out.println(type.toMethodDescriptorString());
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(klass, MethodHandles.lookup());
                MethodHandle either = lookup.findVirtual(klass, "either", type);
                System.out.println(either.invoke(object, 1L, object, 2, object) == object);
                System.out.println(lookup.findStatic(klass, "ignore", MethodType.methodType(void.class, klass)).type());
            }
        }
        // The method `lambda` has two call sites that the VM links: a lambda, and a string concatenation.
        for (String name : new String[] {"a)b", "V)V", "(", "adds (two) numbers"})
            run("lambda in " + name, define(new Loader(), name, V17).getMethod("lambda"));
    }
}
