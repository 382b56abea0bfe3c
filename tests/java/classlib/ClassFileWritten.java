// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.classfile writes a class with a field, a loop, a switch and a handler, which runs; and verifies classes.
// since: 25
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.util.List;

public class ClassFileWritten {
    static final ClassDesc INT = ConstantDescs.CD_int, STRING = ConstantDescs.CD_String;

    static void sum(CodeBuilder code) {
        Label head = code.newLabel(), end = code.newLabel();
        code.iconst_0().istore(1).labelBinding(head).iload(0).ifle(end).iload(1).iload(0).iadd().istore(1)
            .iinc(0, -1).goto_(head).labelBinding(end).iload(1).ireturn();
    }

    static void name(CodeBuilder code) {
        Label one = code.newLabel(), two = code.newLabel(), other = code.newLabel();
        code.iload(0).tableswitch(1, 2, other, List.of(SwitchCase.of(1, one), SwitchCase.of(2, two)))
            .labelBinding(one).ldc("one").areturn()
            .labelBinding(two).ldc("two").areturn()
            .labelBinding(other).ldc("other").areturn();
    }

    static void guarded(CodeBuilder code) {
        code.trying(block -> block.iload(0).iload(1).idiv().ireturn(),
                    handlers -> handlers.catching(ClassDesc.of("java.lang.ArithmeticException"),
                        handler -> handler.pop().iconst_m1().ireturn()));
    }

    public static void main(String[] arguments) throws Throwable {
        byte[] bytes = ClassFile.of().build(ClassDesc.of("Made"), builder -> builder
            .withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL)
            .withField("count", INT, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC)
            .withMethodBody("sum", MethodTypeDesc.of(INT, INT), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                ClassFileWritten::sum)
            .withMethodBody("name", MethodTypeDesc.of(STRING, INT), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                ClassFileWritten::name)
            .withMethodBody("divide", MethodTypeDesc.of(INT, INT, INT), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                ClassFileWritten::guarded)
            .withMethodBody("raise", MethodTypeDesc.of(INT), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> code
                .getstatic(ClassDesc.of("Made"), "count", INT).loadConstant(5).iadd().dup()
                .putstatic(ClassDesc.of("Made"), "count", INT).return_(TypeKind.INT)));
        System.out.println(ClassFile.of().verify(bytes));
        Class<?> made = MethodHandles.lookup().defineClass(bytes);
        System.out.println(made + " " + made.accessFlags());
        System.out.println(made.getMethod("sum", int.class).invoke(null, 100));
        for (int i = 0; i < 4; i++) System.out.println(made.getMethod("name", int.class).invoke(null, i));
        System.out.println(made.getMethod("divide", int.class, int.class).invoke(null, 7, 2) + " "
                           + made.getMethod("divide", int.class, int.class).invoke(null, 7, 0));
        System.out.println(made.getMethod("raise").invoke(null) + " " + made.getMethod("raise").invoke(null) + " "
            + made.getField("count").get(null));
        byte[] wrong = ClassFile.of().build(ClassDesc.of("Wrong"), builder -> builder
            .withMethodBody("f", MethodTypeDesc.of(INT), ClassFile.ACC_STATIC,
                code -> code.ldc("text").astore(0).iconst_0().ireturn()));
        System.out.println(ClassFile.of().verify(wrong).size());
    }
}
