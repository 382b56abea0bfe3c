// stress: no
// timeout: 60
// java: -XX:TieredStopAtLevel=1
// Calls each function of Lookup that finds members, for members of all kinds and for lookups with all sets of access
// modes. Prints the member, its type, and whether revealDirect accepts it, or the exception that refuses it.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class LookupMatrix {
    interface Root {
        default String d() { return "Root.d"; }
        default String shadowed() { return "Root.shadowed"; }
        String abstractInRoot();
        private String hidden() { return "Root.hidden"; }
        static String s() { return "Root.s"; }
        private static String hs() { return "Root.hs"; }
        int CONSTANT = 7;
    }

    // The inherited abstract method is not looked up in Middle, because java generates a method of the same name there.
    interface Middle extends Root {
        @Override default String shadowed() { return "Middle.shadowed"; }
        static Lookup look() { return MethodHandles.lookup(); }
    }

    interface Unrelated {
        default String d() { return "Unrelated.d"; }
        private String hidden() { return "Unrelated.hidden"; }
    }

    static abstract class Base implements Middle {
        public int open = 1;
        protected long guarded = 2;
        double plain = 3;
        private Object secret = "4";
        static int counter;
        static final String FIXED = "fixed";
        final int last = 5;
        volatile int moving = 6;
        protected Base() {}
        private Base(int x) {}
        @Override public String d() { return "Base.d"; }
        @Override public String abstractInRoot() { return "Base.abstractInRoot"; }
        public String m() { return "Base.m"; }
        protected String p() { return "Base.p"; }
        String n() { return "Base.n"; }
        private String q() { return "Base.q"; }
        public static String sm() { return "Base.sm"; }
        private static String sq() { return "Base.sq"; }
        public abstract String a();
        public final String f() { return "Base.f"; }
        public String v(Object... more) { return "Base.v" + more.length; }
    }

    static class Derived extends Base implements Middle {
        @Override public String d() { return "Derived.d"; }
        @Override public String m() { return "Derived.m"; }
        @Override public String a() { return "Derived.a"; }
        @Override public String toString() { return "Derived"; }
    }

    static class Leaf extends Derived implements Unrelated {
        @Override public String d() { return "Leaf.d"; }
        @Override public String m() { return "Leaf.m"; }
        static Lookup look() { return MethodHandles.lookup(); }
    }

    static class Stranger {
        static Lookup look() { return MethodHandles.lookup(); }
    }

    static final class List2 extends java.util.AbstractList<Object> {
        @Override public Object get(int index) { return index; }
        @Override public int size() { return 2; }
        static Lookup look() { return MethodHandles.lookup(); }
    }

    interface Finding { Object find() throws Throwable; }

    // Removes two things that java prints of reflected members: a type that is shown as an array's address, and a kind
    // that depends on how the member was made.
    static String clean(String text) {
        return text.replaceAll("(\\([^ ()]*\\)[\\w.$\\[\\]]+|\\[Ljava\\.lang\\.Object;@[0-9a-f]+|(?<=\\w)/[\\w.$\\[\\];]+)/(invoke|newInvoke|get|put)\\w+", "")
                   .replaceAll("@[0-9a-f]+", "@HASH");
    }

    static void show(String what, Lookup lookup, Finding finding) {
        String line;
        try {
            Object found = finding.find();
            if (found instanceof MethodHandle) {
                line = describe((MethodHandle) found, lookup);
            } else {
                VarHandle handle = (VarHandle) found;
                line = "VarHandle " + handle.varType() + handle.coordinateTypes()
                        + handle.isAccessModeSupported(VarHandle.AccessMode.SET);
            }
        } catch (Throwable thrown) {
            line = thrown.getClass().getSimpleName();
            if (!(thrown instanceof NullPointerException)) line += ": " + thrown.getMessage();
            if (thrown.getCause() != null) line += " / " + thrown.getCause();
        }
        System.out.println(what + " -> " + clean(line));
    }

    static String describe(MethodHandle handle, Lookup lookup) {
        String line = handle.type() + (handle.isVarargsCollector() ? " varargs" : "");
        try {
            line += " " + lookup.revealDirect(handle);
        } catch (Throwable thrown) {
            line += " not revealed: " + thrown.getMessage();
        }
        if (handle.type().parameterCount() == 1 && handle.type().returnType() == String.class) {
            Object receiver = handle.type().parameterType(0).isInstance(LEAF) ? LEAF : DERIVED;
            try {
                line += " = " + handle.invoke(receiver);
            } catch (Throwable thrown) {
                line += " = " + thrown;
            }
        }
        return line;
    }

    static final Leaf LEAF = new Leaf();
    static final Derived DERIVED = new Derived();

    static final Class<?>[] CLASSES = {Root.class, Middle.class, Unrelated.class, Base.class, Derived.class, Leaf.class,
            Stranger.class, Object.class, int[].class, Base[].class};
    static final String[] METHODS = {"d", "shadowed", "abstractInRoot", "hidden", "m", "p", "n", "q", "a", "f", "s",
            "hs", "sm", "sq", "toString", "missing", "<init>", "<clinit>"};

    static void methods(String name, Lookup lookup) {
        MethodType text = MethodType.methodType(String.class);
        for (Class<?> type : CLASSES) {
            for (String method : METHODS) {
                if (type == Middle.class && method.equals("abstractInRoot")) continue;
                String what = name + " " + type.getSimpleName() + "." + method;
                show(what + " virtual", lookup, () -> lookup.findVirtual(type, method, text));
                show(what + " static", lookup, () -> lookup.findStatic(type, method, text));
                show(what + " special", lookup, () -> lookup.findSpecial(type, method, text, lookup.lookupClass()));
            }
            if (!type.isArray() && !lookup.lookupClass().isInterface()) {
                show(name + " " + type.getSimpleName() + ".clone", lookup, () ->
                        lookup.findVirtual(type, "clone", MethodType.methodType(Object.class)));
                show(name + " " + type.getSimpleName() + ".clone special", lookup,
                     () -> lookup.findSpecial(type, "clone", MethodType.methodType(Object.class),
                             lookup.lookupClass()));
            }
            show(name + " " + type.getSimpleName() + ".v", lookup, () ->
                    lookup.findVirtual(type, "v", MethodType.methodType(String.class, Object[].class)));
            show(name + " " + type.getSimpleName() + ".v special", lookup,
                 () -> lookup.findSpecial(type, "v", MethodType.methodType(String.class, Object[].class),
                         lookup.lookupClass()));
            show(name + " new " + type.getSimpleName(), lookup, () ->
                    lookup.findConstructor(type, MethodType.methodType(void.class)));
            show(name + " new " + type.getSimpleName() + "(int)", lookup, () ->
                    lookup.findConstructor(type, MethodType.methodType(void.class, int.class)));
            show(name + " new(String) " + type.getSimpleName(), lookup, () ->
                    lookup.findConstructor(type, MethodType.methodType(String.class)));
        }
    }

    static void specialCallers(String name, Lookup lookup) {
        MethodType text = MethodType.methodType(String.class);
        for (Class<?> caller : CLASSES) {
            for (Class<?> type : CLASSES) {
                for (String method : new String[] {"d", "hidden", "abstractInRoot", "m", "q", "a", "toString"}) {
                    if (type == Middle.class && method.equals("abstractInRoot")) continue;
                    show(name + " special " + type.getSimpleName() + "." + method + " by " + caller.getSimpleName(),
                            lookup,
                         () -> lookup.findSpecial(type, method, text, caller));
                }
                Method[] declared = type.getDeclaredMethods();
                Arrays.sort(declared, Comparator.comparing(Method::toString));
                if (type == Object.class) {
                    declared = Arrays.stream(declared).filter(m ->
                            m.getName().matches("toString|clone|hashCode")).toArray(Method[]::new);
                }
                for (Method method : declared) {
                    if (method.isSynthetic()) continue;
                    show(name + " unreflectSpecial " + type.getSimpleName() + "." + method.getName() + " by "
                            + caller.getSimpleName(), lookup,
                         () -> lookup.unreflectSpecial(method, caller));
                }
            }
        }
    }

    static void fields(String name, Lookup lookup) {
        Object[][] all = {{"open", int.class}, {"guarded", long.class}, {"plain", double.class},
                {"secret", Object.class}, {"counter", int.class},
                          {"FIXED", String.class}, {"last", int.class}, {"moving", int.class}, {"CONSTANT", int.class},
                                  {"open", long.class}, {"missing", int.class}};
        for (Class<?> type : CLASSES) {
            if (type == Object.class) continue;
            for (Object[] row : all) {
                String field = (String) row[0];
                Class<?> of = (Class<?>) row[1];
                String what = name + " " + type.getSimpleName() + "." + field;
                show(what + " getter", lookup, () -> lookup.findGetter(type, field, of));
                show(what + " setter", lookup, () -> lookup.findSetter(type, field, of));
                show(what + " static getter", lookup, () -> lookup.findStaticGetter(type, field, of));
                show(what + " static setter", lookup, () -> lookup.findStaticSetter(type, field, of));
                show(what + " variable", lookup, () -> lookup.findVarHandle(type, field, of));
                show(what + " static variable", lookup, () -> lookup.findStaticVarHandle(type, field, of));
            }
        }
    }

    static void reflected(String name, Lookup lookup) throws Exception {
        for (Class<?> type : CLASSES) {
            List<Object> members = new ArrayList<>();
            members.addAll(Arrays.asList(type.getDeclaredMethods()));
            members.addAll(Arrays.asList(type.getDeclaredConstructors()));
            members.addAll(Arrays.asList(type.getDeclaredFields()));
            members.sort(Comparator.comparing(Object::toString));
            for (Object member : members) {
                if (type == Object.class && !member.toString().matches(".*(toString|clone|hashCode|Object\\(\\)).*")) {
                    continue;
                }
                for (boolean accessible : type == Object.class ? new boolean[] {false} : new boolean[] {false, true}) {
                    ((java.lang.reflect.AccessibleObject) member).setAccessible(accessible);
                    String what = name + " unreflect " + (accessible ? "accessible " : "") + member;
                    if (member instanceof Method) {
                        if (((Method) member).isSynthetic()) continue;
                        show(what, lookup, () -> lookup.unreflect((Method) member));
                    } else if (member instanceof Constructor) {
                        show(what, lookup, () -> lookup.unreflectConstructor((Constructor<?>) member));
                    } else {
                        show(what + " getter", lookup, () -> lookup.unreflectGetter((Field) member));
                        show(what + " setter", lookup, () -> lookup.unreflectSetter((Field) member));
                        show(what + " variable", lookup, () -> lookup.unreflectVarHandle((Field) member));
                    }
                }
            }
        }
    }

    // Members of another module: protected ones, and members of packages that are not exported.
    static void elsewhere(String name, Lookup lookup) throws Exception {
        Class<?> hidden = Class.forName("jdk.internal.misc.Unsafe");
        show(name + " Unsafe.getUnsafe", lookup, () ->
                lookup.findStatic(hidden, "getUnsafe", MethodType.methodType(hidden)));
        show(name + " modCount", lookup, () -> lookup.findGetter(java.util.AbstractList.class, "modCount", int.class));
        show(name + " List2.modCount", lookup, () -> lookup.findGetter(List2.class, "modCount", int.class));
        show(name + " ArrayList.modCount", lookup, () ->
                lookup.findVarHandle(java.util.ArrayList.class, "modCount", int.class));
        show(name + " ArrayList.elementData", lookup, () ->
                lookup.findGetter(java.util.ArrayList.class, "elementData", Object[].class));
        show(name + " ArrayList.size", lookup, () -> lookup.findGetter(java.util.ArrayList.class, "size", int.class));
        MethodType range = MethodType.methodType(void.class, int.class, int.class);
        show(name + " AbstractList.removeRange", lookup, () ->
                lookup.findVirtual(java.util.AbstractList.class, "removeRange", range));
        show(name + " List2.removeRange", lookup, () -> lookup.findVirtual(List2.class, "removeRange", range));
        show(name + " ArrayList.removeRange", lookup, () ->
                lookup.findVirtual(java.util.ArrayList.class, "removeRange", range));
        show(name + " AbstractList.removeRange special", lookup, () ->
                lookup.findSpecial(java.util.AbstractList.class, "removeRange", range, List2.class));
        show(name + " Object.clone special", lookup, () ->
                lookup.findSpecial(Object.class, "clone", MethodType.methodType(Object.class), List2.class));
        show(name + " AbstractCollection.toString special", lookup,
             () -> lookup.findSpecial(java.util.AbstractCollection.class, "toString",
                     MethodType.methodType(String.class), List2.class));
        show(name + " Collection.size special", lookup,
             () -> lookup.findSpecial(java.util.Collection.class, "size", MethodType.methodType(int.class),
                     List2.class));
        show(name + " Iterable.forEach special", lookup,
             () -> lookup.findSpecial(Iterable.class, "forEach",
                     MethodType.methodType(void.class, java.util.function.Consumer.class), List2.class));
        show(name + " new AbstractList", lookup, () ->
                lookup.findConstructor(java.util.AbstractList.class, MethodType.methodType(void.class)));
        show(name + " new Math", lookup, () -> lookup.findConstructor(Math.class, MethodType.methodType(void.class)));
        show(name + " new Object", lookup, () ->
                lookup.findConstructor(Object.class, MethodType.methodType(void.class)));
        show(name + " Class.forName", lookup, () ->
                lookup.findStatic(Class.class, "forName", MethodType.methodType(Class.class, String.class)));
        show(name + " MethodHandles.lookup", lookup, () ->
                lookup.findStatic(MethodHandles.class, "lookup", MethodType.methodType(Lookup.class)));
        show(name + " invoke", lookup, () ->
                lookup.findVirtual(MethodHandle.class, "invoke", MethodType.methodType(int.class)));
        show(name + " invokeExact", lookup, () ->
                lookup.findVirtual(MethodHandle.class, "invokeExact", MethodType.methodType(int.class)));
        show(name + " asType", lookup, () ->
                lookup.findVirtual(MethodHandle.class, "type", MethodType.methodType(MethodType.class)));
        show(name + " getAndAdd", lookup, () ->
                lookup.findVirtual(VarHandle.class, "getAndAdd", MethodType.methodType(int.class, int.class)));
        show(name + " int.toString", lookup, () ->
                lookup.findVirtual(int.class, "toString", MethodType.methodType(String.class)));
        show(name + " void.s", lookup, () -> lookup.findStatic(void.class, "s", MethodType.methodType(String.class)));
        show(name + " new int", lookup, () -> lookup.findConstructor(int.class, MethodType.methodType(void.class)));
        show(name + " int.x", lookup, () -> lookup.findGetter(int.class, "x", int.class));
        show(name + " int[].length", lookup, () -> lookup.findGetter(int[].class, "length", int.class));
        show(name + " unreflect invoke", lookup, () ->
                lookup.unreflect(MethodHandle.class.getMethod("invoke", Object[].class)));
        show(name + " unreflect forName", lookup, () ->
                lookup.unreflect(Class.class.getMethod("forName", String.class)));
    }

    static void nothing(String name, Lookup lookup) {
        MethodType type = MethodType.methodType(String.class);
        show(name + " no class", lookup, () -> lookup.findVirtual(null, "m", type));
        show(name + " no name", lookup, () -> lookup.findVirtual(Base.class, null, type));
        show(name + " no type", lookup, () -> lookup.findVirtual(Base.class, "m", null));
        show(name + " static no class", lookup, () -> lookup.findStatic(null, "m", type));
        show(name + " static no type", lookup, () -> lookup.findStatic(Base.class, "m", null));
        show(name + " special no class", lookup, () -> lookup.findSpecial(null, "m", type, lookup.lookupClass()));
        show(name + " special no name", lookup, () -> lookup.findSpecial(Base.class, null, type, lookup.lookupClass()));
        show(name + " special no type", lookup, () -> lookup.findSpecial(Base.class, "m", null, lookup.lookupClass()));
        show(name + " special no caller", lookup, () -> lookup.findSpecial(Base.class, "m", type, null));
        show(name + " constructor no class", lookup, () -> lookup.findConstructor(null, type));
        show(name + " constructor no type", lookup, () -> lookup.findConstructor(Base.class, null));
        show(name + " getter no class", lookup, () -> lookup.findGetter(null, "open", int.class));
        show(name + " getter no name", lookup, () -> lookup.findGetter(Base.class, null, int.class));
        show(name + " getter no type", lookup, () -> lookup.findGetter(Base.class, "open", null));
        show(name + " variable no class", lookup, () -> lookup.findVarHandle(null, "open", int.class));
        show(name + " unreflect null", lookup, () -> lookup.unreflect(null));
        show(name + " unreflectSpecial null", lookup, () -> lookup.unreflectSpecial(null, lookup.lookupClass()));
        show(name + " unreflectGetter null", lookup, () -> lookup.unreflectGetter(null));
        show(name + " unreflectConstructor null", lookup, () -> lookup.unreflectConstructor(null));
        show(name + " bind null", lookup, () -> lookup.bind(null, "m", type));
        show(name + " bind", lookup, () -> lookup.bind(LEAF, "m", type));
        show(name + " bind private", lookup, () -> lookup.bind(LEAF, "q", type));
        show(name + " bind default", lookup, () -> lookup.bind(LEAF, "shadowed", type));
        show(name + " bind abstract", lookup, () -> lookup.bind(LEAF, "missing", type));
        show(name + " bind static", lookup, () -> lookup.bind(LEAF, "sm", type));
        if (!lookup.lookupClass().isInterface()) {
            show(name + " bind clone", lookup, () -> lookup.bind(LEAF, "clone", MethodType.methodType(Object.class)));
        }
        show(name + " bind varargs", lookup, () ->
                lookup.bind(LEAF, "v", MethodType.methodType(String.class, Object[].class)));
        show(name + " bind removeRange", lookup, () ->
                lookup.bind(new java.util.ArrayList<>(), "removeRange",
                MethodType.methodType(void.class, int.class, int.class)));
        show(name + " bind own removeRange", lookup, () ->
                lookup.bind(new List2(), "removeRange", MethodType.methodType(void.class, int.class, int.class)));
        show(name + " reveal null", lookup, () -> lookup.revealDirect(null));
        show(name + " reveal indirect", lookup, () -> lookup.revealDirect(MethodHandles.identity(int.class)));
    }

    static Map<String, Lookup> lookups() throws Exception {
        Map<String, Lookup> all = new LinkedHashMap<>();
        all.put("main", MethodHandles.lookup());
        all.put("Middle", Middle.look());
        all.put("Leaf", Leaf.look());
        all.put("Stranger", Stranger.look());
        all.put("List2", List2.look());
        all.put("public", MethodHandles.publicLookup());
        return all;
    }

    public static void main(String[] args) throws Exception {
        for (Map.Entry<String, Lookup> entry : lookups().entrySet()) {
            String name = entry.getKey();
            Lookup full = entry.getValue();
            methods(name, full);
            specialCallers(name, full);
            fields(name, full);
            reflected(name, full);
            elsewhere(name, full);
            nothing(name, full);
            if (!name.matches("main|public")) continue;
            for (int mode : new int[] {Lookup.PUBLIC, Lookup.PRIVATE, Lookup.PROTECTED, Lookup.PACKAGE, Lookup.MODULE,
                    Lookup.UNCONDITIONAL, Lookup.ORIGINAL}) {
                Lookup less = full.dropLookupMode(mode);
                String lesser = name + "-" + Integer.toHexString(mode);
                System.out.println(lesser + ": " + less + " " + Integer.toHexString(less.lookupModes()));
                methods(lesser, less);
                fields(lesser, less);
                reflected(lesser, less);
                elsewhere(lesser, less);
                nothing(lesser, less);
                if (mode == Lookup.PRIVATE || mode == Lookup.PROTECTED || mode == Lookup.ORIGINAL) {
                    specialCallers(lesser, less);
                }
            }
            for (Class<?> place : new Class<?>[] {Derived.class, Stranger.class, String.class, List.class,
                    Thread.State.class}) {
                Lookup there = full.in(place);
                String moved = name + ">" + place.getSimpleName();
                System.out.println(moved + ": " + there + " " + Integer.toHexString(there.lookupModes()) + " "
                        + there.previousLookupClass());
                methods(moved, there);
                elsewhere(moved, there);
            }
        }
    }
}
