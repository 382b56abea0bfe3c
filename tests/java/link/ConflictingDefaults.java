// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that inherit two default methods with one signature: the outcome of each instruction, of a handle and of
// reflection, cold and hot.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 17
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Function;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;
import static jdk.internal.org.objectweb.asm.Opcodes.*;

public class ConflictingDefaults {
    static final String OBJECT = "java/lang/Object";
    static final String STRING_RESULT = "()Ljava/lang/String;";

    static class Loader extends ClassLoader {
        Loader() { super("conflicts", ConflictingDefaults.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }
    static final Loader loader = new Loader();

    // Defines a class or interface. Its method m() has the flags `methodAccess`, and returns the name of the type. If
    // `methodAccess` is -1, the type has no m().
    static Class<?> define(int access, String name, String superclass, int methodAccess, String... interfaces)
            throws Exception {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(V11, access, name, null, superclass, interfaces);
        if ((access & ACC_INTERFACE) == 0) {
            MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
            init.visitCode();
            init.visitVarInsn(ALOAD, 0);
            init.visitMethodInsn(INVOKESPECIAL, superclass, "<init>", "()V", false);
            init.visitInsn(RETURN);
            init.visitMaxs(1, 1);
            init.visitEnd();
            // Adds a method that calls super.m(), whether the superclass has such a method or not.
            MethodVisitor up = writer.visitMethod(ACC_PUBLIC, "up", STRING_RESULT, null, null);
            up.visitCode();
            up.visitVarInsn(ALOAD, 0);
            up.visitMethodInsn(INVOKESPECIAL, superclass, "m", STRING_RESULT, false);
            up.visitInsn(ARETURN);
            up.visitMaxs(1, 1);
            up.visitEnd();
        }
        if (methodAccess >= 0) {
            MethodVisitor m = writer.visitMethod(methodAccess, "m", STRING_RESULT, null, null);
            if ((methodAccess & ACC_ABSTRACT) == 0) {
                m.visitCode();
                m.visitLdcInsn(name);
                m.visitInsn(ARETURN);
                m.visitMaxs(1, 1);
            }
            m.visitEnd();
        }
        writer.visitEnd();
        return loader.define(writer.toByteArray());
    }
    static Class<?> type(String name, int methodAccess, String... interfaces) throws Exception {
        return define(ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, name, OBJECT, methodAccess, interfaces);
    }
    static Class<?> klass(String name, String superclass, int methodAccess, String... interfaces) throws Exception {
        return define(ACC_PUBLIC | ACC_SUPER, name, superclass, methodAccess, interfaces);
    }
    static Class<?> abstractClass(String name, String superclass, int methodAccess, String... interfaces)
            throws Exception {
        return define(ACC_PUBLIC | ACC_SUPER | ACC_ABSTRACT, name, superclass, methodAccess, interfaces);
    }

    static int callers;

    // Makes a function that calls `method` of `owner` on its argument. Each such function has its own call site.
    @SuppressWarnings("unchecked")
    static Function<Object, String> caller(int opcode, String owner, String method) throws Exception {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String name = "Caller" + callers++;
        writer.visit(V11, ACC_PUBLIC, name, null, OBJECT, new String[] {"java/util/function/Function"});
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
        MethodVisitor apply =
                writer.visitMethod(ACC_PUBLIC, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", null, null);
        apply.visitCode();
        apply.visitVarInsn(ALOAD, 1);
        apply.visitTypeInsn(CHECKCAST, owner);
        if (opcode == INVOKEDYNAMIC) {   // owner::method
            String metafactory = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;"
                + "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";
            apply.visitInvokeDynamicInsn("get", "(L" + owner + ";)Ljava/util/function/Supplier;",
                    new Handle(H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "metafactory", metafactory, false),
                    Type.getMethodType("()Ljava/lang/Object;"),
                    new Handle(H_INVOKEVIRTUAL, owner, method, STRING_RESULT, false),
                    Type.getMethodType(STRING_RESULT));
            apply.visitMethodInsn(INVOKEINTERFACE, "java/util/function/Supplier", "get", "()Ljava/lang/Object;", true);
        } else {
            apply.visitMethodInsn(opcode, owner, method, STRING_RESULT, opcode == INVOKEINTERFACE);
        }
        apply.visitInsn(ARETURN);
        apply.visitMaxs(0, 0);
        apply.visitEnd();
        writer.visitEnd();
        return (Function<Object, String>) loader.define(writer.toByteArray()).getConstructor().newInstance();
    }

    interface Call { Object run() throws Throwable; }

    static String outcome(Call call) {
        try {
            return String.valueOf(call.run());
        } catch (InvocationTargetException e) {
            return "thrown: " + e.getCause();
        } catch (Throwable e) {
            return e.toString();
        }
    }

    static void print(String what, Call call) {
        System.out.println(what + ": " + outcome(call));
    }

    // Passes the receivers, in this order, to one call site. A call site of invokevirtual gets the receivers many
    // times, so that it is compiled with its profile. A call site of invokeinterface gets the receivers once, because
    // code that HotSpot compiles for an invokeinterface no longer throws AbstractMethodError.
    static void site(int opcode, String owner, String method, Object... receivers) throws Exception {
        Function<Object, String> caller = caller(opcode, owner, method);
        String kind = opcode == INVOKEVIRTUAL ? "invokevirtual "
                : opcode == INVOKEINTERFACE   ? "invokeinterface "
                                              : "reference ";
        for (Object receiver : receivers) {
            print(kind + owner + "." + method + " on " + receiver.getClass().getName(), () -> caller.apply(receiver));
        }
        if (opcode != INVOKEVIRTUAL) return;
        String[] first = new String[receivers.length];
        for (int i = 0; i < 3000; i++) {
            for (int k = 0; k < receivers.length; k++) {
                Object receiver = receivers[k];
                String now = outcome(() -> caller.apply(receiver));
                if (first[k] == null) first[k] = now;
                else if (!first[k].equals(now)) throw new AssertionError(first[k] + " became " + now + " after " + i);
            }
        }
    }

    static Object make(Class<?> klass) throws Exception { return klass.getConstructor().newInstance(); }

    public static void main(String[] args) throws Exception {
        type("A", ACC_PUBLIC);
        type("B", ACC_PUBLIC);
        type("Abstract", ACC_PUBLIC | ACC_ABSTRACT);
        type("Under", -1, "A", "B");
        type("UnderA", -1, "A");
        type("Own", ACC_PUBLIC, "A", "B");

        Class<?> bothClass = klass("Both", OBJECT, -1, "A", "B");
        Object both = make(bothClass);
        Object swapped = make(klass("Swapped", OBJECT, -1, "B", "A"));
        Object sub = make(klass("Sub", "Both", -1));
        Object fixed = make(klass("Fixed", "Both", ACC_PUBLIC));
        Object again = make(klass("Again", "Fixed", -1, "A", "B"));
        Object nested = make(klass("Nested", OBJECT, -1, "UnderA", "B"));
        Object under = make(klass("UnderBoth", OBJECT, -1, "Under"));
        Object own = make(klass("OwnWins", OBJECT, -1, "A", "Own", "B"));
        Object three = make(klass("Three", OBJECT, -1, "Abstract", "A", "B"));
        Object mixed = make(klass("Mixed", OBJECT, -1, "Abstract", "A"));
        abstractClass("Declares", OBJECT, ACC_PUBLIC | ACC_ABSTRACT);
        Object declared = make(klass("Declared", "Declares", -1, "A", "B"));
        Object onlyA = make(klass("OnlyA", OBJECT, -1, "A"));
        Object addsB = make(klass("AddsB", "OnlyA", -1, "B"));
        Object underAddsB = make(klass("UnderAddsB", "AddsB", -1));
        abstractClass("AbstractA", OBJECT, -1, "A");
        Object completes = make(klass("Completes", "AbstractA", -1, "B"));
        Object resolves = make(klass("Resolves", "AbstractA", -1, "Own"));
        abstractClass("AbstractBoth", OBJECT, -1, "A", "B");
        Object concrete = make(klass("Concrete", "AbstractBoth", -1));
        Object concreteOwn = make(klass("ConcreteOwn", "AbstractBoth", -1, "Own"));
        Object hasStatic = make(klass("HasStatic", "AbstractBoth", ACC_PUBLIC | ACC_STATIC));
        Object hasPrivate = make(klass("HasPrivate", "AbstractBoth", ACC_PRIVATE));

        site(INVOKEVIRTUAL, "Both", "m", both);
        site(INVOKEVIRTUAL, "Both", "m", both, sub, fixed, again);
        site(INVOKEVIRTUAL, "Both", "m", fixed, both, sub);
        site(INVOKEVIRTUAL, "Both", "m", fixed, again);
        site(INVOKEVIRTUAL, "Sub", "m", sub);
        site(INVOKEVIRTUAL, "Fixed", "m", fixed, again);
        site(INVOKEVIRTUAL, "Swapped", "m", swapped);
        site(INVOKEVIRTUAL, "Nested", "m", nested);
        site(INVOKEVIRTUAL, "UnderBoth", "m", under);
        site(INVOKEVIRTUAL, "OwnWins", "m", own);
        site(INVOKEVIRTUAL, "Three", "m", three);
        site(INVOKEVIRTUAL, "Mixed", "m", mixed);
        site(INVOKEVIRTUAL, "Declared", "m", declared);
        site(INVOKEVIRTUAL, "Declares", "m", declared);
        site(INVOKEVIRTUAL, "OnlyA", "m", onlyA, addsB, underAddsB);
        site(INVOKEVIRTUAL, "OnlyA", "m", addsB);
        site(INVOKEVIRTUAL, "AddsB", "m", addsB, underAddsB);
        site(INVOKEVIRTUAL, "AbstractA", "m", completes, resolves);
        site(INVOKEVIRTUAL, "AbstractA", "m", resolves);
        site(INVOKEVIRTUAL, "AbstractBoth", "m", concrete, concreteOwn, hasStatic, hasPrivate);
        site(INVOKEVIRTUAL, "AbstractBoth", "m", hasPrivate);

        site(INVOKEINTERFACE, "A", "m", both, sub, fixed, again, swapped, nested, under, own, three, mixed, onlyA,
                addsB, underAddsB);
        site(INVOKEINTERFACE, "A", "m", declared);
        site(INVOKEINTERFACE, "A", "m", completes, resolves, concrete, concreteOwn, hasStatic, hasPrivate);
        site(INVOKEINTERFACE, "B", "m", both, addsB, own);
        site(INVOKEINTERFACE, "B", "m", own, both);
        site(INVOKEINTERFACE, "UnderA", "m", nested);
        site(INVOKEINTERFACE, "Own", "m", own);

        site(INVOKEDYNAMIC, "Both", "m", both, sub, fixed);
        site(INVOKEDYNAMIC, "OnlyA", "m", onlyA, addsB);

        // super.m()
        site(INVOKEVIRTUAL, "Sub", "up", sub);
        site(INVOKEVIRTUAL, "Fixed", "up", fixed);
        site(INVOKEVIRTUAL, "AddsB", "up", addsB, underAddsB);
        site(INVOKEVIRTUAL, "Concrete", "up", concrete);

        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(String.class);
        for (Object receiver :
                new Object[] {both, sub, fixed, swapped, three, mixed, onlyA, addsB, completes, concrete}) {
            String name = receiver.getClass().getName();
            print("handle of " + name, () -> lookup.findVirtual(receiver.getClass(), "m", type).invoke(receiver));
            print("method of " + name, () -> receiver.getClass().getMethod("m").invoke(receiver));
        }
        print("handle of Both on Sub", () -> lookup.findVirtual(bothClass, "m", type).invoke(sub));
        print("handle of OnlyA on AddsB", () -> lookup.findVirtual(onlyA.getClass(), "m", type).invoke(addsB));
        print("method of A on Both", () -> Class.forName("A", true, loader).getMethod("m").invoke(both));
        print("method of A on AddsB", () -> Class.forName("A", true, loader).getMethod("m").invoke(addsB));
    }
}
