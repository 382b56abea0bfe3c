// Prints the classes that --patch-module adds to modules of the JDK.
public class Patched {
    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {"java.added.Added", "java.util.Observable", "java.util.logging.Extra"}) {
            try {
                Class<?> type = Class.forName(name);
                var constructor = type.getDeclaredConstructor();
                System.out.println(name.startsWith("java.added")
                                ? type.getModule()
                                : constructor.newInstance().toString().replaceAll("@.*", ""));
            } catch (ReflectiveOperationException failure) {
                System.out.println(failure);
            }
        }
        System.out.println(
                new String(Object.class.getModule().getResourceAsStream("java/added/Added.class") == null ? "not there"
                                                                                                          : "there"));
    }
}
