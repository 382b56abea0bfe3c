// Tests Lookup.bind on lookups whose class is a subclass or superclass of the receiver's class, or an interface. The
// receiver's own method must run.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;

public class BoundReceivers {
    interface I {
        static MethodHandles.Lookup look() { return MethodHandles.lookup(); }
    }

    static class Base implements I {
        int size = 1;
        public String m() { return "Base.m"; }
        private String q() { return "Base.q"; }
        static MethodHandles.Lookup look() { return MethodHandles.lookup(); }
    }

    static class Derived extends Base {
        int more = 2;
        @Override public String m() { return "Derived.m " + more; }
    }

    static class Leaf extends Derived {
        static MethodHandles.Lookup look() { return MethodHandles.lookup(); }
    }

    public static void main(String[] args) {
        Map<String, MethodHandles.Lookup> lookups = new LinkedHashMap<>();
        lookups.put("Leaf", Leaf.look());
        lookups.put("Base", Base.look());
        lookups.put("main", MethodHandles.lookup());
        lookups.put("I", I.look());
        lookups.put("public", MethodHandles.publicLookup());
        Object[] receivers = {new Base(), new Derived(), new Leaf(), new Object(), "text"};
        for (Map.Entry<String, MethodHandles.Lookup> entry : lookups.entrySet()) {
            for (Object receiver : receivers) {
                if (entry.getKey().equals("I") && !(receiver instanceof I)) continue;
                for (String name : new String[] {"m", "q", "toString"}) {
                    String result;
                    try {
                        result = (String) entry.getValue().bind(receiver, name,
                                MethodType.methodType(String.class)).invoke();
                    } catch (Throwable thrown) {
                        result = thrown.toString();
                    }
                    System.out.println(entry.getKey() + " " + receiver.getClass().getSimpleName() + "." + name + ": "
                            + result.replaceAll("@[0-9a-f]+", "@HASH"));
                }
            }
        }
    }
}
