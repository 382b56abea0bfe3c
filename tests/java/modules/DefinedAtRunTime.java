// jvm: --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.sql/java.sql=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;

// A program defines classes in packages of the JDK's modules. Code of the class path then finds these classes by name.
// Agents rely on this.
public class DefinedAtRunTime {
    static Class<?> define(Class<?> neighbour, Class<?> template, String name) throws Exception {
        byte[] bytes = DefinedAtRunTime.class.getResourceAsStream(template.getName() + ".class").readAllBytes();
        String text =
                new String(bytes, StandardCharsets.ISO_8859_1).replace(template.getName(), name.replace('.', '/'));
        return MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup())
                .defineClass(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static void find(String name) {
        try {
            Class<?> found = Class.forName(name);
            System.out.println(found + " " + found.getModule() + " "
                    + (found.getClassLoader() == null ? "boot" : found.getClassLoader().getName()));
        } catch (ReflectiveOperationException missing) {
            System.out.println(missing);
        }
    }

    public static void main(String[] arguments) throws Exception {
        find("java.lang.Extra");
        find("java.sql.Extra1");
        Class<?> inBase = define(Object.class, java_lang_Extra.class, "java.lang.Extra");
        Class<?> inSql = define(java.sql.Driver.class, java_sql_Extra1.class, "java.sql.Extra1");
        find("java.lang.Extra");
        find("java.sql.Extra1");
        System.out.println(inBase == Class.forName("java.lang.Extra") && inSql == Class.forName("java.sql.Extra1"));
        System.out.println(inSql == ClassLoader.getPlatformClassLoader().loadClass("java.sql.Extra1"));
        System.out.println(inBase == Class.forName("java.lang.Extra", false, null));
        try {
            System.out.println(Class.forName("java.sql.Extra1", false, null));
        } catch (ClassNotFoundException expected) {
            System.out.println(expected);
        }
    }
}

class java_lang_Extra {
}

class java_sql_Extra1 {
}
