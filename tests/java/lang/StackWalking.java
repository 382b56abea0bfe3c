// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackWalker: frames, classes, hidden frames, limits; Thread.getStackTrace and getAllStackTraces.
import java.lang.StackWalker.Option;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public class StackWalking {
    static List<String> walk(StackWalker w) {
        return w.walk(s
                -> s.map(f -> f.getClassName() + "." + f.getMethodName() + ":" + f.getLineNumber())
                        .collect(Collectors.toList()));
    }
    static class Deep {
        static <T> T down(int n, java.util.function.Supplier<T> s) { return n == 0 ? s.get() : down(n - 1, s); }
        Deep() {
            System.out.println(""
                    + StackWalker.getInstance().walk(
                            s -> s.limit(2).map(StackWalker.StackFrame::getMethodName).toList()));
        }
    }
    static Class<?> caller() { return StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass(); }
    public static void main(String[] args) throws Exception {
        System.out.println(Deep.down(3, () -> walk(StackWalker.getInstance())));
        System.out.println(caller() + " " + new Object() { Class<?> c() { return caller(); } }.c());
        new Deep();
        System.out.println(Deep.down(500, () -> StackWalker.getInstance().walk(s -> s.count())) + " "
                + Deep.down(
                        100, () -> StackWalker.getInstance().walk(s -> s.skip(50).findFirst().get().getMethodName())));
        System.out.println(""
                + StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE)
                        .walk(s
                                -> s.map(f
                                            -> f.getDeclaringClass().getSimpleName() + f.getMethodType()
                                                    + f.getByteCodeIndex() * 0 + f.isNativeMethod())
                                        .toList()));
        try {
            StackWalker.getInstance().walk(s -> s.map(StackWalker.StackFrame::getDeclaringClass).toList());
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(((List<?>) StackWalking.class.getDeclaredMethod("walk", StackWalker.class)
                                    .invoke(null, StackWalker.getInstance()))
                        .size());
        System.out.println(((List<?>) StackWalking.class.getDeclaredMethod("walk", StackWalker.class)
                                           .invoke(null, StackWalker.getInstance(Option.SHOW_REFLECT_FRAMES)))
                                   .size()
                > 2);
        StackTraceElement[] mine = Thread.currentThread().getStackTrace();
        System.out.println(mine[0] + " " + mine[1].getMethodName() + " " + mine.length);
        Thread sleeper = new Thread(() -> { synchronized (mine) { try { mine.wait();
    }
    catch (InterruptedException e) {
    }
}
}, "sleeper");
        sleeper.start();
        while (sleeper.getState() != Thread.State.WAITING) Thread.onSpinWait();
        StackTraceElement[] other = sleeper.getStackTrace();
        for (StackTraceElement e : other)
            System.out.println(e.getMethodName().startsWith("lambda") ? "lambda"
                            : e.toString().contains("$$Lambda")       ? "hidden"
                                                                      : e);
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        System.out.println(all.containsKey(sleeper) + " " + all.containsKey(Thread.currentThread()) + " "
                + all.keySet()
                        .stream()
                        .map(Thread::getName)
                        .filter(n -> n.equals("Finalizer") || n.equals("Reference Handler"))
                        .sorted()
                        .toList());
        sleeper.interrupt();
        sleeper.join();
        System.out.println(sleeper.getStackTrace().length);
    }
}
