// A class on the class path, beside modules that --add-modules adds.
import java.util.ServiceLoader;
import java.util.TreeSet;

public class OnClassPath {
    interface Act {
        Object run() throws Throwable;
    }

    static void show(Act act) {
        try {
            System.out.println(act.run());
        } catch (Throwable failure) {
            System.out.println(failure.toString().replaceAll("@[0-9a-fx]+", "@"));
        }
    }

    public static void main(String[] arguments) {
        show(()
                        -> OnClassPath.class.getModule().isNamed() + " " + ModuleLayer.boot().findModule("greet") + " "
                        + ModuleLayer.boot().findModule("plugin"));
        show(() -> greet.Greeter.polite());
        show(() -> greet.secret.Secret.tell());
        show(() -> {
            TreeSet<String> found = new TreeSet<>();
            for (greet.Greeter each : ServiceLoader.load(greet.Greeter.class)) found.add(each.greet("you"));
            return found;
        });
        show(() -> Class.forName("greet.impl.English").getDeclaredConstructor().newInstance());
    }
}
