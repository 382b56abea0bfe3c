// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading constraints of members that no constant-pool entry names: lookups, reflection, method references. Base and
// its Shared live in one loader, Sub with its own Shared in another.
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

public class LookupConstraints {
    public static class Shared {}

    public static class Base {
        public Shared field = new Shared();
        public static Shared global = new Shared();
        public Shared[][] nested;
        public Base() {}
        public Base(Shared s) {}
        public Shared give() { return field; }
        public void take(Shared s) {}
        public static Shared giveStatic() { return global; }
        protected Shared guarded() { return field; }
    }

    public interface Giver { default Shared given() { return new Shared(); } }

    public static class Sub extends Base implements Giver {
        public static Object test(String what, Object use) throws Throwable {
            MethodHandles.Lookup l = MethodHandles.lookup();
            Class<?> s = Shared.class, b = Base.class, theirs = (Class<?>) use;
            switch (what) {
                case "getter": return l.findGetter(b, "field", s);
                case "setter": return l.findSetter(b, "field", s);
                case "array getter": return l.findGetter(b, "nested", Shared[][].class);
                case "static getter": return l.findStaticGetter(b, "global", s);
                case "static setter": return l.findStaticSetter(b, "global", s);
                case "varhandle": return l.findVarHandle(b, "field", s);
                case "static varhandle": return l.findStaticVarHandle(b, "global", s);
                case "virtual": return l.findVirtual(b, "give", MethodType.methodType(s));
                case "virtual of the subclass": return l.findVirtual(Sub.class, "give", MethodType.methodType(s));
                case "parameter": return l.findVirtual(b, "take", MethodType.methodType(void.class, s));
                case "static": return l.findStatic(b, "giveStatic", MethodType.methodType(s));
                case "static as virtual": return l.findVirtual(b, "giveStatic", MethodType.methodType(s));
                case "special": return l.findSpecial(b, "give", MethodType.methodType(s), Sub.class);
                case "special of the subclass":
                    return l.findSpecial(Sub.class, "give", MethodType.methodType(s), Sub.class);
                case "protected": return l.findVirtual(b, "guarded", MethodType.methodType(s));
                case "constructor": return l.findConstructor(b, MethodType.methodType(void.class, s));
                case "bound": return l.bind(new Sub(), "give", MethodType.methodType(s));
                case "interface": return l.findVirtual(Giver.class, "given", MethodType.methodType(s));
                case "public lookup":
                    return MethodHandles.publicLookup().findStatic(b, "giveStatic", MethodType.methodType(s));
                case "public lookup of ours": return MethodHandles.publicLookup().in(Sub.class)
                        .findStatic(b, "giveStatic", MethodType.methodType(s));
                case "public lookup of ours, their type": return MethodHandles.publicLookup().in(Sub.class)
                        .findStatic(b, "giveStatic", MethodType.methodType(theirs));
                case "public getter of ours": return MethodHandles.publicLookup().in(Sub.class)
                        .findGetter(b, "field", theirs);
                case "public getter": return MethodHandles.publicLookup().findGetter(b, "field", s);
                case "their type, public":
                    return MethodHandles.publicLookup().findStatic(b, "giveStatic", MethodType.methodType(theirs));
                case "their type": return l.findStatic(b, "giveStatic", MethodType.methodType(theirs));
                case "their field type": return l.findGetter(b, "field", theirs);
                case "their lookup, our type":
                    return MethodHandles.lookup().in(b).findStatic(b, "giveStatic", MethodType.methodType(s));
                case "unreflect": return l.unreflect(b.getMethod("give"));
                case "unreflect parameter": return l.unreflect(b.getMethod("take", theirs));
                case "unreflect special": return l.unreflectSpecial(b.getMethod("give"), Sub.class);
                case "unreflect constructor": return l.unreflectConstructor(b.getConstructor(theirs));
                case "unreflect getter": return l.unreflectGetter(b.getField("field"));
                case "unreflect setter": return l.unreflectSetter(b.getField("field"));
                case "unreflect varhandle": return l.unreflectVarHandle(b.getField("field"));
                case "cast of a reflected getter": {
                    MethodHandle h = l.unreflectGetter(b.getField("field"));
                    return ((Shared) h.asType(MethodType.methodType(s, Sub.class)).invokeExact(new Sub())) == null;
                }
                case "field by reflection": return s.isInstance(b.getField("field").get(new Sub()));
                case "method by reflection": return s.isInstance(b.getMethod("give").invoke(new Sub()));
                case "getMethods": return Sub.class.getMethod("give").getReturnType() == s;
                case "wrong parameter by reflection":
                    return b.getMethod("take", theirs).invoke(new Sub(), new Shared());
                case "setting by reflection": b.getField("field").set(new Sub(), new Shared()); return "set";
                case "method reference": { Supplier<Object> f = new Sub()::give; return f.get() != null; }
                case "unbound reference": { Function<Sub, Object> f = Sub::give; return f.apply(new Sub()); }
                case "static reference": { Supplier<Object> f = Base::giveStatic; return f.get(); }
                case "taking reference": { Consumer<Shared> f = new Sub()::take; f.accept(new Shared()); return "took"; }
                case "constructor reference": { Function<Shared, Base> f = Base::new; return f.apply(new Shared()); }
                case "lambda": { Supplier<Object> f = () -> new Sub().give(); return f.get(); }
                default: throw new AssertionError(what);
            }
        }
    }

    static class Loader extends ClassLoader {
        final Set<String> own;
        Loader(String name, ClassLoader parent, String... own) {
            super(name, parent);
            this.own = Set.of(own);
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            String prefix = "LookupConstraints$";
            if (!name.startsWith(prefix) || !own.contains(name.substring(prefix.length())))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (InputStream in = LookupConstraints.class.getResourceAsStream("/" + name + ".class")) {
                // Renames the attribute InnerClasses. With this attribute, Class.getSimpleName would look for the outer
                // class, which another loader defines.
                String text = new String(in.readAllBytes(), "ISO-8859-1").replace("InnerClasses", "Innerclasses");
                byte[] bytes = text.getBytes("ISO-8859-1");
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static String words(Object o) {
        if (o instanceof MethodHandle) return "handle of " + ((MethodHandle) o).type().returnType().getName();
        if (o instanceof VarHandle) return "handle of " + ((VarHandle) o).varType().getName();
        return String.valueOf(o).replaceAll("@[0-9a-f]+", "@").replaceAll("0x[0-9a-f]+", "0x")
                .replaceAll("Lambda\\$[0-9]+", "Lambda");
    }

    static void attempt(String what, boolean agreed) throws Exception {
        Loader theirs = new Loader("theirs", LookupConstraints.class.getClassLoader(), "Base", "Giver", "Shared");
        Loader ours = agreed ? new Loader("ours", theirs, "Sub") : new Loader("ours", theirs, "Sub", "Shared");
        Class<?> sub = ours.loadClass("LookupConstraints$Sub");
        Class<?> shared = theirs.loadClass("LookupConstraints$Shared");
        System.out.print(what + (agreed ? ", agreed: " : ": "));
        try {
            System.out.println(words(sub.getMethod("test", String.class, Object.class).invoke(null, what, shared))
                    .replaceAll("LookupConstraints\\$Base@", "an object"));
        } catch (InvocationTargetException wrapper) {
            for (Throwable t = wrapper.getCause(); t != null; t = t.getCause()) System.out.print(words(t) + "\n    ");
            System.out.println();
        }
    }

    public static void main(String[] args) throws Exception {
        String[] uses = {"getter", "setter", "array getter", "static getter", "static setter", "varhandle",
            "static varhandle", "virtual", "virtual of the subclass", "parameter", "static", "static as virtual",
            "special", "special of the subclass", "protected", "constructor", "bound", "interface", "public lookup",
            "public lookup of ours",
            "public lookup of ours, their type", "public getter of ours", "public getter", "their type, public",
            "their type", "their field type", "their lookup, our type",
            "unreflect", "unreflect parameter", "unreflect special", "unreflect constructor", "unreflect getter",
            "unreflect setter", "unreflect varhandle", "cast of a reflected getter", "field by reflection",
            "method by reflection", "getMethods", "wrong parameter by reflection", "setting by reflection",
            "method reference", "unbound reference", "static reference", "taking reference", "constructor reference",
            "lambda"};
        for (String use : uses) {
            attempt(use, false);
            attempt(use, true);
        }
    }
}
