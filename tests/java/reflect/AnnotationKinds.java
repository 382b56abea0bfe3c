// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations: defaults, arrays, nested, inherited, repeated, on parameters and types; equality and text.
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;

public class AnnotationKinds {
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface Config {
        String name() default "d";
        int[] numbers() default {1, 2};
        Class<?> type() default Object.class;
        Level level() default Level.LOW;
        Inner inner() default @Inner(3);
        double d() default 1e10;
        char c() default '\n';
        long l() default 5;
        byte b() default - 1;
        boolean z() default true;
        float f() default 1.5f;
    }
    @Retention(RetentionPolicy.RUNTIME) @interface Inner { int value(); }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Tags.class) @interface Tag { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Tags { Tag[] value(); }
    @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface Use { String value() default ""; }
    @Retention(RetentionPolicy.CLASS) @interface Invisible {}
    enum Level { LOW, HIGH }
    @Config(name = "q\"\u00e9", numbers = {}, level = Level.HIGH) @Tag("a") @Tag("b") @Invisible static class Base {}
    static class Derived extends Base {
        @Deprecated(since = "5") @Use("t") String field;
        void m(@Tag("p") int x, @Inner(9) @Tag("q") String y) throws @Use("e") Exception {}
    }
    public static void main(String[] args) throws Exception {
        Config c = Derived.class.getAnnotation(Config.class);
        // Sorts the members. Without a class data sharing archive, HotSpot prints the members in another order, and a
        // fetched library 21 has no such archive.
        String[] members = c.toString().replaceAll("\\)$", "").split("[(,]", 2)[1].split(", (?=\\w+=)");
        Arrays.sort(members);
        System.out.println(c.toString().split("[(]")[0] + String.join(", ", members));
        System.out.println(c.inner().value() + " " + c.numbers().length + " " + c.type() + " " + c.annotationType()
                + " " + c.equals(Base.class.getAnnotation(Config.class)) + " "
                + (c.hashCode() == Base.class.getAnnotation(Config.class).hashCode()));
        System.out.println(Arrays.toString(Base.class.getAnnotationsByType(Tag.class)) + " "
                + Base.class.getAnnotation(Tag.class) + " " + Derived.class.getDeclaredAnnotations().length + " "
                + Base.class.isAnnotationPresent(Invisible.class));
        System.out.println(Arrays.deepToString(
                Derived.class.getDeclaredMethod("m", int.class, String.class).getParameterAnnotations()));
        System.out.println(Derived.class.getDeclaredField("field").getAnnotation(Deprecated.class) + " "
                + Derived.class.getDeclaredField("field").getAnnotatedType() + " "
                + Arrays.toString(
                        Derived.class.getDeclaredMethod("m", int.class, String.class).getAnnotatedExceptionTypes()));
        System.out.println(Config.class.getMethod("numbers").getDefaultValue().getClass() + " "
                + Arrays.stream(Config.class.getDeclaredMethods()).map(m -> m.getName()).sorted().toList());
    }
}
