// When an array is spread, its elements are cast one by one from the element type to the parameters' types.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class SpreadElements {
    static class Holder { Object object = "held"; }
    static class Number4 { int number = 0x41414141; }
    interface Call { Object call() throws Throwable; }

    static int first(Holder holder) { return holder.object.hashCode(); }
    static int second(Holder one, Holder other) { return other.object.hashCode(); }
    static String wide(long number, Object any) { return number + " " + any; }
    Object self() { return this; }

    static void show(String what, Call call) {
        String result;
        try {
            result = String.valueOf(call.call());
        } catch (Throwable thrown) {
            result = thrown.getClass().getName();
        }
        System.out.println(what + ": " + result);
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType ofHolder = MethodType.methodType(int.class, Holder.class);
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        MethodHandle first = lookup.findStatic(SpreadElements.class, "first", ofHolder);
        MethodHandle second = lookup.findStatic(SpreadElements.class, "second",
                MethodType.methodType(int.class, Holder.class, Holder.class));
        MethodHandle wide = lookup.findStatic(SpreadElements.class, "wide",
                MethodType.methodType(String.class, long.class, Object.class));
        MethodHandle self = lookup.findVirtual(SpreadElements.class, "self", MethodType.methodType(Object.class));
        Object[] one = {1}, wrong = {new Number4()}, right = {new Holder()}, none = {null};
        MethodHandle spreadLength = length.asSpreader(Object[].class, 1);
        show("receiver", () -> spreadLength.invoke(one));
        show("receiver, exact", () -> (int) spreadLength.invokeExact(one));
        show("receiver, with arguments", () -> spreadLength.invokeWithArguments((Object) one));
        show("receiver, of an object", () -> spreadLength.invoke((Object) one));
        show("own receiver", () -> self.asSpreader(Object[].class, 1).invoke(wrong));
        show("static", () -> first.asSpreader(Object[].class, 1).invoke(wrong));
        show("static, right", () -> (int) first.asSpreader(Object[].class, 1).invokeExact(right));
        show("static, null", () -> first.asSpreader(Object[].class, 1).invoke(none));
        show("static, Holder[]", () -> first.asSpreader(Holder[].class, 1).invoke((Object) wrong));
        show("as another type", () -> first.asSpreader(Object[].class, 1)
                .asType(MethodType.methodType(Object.class, Object[].class)).invoke(new Object[] {"text"}));
        show("invoker", () -> MethodHandles.spreadInvoker(ofHolder, 0).invoke(first, wrong));
        show("invoker, right", () -> MethodHandles.spreadInvoker(ofHolder, 0).invoke(first, right));
        show("at a position", () -> second.asSpreader(1, Object[].class, 1).invoke(new Holder(), wrong));
        show("int[] to long", () -> wide.asSpreader(0, int[].class, 1).invoke(new int[] {7}, "x"));
        show("Object[] to long", () -> wide.asSpreader(Object[].class, 2).invoke(new Object[] {7, one.length}));
        show("Object[] to long, null", () -> wide.asSpreader(Object[].class, 2).invoke(new Object[] {null, "x"}));
        show("String[] to long", () -> wide.asSpreader(0, String[].class, 1));
    }
}
