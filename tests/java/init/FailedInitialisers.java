// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames and causes of initialisers that fail: at the first use and at later ones, by instructions and by reflection.
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

public class FailedInitialisers {
    static void fail(int depth) {
        if (depth == 0) throw new IllegalStateException("deep");
        fail(depth - 1);
    }

    static class Deep { static int x; static { fail(3); } static void m() {} }
    static class Sub extends Deep { static int y; }
    static class ByError { static { if (true) throw new StackOverflowError("own"); } static void m() {} }
    static class ByNull { static final String NONE = null, TEXT = NONE.toString(); static void m() {} }
    static class ByCause { static { if (true) throw new RuntimeException("outer", new Exception("inner")); } static void m() {} }
    static class Inner { static { fail(0); } static void m() {} }
    static class Outer { static { Inner.m(); } static void m() {} }
    enum Constants { A; static final int[] NEGATIVE = new int[-values().length]; }
    interface WithDefault { int VALUE = Integer.parseInt("no"); default void d() {} }
    static class Implements implements WithDefault {}
    static class ByLambda { static { Runnable failing = () -> fail(1); failing.run(); } static void m() {} }

    static class Named { static { fail(1); } }
    static class Invoked { static { fail(1); } static void m() {} }
    static class Read { static int x; static { fail(1); } }
    static class Written { static int x; static { fail(1); } }
    static class Constructed { static { fail(1); } }
    static class InArray { static { fail(1); } }
    static class NamedByReflection { static { fail(1); } }

    // Omits line numbers of the library's frames, because they depend on its release, or are unknown.
    static void show(Throwable thrown) {
        StackTraceElement[] outer = {};
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            System.out.println(each);
            StackTraceElement[] frames = each.getStackTrace();
            int shared = 0;
            while (shared < Math.min(frames.length, outer.length)
                   && frames[frames.length - 1 - shared].equals(outer[outer.length - 1 - shared])) shared++;
            for (int i = 0; i < frames.length - shared; i++) {
                boolean isOwn = frames[i].getModuleName() == null;
                String method = frames[i].getClassName() + "." + frames[i].getMethodName();
                System.out.println("    " + (isOwn ? frames[i] : method));
            }
            if (shared != 0) System.out.println("    and " + shared);
            outer = frames;
        }
    }

    static void attempt(String name, Callable<?> use) {
        for (int i = 0; i < 2; i++) {
            System.out.println("-- " + name);
            try {
                System.out.println(use.call());
            } catch (Throwable failure) {
                show(failure);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        attempt("call", () -> { Deep.m(); return 1; });
        attempt("read", () -> Deep.x);
        attempt("new", () -> new Deep());
        attempt("subclass", () -> new Sub());
        attempt("field of subclass", () -> Sub.y);
        attempt("error", () -> { ByError.m(); return 1; });
        attempt("null", () -> { ByNull.m(); return 1; });
        attempt("cause", () -> { ByCause.m(); return 1; });
        attempt("nested", () -> { Outer.m(); return 1; });
        attempt("enum", () -> Constants.A);
        attempt("interface", () -> new Implements());
        attempt("lambda", () -> { ByLambda.m(); return 1; });
        attempt("forName", () -> Class.forName("FailedInitialisers$Named"));
        attempt("invoke", () -> Invoked.class.getDeclaredMethod("m").invoke(null));
        attempt("get", () -> Read.class.getDeclaredField("x").get(null));
        attempt("set", () -> { Written.class.getDeclaredField("x").set(null, 3); return 1; });
        attempt("newInstance", () -> Constructed.class.getDeclaredConstructor().newInstance());
        attempt("array", () -> Array.newInstance(InArray.class, 2).getClass());
        Method forName = Class.class.getMethod("forName", String.class);
        attempt("forName by reflection", () -> forName.invoke(null, "FailedInitialisers$NamedByReflection"));
    }
}
