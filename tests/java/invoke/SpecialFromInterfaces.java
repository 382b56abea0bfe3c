// Tests findSpecial and unreflectSpecial on lookups of interfaces and their subtypes. The members are methods of
// Object, abstract methods, and methods of indirect superinterfaces.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class SpecialFromInterfaces {
    static final MethodType TEXT = MethodType.methodType(String.class);

    interface Finding { MethodHandle find() throws Throwable; }

    static void show(String what, Finding finding, Object receiver) {
        try {
            String result = (String) finding.find().invoke(receiver);
            System.out.println(what + ": " + result.replaceAll("@[0-9a-f]+", "@"));
        } catch (Throwable thrown) {
            // Removes the type of a reflected method, which java prints as an array's address.
            String message = thrown.getMessage().replaceAll("(\\(\\)String|\\[Ljava.lang.Object;@[0-9a-f]+)/", "/");
            System.out.println(what + ": " + thrown.getClass().getName() + ": " + message + " / " + thrown.getCause());
        }
    }

    interface I {
        default String d() { return "I.d"; }
        private String secret() { return "I.secret"; }

        static void ask() {
            show("Object.toString in I", () ->
                    MethodHandles.lookup().findSpecial(Object.class, "toString", TEXT, I.class), new Derived());
            show("the same, reflected", () ->
                    MethodHandles.lookup().unreflectSpecial(Object.class.getMethod("toString"), I.class), new Derived());
            show("I.d in I", () -> MethodHandles.lookup().findSpecial(I.class, "d", TEXT, I.class), new Derived());
            show("I.toString in I", () -> MethodHandles.lookup().findSpecial(I.class, "toString", TEXT, I.class),
                    new Object() {
                @Override public String toString() { return "not an I"; }
            });
        }
    }

    interface Other {
        default String d() { return "Other.d"; }
    }

    static class Base implements I {
        @Override public String d() { return "Base.d"; }
    }

    static abstract class Unfinished {
        abstract String missing();
    }

    static class Derived extends Base {
        @Override public String d() { return "Derived.d"; }

        static void ask() {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            show("past Base's override", () -> lookup.findSpecial(I.class, "d", TEXT, Derived.class), new Derived());
            show("to a private method", () -> lookup.findSpecial(I.class, "secret", TEXT, Derived.class), new Derived());
            show("of a stranger", () -> lookup.findSpecial(Other.class, "d", TEXT, Derived.class), new Derived());
            show("of the superclass", () -> lookup.findSpecial(Base.class, "d", TEXT, Derived.class), new Derived());
        }
    }

    static class Finished extends Unfinished {
        @Override String missing() { return "Finished.missing"; }

        static void ask() {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            show("an abstract one", () -> lookup.findSpecial(Unfinished.class, "missing", TEXT, Finished.class),
                    new Finished());
            show("an abstract one, reflected", () ->
                    lookup.unreflectSpecial(Unfinished.class.getDeclaredMethod("missing"), Finished.class),
                    new Finished());
        }
    }

    public static void main(String[] args) {
        I.ask();
        Derived.ask();
        Finished.ask();
    }
}
