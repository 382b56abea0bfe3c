// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.classfile reads a class of the program: methods, attributes, instructions, a record's components; and
// transforms it.
// since: 25
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.TreeMap;

public class ClassFileRead {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes;
        try (InputStream in = ClassFileRead.class.getResourceAsStream("ClassFileSample.class")) {
            bytes = in.readAllBytes();
        }
        ClassModel model = ClassFile.of().parse(bytes);
        System.out.println(model.thisClass().asInternalName() + " " + model.majorVersion() + " "
            + model.superclass().get().asInternalName());
        for (MethodModel method : model.methods())
            System.out.println(method.methodName().stringValue() + method.methodType().stringValue() + " "
                + method.flags().flags()
                               + " " + method.code().map(code -> code.elementList().size() > 2).orElse(false));
        model.findAttribute(Attributes.record()).get().components()
            .forEach(c -> System.out.println(c.name().stringValue() + ":" + c.descriptor().stringValue()));
        TreeMap<String, Integer> opcodes = new TreeMap<>();
        for (MethodModel method : model.methods())
            for (CodeElement element : method.code().get())
                if (element instanceof InvokeInstruction call) opcodes.merge(call.opcode() + " "
                    + call.name().stringValue(), 1, Integer::sum);
        System.out.println(opcodes);
        byte[] changed = ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("twice"), CodeTransform.ofStateful(() -> (builder, element) -> {
                if (element instanceof ConstantInstruction constant && constant.constantValue() instanceof Integer i
                    && i == 1000) builder.loadConstant(7);
                else builder.with(element);
            })));
        Class<?> type = new Loader().define(changed);
        var constructor = type.getDeclaredConstructor(int.class, String.class);
        constructor.setAccessible(true);
        var twice = type.getDeclaredMethod("twice");
        twice.setAccessible(true);
        System.out.println(twice.invoke(constructor.newInstance(5, "x")) + " " + constructor.newInstance(6, "y"));
        System.out.println(model.attributes().stream().map(a -> a.attributeName().stringValue()).sorted().toList());
    }
}

record ClassFileSample(int number, String text) {
    int twice() {
        return number * 2 + 1000;
    }

    static String greeting() {
        return "hello".toUpperCase();
    }
}
