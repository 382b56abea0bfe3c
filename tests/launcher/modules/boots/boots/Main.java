package boots;

import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.logging.Level;

public class Main {
    public static void main(String[] arguments) throws Exception {
        Module own = Main.class.getModule();
        System.out.println(
                Level.INFO + " " + own.canRead(Level.class.getModule()) + " " + new tools.Tool().greet("me"));
        TreeSet<String> found = new TreeSet<>();
        for (greet.Greeter each : ServiceLoader.load(greet.Greeter.class)) found.add(each.greet("all"));
        System.out.println(found);
        System.out.println(tools.Tool.class.getModule().canRead(own) + " "
                + tools.Tool.class.getModule().canRead(ClassLoader.getSystemClassLoader().getUnnamedModule()));
        System.out.println(own.isOpen("boots.open") + " " + own.isOpen("boots") + " " + own.getAnnotations().length);
        for (String name : new String[] {"boots/open/note.txt", "boots/note.txt", "top.txt", "boots/Main.class",
                     "greet/impl/English.class", "META-INF/services/greet.Greeter"}) {
            System.out.println(name + " " + (Main.class.getClassLoader().getResource(name) != null) + " "
                    + (own.getResourceAsStream(name) != null) + " "
                    + (Main.class.getResourceAsStream("/" + name) != null) + " "
                    + (greet.Greeter.class.getResource("/" + name) != null) + " "
                    + (ClassLoader.getSystemResourceAsStream(name) != null));
        }
        try {
            Class.forName("boots.None");
        } catch (ClassNotFoundException missing) {
            System.out.println(missing.getMessage());
        }
        var hidden = boots.open.Open.class.getDeclaredField("hidden");
        hidden.setAccessible(true);
        System.out.println(hidden.get(null));
    }
}
