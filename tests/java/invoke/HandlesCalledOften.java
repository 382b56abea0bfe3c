// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct method handles that are called so often that Keyhole calls them by generated code: results, null receivers,
// exceptions and stack traces, before and after that code exists.
// stress: no
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntUnaryOperator;

public class HandlesCalledOften {
    interface Shape { double area(); default String label(String prefix) { return prefix + area(); } }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Named(String name) implements Shape {
        public double area() { return name.length(); }
        public String label(String prefix) { return prefix + name; }
    }
    static class Base {
        private final int number;
        Base(int number) { this.number = number; }
        private int secret(byte b, short s, char c, long l, float f, double d, boolean z, Integer boxed) {
            return number + b + s + c + (int) l + (int) f + (int) d + (z ? 1 : 0) + boxed;
        }
        void nothing() { calls++; }
        int over() { return 1; }
        static void fails(int at) { if (at % 400 == 399) throw new IllegalStateException("at " + at); }
    }
    static class Derived extends Base {
        Derived(int number) { super(number); }
        @Override int over() { return 2; }
        int superOver() throws Throwable { return (int) SUPER.invokeExact(this); }
        static final MethodHandle SUPER;
        static {
            try {
                SUPER = MethodHandles.lookup().findSpecial(Base.class, "over", INT, Derived.class);
            } catch (ReflectiveOperationException failure) {
                throw new ExceptionInInitializerError(failure);
            }
        }
    }
    static abstract class Abstract { Abstract() {} }
    static class Late {
        static { System.out.println("Late is initialised"); }
        static int value = 3;
        static int value() { return value; }
    }

    static final MethodType INT = MethodType.methodType(int.class);
    static int calls;

    static long round(MethodHandle[] handles, int i) throws Throwable {
        Base base = (Base) handles[0].invokeExact(i);
        long sum = (int) handles[1].invokeExact(base, (byte) i, (short) i, (char) i, (long) i, 1f, 2.0,
                true, (Integer) 5);
        handles[2].invokeExact(base);
        Shape shape = i % 3 == 0 ? new Square(i) : new Named("n" + i);
        sum += (long) (double) handles[3].invokeExact(shape);
        sum += ((String) handles[4].invokeExact(shape, "p")).length();
        sum += ((String) handles[4].invoke((Object) shape, (Object) null)).length();
        sum += ((String[]) handles[5].invoke("a", "b", i + "")).length;
        sum += (int) handles[6].invokeExact();
        sum += new Derived(i).superOver();
        sum += (int) handles[7].bindTo(base).invokeExact();
        return sum;
    }

    static void shown(int i, Throwable failure) {
        System.out.println("round " + i + ": " + failure);
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (frame.getClassName().startsWith("HandlesCalledOften")) System.out.println("    " + frame);
        }
    }

    static String[] strings(String... all) { return all; }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle[] handles = {
            lookup.findConstructor(Base.class, MethodType.methodType(void.class, int.class)),
            lookup.findVirtual(Base.class, "secret", MethodType.methodType(int.class, byte.class, short.class,
                    char.class, long.class, float.class, double.class, boolean.class, Integer.class)),
            lookup.findVirtual(Base.class, "nothing", MethodType.methodType(void.class)),
            lookup.findVirtual(Shape.class, "area", MethodType.methodType(double.class)),
            lookup.findVirtual(Shape.class, "label", MethodType.methodType(String.class, String.class)),
            lookup.findStatic(HandlesCalledOften.class, "strings",
                    MethodType.methodType(String[].class, String[].class)),
            lookup.findStatic(Late.class, "value", INT),
            lookup.findVirtual(Base.class, "over", INT),
        };
        MethodHandle fails = lookup.findStatic(Base.class, "fails", MethodType.methodType(void.class, int.class));
        MethodHandle made = lookup.findConstructor(Abstract.class, MethodType.methodType(void.class));
        IntUnaryOperator operator = i -> i + 1;
        MethodHandle applied = lookup.bind(operator, "applyAsInt", MethodType.methodType(int.class, int.class));
        long sum = 0;
        for (int i = 0; i < 4000; i++) {
            sum += round(handles, i) + (int) applied.invokeExact(i);
            try {
                fails.invokeExact(i);
            } catch (IllegalStateException failure) {
                shown(i, failure);
            }
            if (i % 1000 == 1) {
                try {
                    handles[2].invokeExact((Base) null);
                } catch (NullPointerException failure) {
                    shown(i, failure);
                }
                try {
                    sum += (long) (double) handles[3].invokeExact((Shape) null);
                } catch (NullPointerException failure) {
                    shown(i, new NullPointerException());   // later libraries have a message
                }
                try {
                    sum += ((String) handles[4].invoke((Object) "no shape", "p")).length();
                } catch (ClassCastException failure) {
                    shown(i, failure);
                }
            }
            try {
                Abstract none = (Abstract) made.invokeExact();
            } catch (InstantiationException failure) {
                if (i % 1000 == 1) System.out.println(failure.getClass());
            }
        }
        System.out.println(sum + " " + calls);
        MethodHandle none = arguments.length == 0 ? null : fails;
        try {
            none.invokeExact(1);
        } catch (NullPointerException failure) {
            shown(0, failure);
        }
    }
}
