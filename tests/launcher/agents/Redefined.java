// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A redefined method, seen by calls of all kinds, compiled callers that have inlined it, reflection, method handles,
// and frames that run the old body.
import java.lang.instrument.ClassDefinition;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class Redefined {
    static byte[] first, second;

    static void redefine(byte[] file) {
        try {
            Refused.instrumentation.redefineClasses(new ClassDefinition(Subject.class, file));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static final Subject subject = new Subject();
    static final Subject.Below below = new Subject.Below();
    static final SubjectFace face = subject;
    static final Callable<String> callable = subject;
    static Method reflected, privateMethod, faceMethod;
    static MethodHandle handle, staticHandle;
    static Supplier<String> reference = subject::locked;
    static IntSupplier lambdaBefore;

    static void show(String when) throws Throwable {
        System.out.println(when);
        System.out.println(" " + subject.getter() + " " + Subject.constant() + " " + Subject.small(1));
        System.out.println(
                " " + subject.inherited() + ", " + below.inherited() + ", " + face.both() + ", " + callable.call());
        System.out.println(
                " " + reflected.invoke(subject) + " " + privateMethod.invoke(subject) + " " + faceMethod.invoke(below));
        System.out.println(" " + (int) handle.invokeExact(subject) + " " + (String) staticHandle.invoke(3, "x") + " "
                + reference.get() + " " + Subject.lockedStatic());
        System.out.println(" " + lambdaBefore.getAsInt() + " " + subject.lambda(1).getAsInt() + " "
                + new Subject().field + " " + Subject.initialized);
        System.out.println(" " + Subject.nothingThere(null));
        System.out.println(" " + Subject.class.getAnnotation(SubjectMark.class).value() + " "
                + Subject.class.getMethod("face").getAnnotation(SubjectMark.class).value());
        try {
            Subject.failing(0);
        } catch (ArithmeticException e) {
            System.out.println(" line " + e.getStackTrace()[0].getLineNumber());
        }
    }

    // The compiler inlines the small methods that this method calls, and compiles its caller, too.
    static long hot(int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) sum += subject.getter() + Subject.constant() + Subject.small(i);
        return sum;
    }

    static long hotAround(int rounds, Runnable inside) {
        long sum = hot(rounds);
        sum = sum * 31 + within(rounds, inside);
        return sum * 31 + subject.getter() + Subject.constant();
    }

    static long within(int rounds, Runnable inside) {
        long before = subject.getter() * 10L + Subject.constant();
        for (int i = 0; i <= rounds; i++) if (i == rounds) inside.run();
        return before * 100000 + subject.getter() * 10L + Subject.constant();
    }

    public static void main(String[] arguments) throws Throwable {
        first = Files.readAllBytes(Path.of("classes/Subject.class"));
        second = Files.readAllBytes(Path.of("variants/second/Subject.class"));
        reflected = Subject.class.getDeclaredMethod("getter");
        privateMethod = Subject.class.getDeclaredMethod("privately");
        privateMethod.setAccessible(true);
        faceMethod = Subject.class.getMethod("face");
        handle = MethodHandles.lookup().findVirtual(Subject.class, "getter", MethodType.methodType(int.class));
        staticHandle = MethodHandles.lookup().findStatic(
                Subject.class, "concatenated", MethodType.methodType(String.class, int.class, String.class));
        lambdaBefore = subject.lambda(5);
        for (int i = 0; i < 40; i++) reflected.invoke(subject);

        ArithmeticException before = null;
        try {
            Subject.failing(0);
        } catch (ArithmeticException e) {
            before = e;
        }
        show("before");
        System.out.println(hot(100000));
        redefine(second);
        show("after");
        System.out.println(hot(100000));
        System.out.println("thrown before, at line " + before.getStackTrace()[0].getLineNumber());
        redefine(first);
        show("back");

        System.out.println("while it runs: " + Subject.running(3, () -> redefine(second)));
        System.out.println("then: " + Subject.running(3, () -> redefine(first)));
        System.out.println("then: " + Subject.running(0, () -> { }));
        for (int i = 0; i < 3; i++) {
            System.out.println("loop " + Subject.loop(100000, () -> redefine(second)) + " "
                    + Subject.loop(100000, () -> redefine(first)) + " " + Subject.loop(10, () -> System.gc()));
            System.out.println("around " + hotAround(3000, () -> {}) + " " + hotAround(3000, () -> redefine(second))
                    + " " + hotAround(3000, () -> redefine(first)));
        }

        // Callers in other threads see first one body, then the other, but never a mixture.
        AtomicBoolean stop = new AtomicBoolean();
        AtomicBoolean wrong = new AtomicBoolean();
        Thread[] callers = new Thread[3];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = new Thread(() -> {
                while (!stop.get()) {
                    int small = Subject.small(10), getter = subject.getter();
                    if (small != 11 && small != 12 || getter != 1 && getter != 1001) wrong.set(true);
                    if (!Subject.nested(2).matches("(first|second)\\((first|second)\\((first|second)\\)\\)"))
                        wrong.set(true);
                }
            });
            callers[i].start();
        }
        for (int i = 0; i < 40; i++) {
            redefine(i % 2 == 0 ? second : first);
            if (i % 8 == 0) System.gc();
        }
        stop.set(true);
        for (Thread each : callers) each.join();
        System.out.println("wrong: " + wrong);
        show("at the end");
    }
}
