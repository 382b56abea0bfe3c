// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reflection on newer features: sealed types and their subclasses, components of records, access flags, array and
// hidden classes.
// since: 21
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

public class RecordsByName {
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Marked { String value() default "none"; }

    sealed interface Shape permits Circle, Square {}
    record Circle(@Marked("r") double radius) implements Shape {}
    record Square(double... sides) implements Shape {}

    public static void main(String[] arguments) throws Exception {
        System.out.println(Shape.class.isSealed() + " " + Arrays.toString(Shape.class.getPermittedSubclasses()));
        for (RecordComponent c : Circle.class.getRecordComponents())
            System.out.println(c + " " + c.getAccessor().invoke(new Circle(2.5)) + " " + c.getAnnotation(Marked.class));
        System.out.println(Square.class.getRecordComponents()[0].getGenericType() + " "
            + Square.class.getDeclaredConstructors()[0].isVarArgs());
        System.out.println(Circle.class.accessFlags() + " " + Shape.class.accessFlags() + " "
            + int[].class.accessFlags());
        Method main = RecordsByName.class.getMethod("main", String[].class);
        System.out.println(main.accessFlags() + " " + main.accessFlags().contains(AccessFlag.STATIC));
        System.out.println(AccessFlag.maskToAccessFlags(0x1009, AccessFlag.Location.METHOD));
        try {
            AccessFlag.maskToAccessFlags(0x4000, AccessFlag.Location.METHOD);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(String.class.describeConstable().get().displayName());
        System.out.println(int[][].class.componentType() + " " + int.class.arrayType() + " "
            + String.class.descriptorString());
        Runnable lambda = () -> {};
        System.out.println(lambda.getClass().isHidden() + " " + lambda.getClass().isSynthetic() + " "
            + Circle.class.isHidden());
    }
}
