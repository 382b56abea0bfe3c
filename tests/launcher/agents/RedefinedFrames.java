// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled frames have inlined a method, which is redefined while they wait for a call. Whether the call returns or
// throws, the frames see the new body afterwards. Redefined classes can be unloaded, too.
import java.lang.instrument.ClassDefinition;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

public class RedefinedFrames {
    static byte[] first, second;
    static final Subject subject = new Subject();

    static void redefine(byte[] file) {
        try {
            Refused.instrumentation.redefineClasses(new ClassDefinition(Subject.class, file));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static int ints(IntSupplier call, int a, int b) {
        return subject.getter() * 1000000 + a + call.getAsInt() * b + subject.getter() + Subject.small(a);
    }

    static long longs(LongSupplier call, long a, int b) {
        return subject.getter() * 1000000L + (a << 33) + call.getAsLong() * b + subject.getter();
    }

    static double doubles(DoubleSupplier call, double a, float b) {
        return subject.getter() * 1000000.0 + a / 3 + call.getAsDouble() * b + subject.getter();
    }

    static String objects(Supplier<String> call, String a) {
        return a + subject.getter() + call.get() + subject.getter() + a;
    }

    static int caughtHere(Runnable call) {
        int before = subject.getter();
        try {
            call.run();
            return before + subject.getter();
        } catch (IllegalStateException e) {
            return before * 10000 + subject.getter();
        } finally {
            before = Subject.constant();
        }
    }

    static int passedOn(Runnable call) {
        synchronized (subject) {
            call.run();
        }
        return subject.getter();
    }

    static synchronized int caughtAbove(Runnable call) {
        int before = subject.getter();
        try {
            return passedOn(call);
        } catch (IllegalStateException e) {
            return before * 10000 + subject.getter() + (Thread.holdsLock(subject) ? 1 : 0);
        }
    }

    static int deep(int depth, Runnable call) {
        int own = subject.getter();
        if (depth == 0) call.run();
        else own += deep(depth - 1, call) % 1000003;
        return own + subject.getter() + Subject.constant();
    }

    static int privileged(Runnable call) {
        int own = subject.getter();
        AccessController.doPrivileged((PrivilegedAction<Void>) () -> {
            call.run();
            return null;
        });
        return own * 10000 + subject.getter();
    }

    static void fail(byte[] file) {
        redefine(file);
        throw new IllegalStateException();
    }

    static void round(String name) throws Exception {
        StringBuilder text = new StringBuilder(name);
        text.append(' ')
                .append(ints(
                        ()
                                -> {
                            redefine(second);
                            return 7;
                        },
                        3, 5))
                .append(' ')
                .append(ints(() -> {
                    redefine(first);
                    return 8;
                }, 3, 5));
        text.append(' ')
                .append(longs(
                        ()
                                -> {
                            redefine(second);
                            return 1L << 40;
                        },
                        3, 5))
                .append(' ')
                .append(longs(() -> {
                    redefine(first);
                    return -1;
                }, 3, 5));
        text.append(' ')
                .append(doubles(
                        ()
                                -> {
                            redefine(second);
                            return 0.5;
                        },
                        3, 5))
                .append(' ')
                .append(doubles(() -> {
                    redefine(first);
                    return 1e10;
                }, 3, 5));
        text.append(' ')
                .append(objects(
                        ()
                                -> {
                            redefine(second);
                            System.gc();
                            return "x";
                        },
                        "a"))
                .append(' ')
                .append(objects(() -> {
                    redefine(first);
                    return "y";
                }, "b"));
        text.append(' ').append(caughtHere(() -> fail(second))).append(' ').append(caughtHere(() -> redefine(first)));
        text.append(' ').append(caughtAbove(() -> fail(second))).append(' ').append(caughtAbove(() -> redefine(first)));
        text.append(' ').append(deep(200, () -> redefine(second))).append(' ').append(deep(200, () -> redefine(first)));
        text.append(' ')
                .append(privileged(() -> redefine(second)))
                .append(' ')
                .append(privileged(() -> redefine(first)));
        System.out.println(text);
    }

    // One thread waits in a compiled frame while another thread redefines the method.
    static int waiting(Object monitor, boolean[] states) {
        int own = subject.getter();
        synchronized (monitor) {
            states[0] = true;
            monitor.notifyAll();
            while (!states[1]) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    return -1;
                }
            }
        }
        return own * 10000 + subject.getter();
    }

    static class OfLoader extends ClassLoader {
        OfLoader() {
            super(RedefinedFrames.class.getClassLoader());
        }

        Class<?> define(byte[] file) {
            return defineClass("Subject", file, 0, file.length);
        }
    }

    static WeakReference<Class<?>> redefinedAndDropped() throws Exception {
        Class<?> type = new OfLoader().define(first);
        Runnable lambda = () -> { };
        var method = type.getDeclaredMethod("concatenated", int.class, String.class);
        method.setAccessible(true);
        String text = "";
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 300; k++) text = (String) method.invoke(null, i, "x");
            Refused.instrumentation.redefineClasses(new ClassDefinition(type, i % 2 == 0 ? second : first));
        }
        if (!text.equals("second 5x")) System.out.println("wrong: " + text);
        return new WeakReference<>(type);
    }

    public static void main(String[] arguments) throws Exception {
        first = Files.readAllBytes(Path.of("classes/Subject.class"));
        second = Files.readAllBytes(Path.of("variants/second/Subject.class"));
        for (int i = 0; i < 3000; i++) {
            ints(() -> 1, i, i);
            longs(() -> 1, i, i);
            doubles(() -> 1, i, i);
            objects(() -> "z", "c");
            caughtHere(() -> { });
            caughtAbove(() -> { });
            deep(5, () -> { });
            privileged(() -> { });
        }
        for (int i = 0; i < 3; i++) round("round " + i);
        for (int i = 0; i < 400; i++) {
            ints(() -> 1, i, i);
            caughtHere(() -> { });
        }
        round("later");

        Object monitor = new Object();
        for (int i = 0; i < 4; i++) {
            boolean[] states = new boolean[2];
            int[] result = new int[1];
            Thread waiter = new Thread(() -> {
                for (int k = 0; k < 500; k++) waiting(monitor, new boolean[] {false, true});
                states[0] = false;
                result[0] = waiting(monitor, states);
            });
            waiter.start();
            synchronized (monitor) {
                while (!states[0]) monitor.wait();
            }
            redefine(i % 2 == 0 ? second : first);
            synchronized (monitor) {
                states[1] = true;
                monitor.notifyAll();
            }
            waiter.join();
            System.out.println("waited " + result[0]);
        }

        WeakReference<?>[] dropped = new WeakReference<?>[5];
        for (int i = 0; i < dropped.length; i++) dropped[i] = redefinedAndDropped();
        int left = dropped.length;
        for (int i = 0; i < 50 && left > 0; i++) {
            System.gc();
            left = 0;
            for (WeakReference<?> each : dropped) if (each.get() != null) left++;
            Thread.sleep(10);
        }
        System.out.println("left: " + left);
        round("at the end");
    }
}
