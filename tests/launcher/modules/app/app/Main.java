// A program in a module looks at itself, at a module that it reads, and at one that it does not read.
package app;

import greet.Greeter;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.TreeSet;

public class Main {
    private static final PrintStream out = System.out;

    public static void main(String[] arguments) throws Exception {
        out.println("arguments " + Arrays.toString(arguments));
        Module own = Main.class.getModule();
        Module other = Greeter.class.getModule();
        out.println(own + " " + own.getDescriptor().toNameAndVersion() + " " + (own.getLayer() == ModuleLayer.boot())
                + " " + own.getClassLoader().getName());
        providers();
        access(own, other);
        resources(own, other);
        layer(own);
        out.println(System.getProperty("jdk.module.main") + " " + System.getProperty("jdk.module.main.class") + " "
                + System.getProperty("jdk.module.path") + " " + System.getProperty("java.class.path"));
        Runnable lambda = () -> out.println("lambda in " + Main.class.getPackage().getName());
        lambda.run();
        Greeter proxy = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Greeter.class},
                (self, method, given) -> "proxied " + given[0]);
        out.println(proxy.greet("x") + " " + proxy.getClass().getModule().getName() + " "
                + proxy.getClass().getPackageName());
        out.println(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("/mods/app/"));
        String top =
                StackWalker.getInstance().walk(frames -> frames.findFirst().get().toStackTraceElement().toString());
        out.println(top);
    }

    private static void providers() throws Exception {
        TreeSet<String> greetings = new TreeSet<>();
        for (Greeter each : ServiceLoader.load(Greeter.class))
            greetings.add(each.greet("you") + " from " + each.getClass().getModule());
        out.println(greetings);
        for (Greeter each : ServiceLoader.load(Greeter.class)) {
            if (!each.getClass().getName().contains("English")) continue;
            try {
                each.greet(null);
            } catch (IllegalArgumentException nobody) {
                for (StackTraceElement frame : nobody.getStackTrace()) out.println(frame);
            }
            try {
                out.println(each.getClass().getField("hidden").get(each));
            } catch (ReflectiveOperationException refused) {
                out.println(refused);
            }
        }
    }

    private static void access(Module own, Module other) throws Exception {
        out.println(greet.secret.Secret.tell());
        try {
            Field hidden = greet.secret.Secret.class.getDeclaredField("x");
            hidden.setAccessible(true);
            out.println("opened");
        } catch (RuntimeException refused) {
            out.println(refused.getMessage());
        }
        out.println("reads " + own.canRead(other) + " " + other.canRead(own) + " "
                + own.canRead(Object.class.getModule()) + " " + Object.class.getModule().canRead(own));
        out.println("exported " + other.isExported("greet.secret") + " " + other.isExported("greet.secret", own)
                + ", open " + other.isOpen("greet.impl", own));
        out.println("uses " + own.canUse(Greeter.class) + " " + own.canUse(Runnable.class));
    }

    private static void resources(Module own, Module other) throws Exception {
        out.println(Main.class.getResourceAsStream("Main.class") != null);
        out.println(other.getResourceAsStream("greet/impl/English.class") != null);
        out.println(Main.class.getClassLoader().getResource("greet/impl/English.class") != null);
        out.println(Class.forName("greet.impl.English").getModule() + " " + Class.forName(other, "greet.impl.English")
                + " " + Class.forName(own, "greet.impl.English"));
    }

    private static void layer(Module own) {
        out.println(new TreeSet<>(ModuleLayer.boot().findModule("greet").get().getPackages()));
        out.println(ModuleLayer.boot().modules().contains(own) + " " + ModuleLayer.boot().findModule("plugin") + " "
                + ModuleLayer.boot().findModule("nope"));
    }
}
