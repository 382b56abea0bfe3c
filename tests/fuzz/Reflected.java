// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has everything in a class file that reflection shows: annotations, signatures, records, sealed classes.
// not for release 8
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@Reflected.
Mark(value = "x", numbers = {1, 2}, type = String.class, kind = Reflected.Kind.B, inner = @Reflected.Inside(3))
public class Reflected<T extends Comparable<T>> {
    @Retention(RetentionPolicy.RUNTIME) @interface Inside { int value(); }
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value();
        int[] numbers();
        Class<?> type();
        Kind kind();
        Inside inner();
        double wide() default 2.5;
    }
    enum Kind { A, B }
    sealed interface Shape permits Circle, Square {}
    record Circle(double radius, @Deprecated String name) implements Shape {}
    record Square(List<? extends Number> side) implements Shape {}

    static final long LONG = 1L << 40;
    static final String TEXT = "text";
    private transient volatile Map<String, ? super T[]> map;

    <X extends Exception & Runnable> T thrower(X x, int... more) throws X, InterruptedException { throw x; }
    @Deprecated
    static synchronized final strictfp double old(
            @Mark(value = "p", numbers = {}, type = int.class, kind = Kind.A, inner = @Inside(0)) float f) {
        return f;
    }
    native void absent();

    static String area(Shape shape) { return shape instanceof Circle c ? c.name() + c.radius() : shape.toString(); }

    public static void main(String[] args) throws Exception {
        Class<?> me = Reflected.class;
        Mark mark = me.getAnnotation(Mark.class);
        System.out.println(
                mark.value() + mark.numbers().length + mark.type() + mark.kind() + mark.inner().value() + mark.wide());
        System.out.println(Stream.of(me.getDeclaredMethods())
                        .map(Method::toGenericString)
                        .sorted()
                        .collect(Collectors.joining("\n")));
        System.out.println(Stream.of(me.getDeclaredFields())
                        .map(Field::toGenericString)
                        .sorted()
                        .collect(Collectors.joining("\n")));
        System.out.println(
                me.getTypeParameters()[0].getBounds()[0] + " " + Arrays.toString(me.getDeclaredConstructors()));
        System.out.println(Stream.of(me.getDeclaredClasses()).map(Class::getSimpleName).sorted().toList() + " "
                + me.getNestHost().getSimpleName());
        Method old = me.getDeclaredMethod("old", float.class);
        System.out.println(old.isAnnotationPresent(Deprecated.class) + " " + old.getParameterAnnotations()[0].length
                + old.invoke(null, 2f));
        System.out.println(Arrays.toString(Circle.class.getRecordComponents())
                + Arrays.toString(Shape.class.getPermittedSubclasses()));
        System.out.println(area(new Circle(1, "round")) + area(new Square(List.of(1, 2)))
                + new Circle(1, "a").equals(new Circle(1, "a")) + LONG + TEXT);
        List<Circle> circles = new ArrayList<>(List.of(new Circle(2, "b"), new Circle(1, "a")));
        circles.sort(Comparator.comparing(Circle::name));
        System.out.println(circles);
        new Reflected<String>().absent();
    }
}
