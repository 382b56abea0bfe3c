// Tests Lookup.revealDirect on handles of all kinds. It must accept direct handles if the lookup has access to the
// member, and must refuse all other handles.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;

public class RevealedHandles {
    interface Body { Object run() throws Throwable; }

    static class Other {
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }

    static void show(String what, Body body) {
        String line;
        try {
            line = "= " + body.run();
        } catch (Throwable thrown) {
            line = "! " + thrown + (thrown.getCause() != null ? " / " + thrown.getCause() : "");
        }
        System.out.println(what + " " + line.replaceAll("@[0-9a-f]+", "@HASH"));
    }

    static String revealed(MethodHandles.Lookup lookup, MethodHandle handle) {
        MethodHandleInfo info = lookup.revealDirect(handle);
        return info + " " + Modifier.toString(info.getModifiers()) + " " + info.getModifiers() + " "
                + info.isVarArgs() + handle.isVarargsCollector();
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodType one = MethodType.methodType(String.class, Object.class);
        MethodHandle[] handles = {
            MethodHandles.exactInvoker(one),
            MethodHandles.invoker(one),
            MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET_AND_ADD, MethodType.methodType(int.class,
                    int.class)),
            MethodHandles.varHandleExactInvoker(VarHandle.AccessMode.SET, MethodType.methodType(void.class,
                    int.class)),
            MethodHandles.spreadInvoker(one, 0),
            l.findVirtual(MethodHandle.class, "invoke", one),
            l.unreflect(MethodHandle.class.getMethod("invoke", Object[].class)),
            l.unreflect(MethodHandle.class.getMethod("invokeExact", Object[].class)),
            l.findStatic(Class.class, "forName", MethodType.methodType(Class.class, String.class)),
            l.unreflect(Class.class.getMethod("forName", String.class)),
            MethodHandles.identity(int.class),
            MethodHandles.constant(int.class, 1),
            MethodHandles.zero(int.class),
            l.bind("x", "length", MethodType.methodType(int.class)),
            l.findVirtual(int[].class, "clone", MethodType.methodType(Object.class)),
            l.findVirtual(Object.class, "clone", MethodType.methodType(Object.class)),
            MethodHandles.exactInvoker(one).asType(MethodType.methodType(Object.class, MethodHandle.class,
                    Object.class)),
            MethodHandles.exactInvoker(one).bindTo(MethodHandles.identity(Object.class)),
            l.findConstructor(String.class, MethodType.methodType(void.class)),
            l.findVirtual(CharSequence.class, "length", MethodType.methodType(int.class)),
            l.findVirtual(CharSequence.class, "hashCode", MethodType.methodType(int.class)),
        };
        MethodHandles.Lookup[] lookups = {l, MethodHandles.publicLookup(), Other.lookup(), l.in(Other.class),
                l.dropLookupMode(MethodHandles.Lookup.PRIVATE), l.in(String.class),
                MethodHandles.privateLookupIn(Other.class, l)};
        for (int i = 0; i < handles.length; i++) {
            MethodHandle handle = handles[i];
            for (MethodHandles.Lookup each : lookups) show(i + " " + each, () -> revealed(each, handle));
            show(i + " reflect", () -> l.revealDirect(handle).reflectAs(Member.class, l));
            show(i + " reflectAs", () -> MethodHandles.reflectAs(Member.class, handle));
            show(i + " constant", () -> handle.describeConstable());
            show(i + " type", () -> handle.type() + " " + handle);
        }
        show("call", () -> l.findStatic(Class.class, "forName", MethodType.methodType(Class.class, String.class))
                .invoke("RevealedHandles"));
    }
}
