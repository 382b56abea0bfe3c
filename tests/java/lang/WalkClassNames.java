// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackWalker since 22: walks that omit methods, hidden frames, method types, and the requests that need an option
// which the walker lacks.
// since: 25
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

public class WalkClassNames {
    static List<String> walk(StackWalker walker) {
        return walker.walk(frames -> frames.map(f -> f.getClassName() + "." + f.getMethodName()).toList());
    }

    static void refused(Runnable action) {
        try {
            action.run();
            System.out.println("accepted");
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }

    static Class<?> caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
    }

    record Wrapped(Supplier<List<String>> supplier) {
        List<String> get() {
            return supplier.get();
        }
    }

    public static void main(String[] arguments) {
        System.out.println(walk(StackWalker.getInstance()));
        StackWalker classes = StackWalker.getInstance(StackWalker.Option.DROP_METHOD_INFO);
        System.out.println("classes " + classes.walk(frames ->
            frames.map(StackWalker.StackFrame::getClassName).toList()));
        classes.forEach(frame -> refused(frame::getMethodName));
        classes.forEach(frame -> refused(frame::getDeclaringClass));
        classes.forEach(frame -> refused(frame::getByteCodeIndex));
        classes.forEach(frame -> refused(frame::getMethodType));
        StackWalker both = StackWalker.getInstance(Set.of(StackWalker.Option.DROP_METHOD_INFO,
            StackWalker.Option.RETAIN_CLASS_REFERENCE));
        both.forEach(frame -> System.out.println(frame.getDeclaringClass()));
        StackWalker plain = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        plain.forEach(frame -> System.out.println(frame.getMethodType() + " " + frame.getDescriptor() + " "
            + frame.isNativeMethod()
                                                  + " " + frame.getFileName() + " " + frame.toStackTraceElement()));
        System.out.println(new Wrapped(() -> walk(StackWalker.getInstance())).get());
        System.out.println(caller());
        System.out.println("frames " + StackWalker.getInstance(Set.of(), 5).walk(s -> s.count()));
    }
}
