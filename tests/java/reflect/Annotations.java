// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations with members of all kinds, defaults, inheritance, repetition, on parameters and
// types.
import java.lang.annotation.*;
import java.util.*;

public class Annotations {
    enum E {
        A,
        B
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        String value() default "inner";
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface All {
        int i() default 1;

        long l() default 2L;

        String s() default "s";

        Class<?> c() default String.class;

        E e() default E.B;

        Inner in() default @Inner;

        int[] arr() default {1, 2};

        String[] names() default {};

        double d() default 1.5;

        char ch() default 'c';

        boolean z() default true;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @interface Tag {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Tags {
        Tag[] value();
    }

    @All(
            i = 9,
            names = {"x", "y"},
            in = @Inner("given"))
    @Tag("one")
    @Tag("two")
    static class P {}

    static class Q extends P {
        @Deprecated int f;

        @Inner
        void m(@Tag("param") int p) {}
    }

    public static void main(String[] args) throws Exception {
        All a = Q.class.getAnnotation(All.class);
        System.out.println(
                a.i()
                        + " "
                        + a.l()
                        + a.s()
                        + a.c()
                        + a.e()
                        + a.in().value()
                        + Arrays.toString(a.arr())
                        + Arrays.toString(a.names())
                        + a.d()
                        + a.ch()
                        + a.z());
        System.out.println(
                a.equals(P.class.getAnnotation(All.class))
                        + " "
                        + a.annotationType()
                        + " "
                        + Q.class.getDeclaredAnnotations().length
                        + " "
                        + P.class.getAnnotationsByType(Tag.class).length
                        + " "
                        + P.class.getAnnotation(Tags.class));
        System.out.println(
                Arrays.toString(Q.class.getDeclaredField("f").getAnnotations())
                        + " "
                        + Q.class.getDeclaredMethod("m", int.class).getAnnotation(Inner.class)
                        + " "
                        + Arrays.deepToString(
                                Q.class.getDeclaredMethod("m", int.class).getParameterAnnotations())
                        + " "
                        + Q.class.isAnnotationPresent(Tag.class)
                        + " "
                        + All.class.getMethod("i").getDefaultValue());
    }
}
