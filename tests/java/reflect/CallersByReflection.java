// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Caller-sensitive methods, called by reflection: the caller that they find, and the frames of their exceptions and of
// refused calls.
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ResourceBundle;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class CallersByReflection {
    private static int hidden = 5;
    static void thrower() { throw new IllegalStateException("thrown"); }
    static class Thrower { Thrower() { throw new IllegalStateException("constructed"); } }

    static void attempt(String name, Callable<?> call) {
        System.out.println("-- " + name);
        try {
            System.out.println(call.call());
        } catch (Throwable failure) {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                System.out.println(each);
                for (StackTraceElement frame : each.getStackTrace()) {
                    boolean isOwn = frame.getModuleName() == null;   // line numbers of the library vary by release
                    if (frame.getMethodName().contains("lambda")) break;
                    System.out.println("    " + (isOwn ? frame : frame.getClassName() + "." + frame.getMethodName()));
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Method forName = Class.class.getMethod("forName", String.class);
        attempt("forName", () -> forName.invoke(null, "CallersByReflection$Thrower"));
        attempt("forName of none", () -> forName.invoke(null, "no.such.Class"));
        attempt("forName(null)", () -> forName.invoke(null, (Object) null));
        attempt("forName(3)", () -> forName.invoke(null, 3));
        attempt("forName()", () -> forName.invoke(null));
        Method getMethod = Class.class.getMethod("getMethod", String.class, Class[].class);
        attempt("getMethod", () -> getMethod.invoke(CallersByReflection.class, "none", null));
        attempt("getMethod of another", () -> getMethod.invoke("text", "none", null));
        attempt("getMethod of null", () -> getMethod.invoke(null, "none", null));
        Method invoke = Method.class.getMethod("invoke", Object.class, Object[].class);
        Method thrower = CallersByReflection.class.getDeclaredMethod("thrower");
        attempt("invoke", () -> invoke.invoke(thrower, null, new Object[0]));
        attempt("invoke of forName", () -> invoke.invoke(forName, null, new Object[] {"no.such.Class"}));
        attempt("invoke of invoke", () -> invoke.invoke(invoke, thrower, new Object[] {null, new Object[0]}));
        Constructor<?> constructor = Thrower.class.getDeclaredConstructor();
        Method newInstance = Constructor.class.getMethod("newInstance", Object[].class);
        attempt("newInstance", () -> newInstance.invoke(constructor, (Object) new Object[0]));
        Method get = Field.class.getMethod("get", Object.class);
        attempt("get", () -> get.invoke(CallersByReflection.class.getDeclaredField("hidden"), (Object) null));
        Method lookup = MethodHandles.class.getMethod("lookup");
        attempt("lookup", () -> ((MethodHandles.Lookup) lookup.invoke(null)).lookupClass().getPackageName());
        attempt("lookup(3)", () -> lookup.invoke(null, 3));
        Method caller = StackWalker.class.getMethod("getCallerClass");
        attempt("getCallerClass", () -> caller.invoke(
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)));
        Method resource = Class.class.getMethod("getResource", String.class);
        attempt("getResource(null)", () -> resource.invoke(CallersByReflection.class, (Object) null));
        Method updater = AtomicIntegerFieldUpdater.class.getMethod("newUpdater", Class.class, String.class);
        attempt("newUpdater", () -> updater.invoke(null, CallersByReflection.class, "none"));
        Method bundle = ResourceBundle.class.getMethod("getBundle", String.class);
        attempt("getBundle", () -> bundle.invoke(null, "none"));
        Method privileged = AccessController.class.getMethod("doPrivileged", PrivilegedAction.class);
        PrivilegedAction<Object> action = () -> { throw new IllegalStateException("privileged"); };
        attempt("doPrivileged", () -> privileged.invoke(null, action));
    }
}
