// Tests lookups that move to other classes, drop modes and get private access, step by step. Prints the access modes
// that each lookup has left, and its previous lookup class.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.LinkedHashMap;
import java.util.Map;

public class LookupModes {
    interface Step { Lookup from(Lookup lookup) throws Exception; }

    static class Nested {}
    static class Other {}
    private static final Map<String, Step> STEPS = new LinkedHashMap<>();

    static String shown(Lookup lookup) {
        return lookup + " " + Integer.toHexString(lookup.lookupModes()) + " " + lookup.lookupClass() + " "
                + lookup.previousLookupClass() + " " + lookup.hasFullPrivilegeAccess();
    }

    static String shown(Exception exception) {
        String text = exception instanceof NullPointerException ? "" : " " + exception.getMessage();
        return exception.getClass().getName() + text.replaceAll("@[0-9a-f]+", "@HASH");
    }

    static void walk(String path, Lookup lookup, int more) {
        for (Map.Entry<String, Step> step : STEPS.entrySet()) {
            String longer = path + " " + step.getKey();
            try {
                Lookup next = step.getValue().from(lookup);
                System.out.println(longer + ": " + (next == lookup ? "the same" : shown(next)));
                if (more > 0 && next != lookup) walk(longer, next, more - 1);
            } catch (Exception exception) {
                System.out.println(longer + ": " + shown(exception));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?>[] classes = {
            LookupModes.class, Nested.class, Other.class, String.class, Class.forName("java.util.ArrayList$Itr"),
            java.util.logging.Logger.class, java.sql.Connection.class, Class.forName("jdk.internal.misc.Unsafe"),
            int.class, void.class, int[].class, Nested[].class, null};
        for (Class<?> type : classes) {
            String name = type == null ? "null" : type.getSimpleName();
            STEPS.put("in " + name, lookup -> lookup.in(type));
            STEPS.put("into " + name, lookup -> MethodHandles.privateLookupIn(type, lookup));
        }
        for (int mode : new int[] {0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x80, -1}) {
            STEPS.put("without " + Integer.toHexString(mode), lookup -> lookup.dropLookupMode(mode));
        }
        walk("lookup", MethodHandles.lookup(), 1);
        walk("public", MethodHandles.publicLookup(), 1);
        Lookup nested = MethodHandles.lookup().in(Nested.class);
        walk("nested", nested, 1);
        walk("elsewhere", MethodHandles.lookup().in(String.class), 1);
        walk("third", MethodHandles.lookup().in(String.class).in(java.util.logging.Logger.class), 0);
    }
}
