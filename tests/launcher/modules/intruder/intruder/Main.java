// Uses packages that are not exported to its module: only the compiler gets --add-exports. Prints the errors that
// linking throws.
package intruder;

public class Main {
    interface Act {
        Object run() throws Throwable;
    }

    static void show(Act act) {
        try {
            System.out.println(act.run());
        } catch (Throwable failure) {
            System.out.println(failure);
        }
    }

    public static void main(String[] arguments) {
        show(() -> new greet.impl.English().greet("you"));
        show(() -> greet.impl.English[].class.getName());
        show(() -> greet.secret.Secret.tell());
        show(() -> (Object) arguments instanceof greet.impl.English);
        show(() -> jdk.internal.misc.VM.initLevel());
        show(() -> new plugin.French().greet("you"));
        show(() -> new Local().greet("you"));
        show(() -> java.lang.invoke.MethodHandles.lookup().findClass("greet.impl.English"));
        show(()
                        -> java.lang.invoke.MethodHandles.lookup()
                                .findStatic(greet.Greeter.class, "polite",
                                        java.lang.invoke.MethodType.methodType(String.class))
                                .invoke());
    }

    static class Local extends greet.impl.English {
    }
}
