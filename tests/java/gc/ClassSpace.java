// jvm: -XX:KlassIdLimit=3000
// javac: -XDstringConcat=inline
// expected: filled
// expected: instance: java.lang.OutOfMemoryError: Compressed class space
// expected: array: java.lang.OutOfMemoryError: Compressed class space
// expected: again: java.lang.OutOfMemoryError: Compressed class space
// expected: 42 1
// An object header names its class by an id, and there is only a limited number of ids. When classes that stay have
// used all ids, the next definition fails with HotSpot's error for a full class space, and loaded classes continue to
// work.
import java.util.ArrayList;
import java.util.List;

public class ClassSpace {
    public static class Item {
        static int next = 41;
        public int number() { return ++next; }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    interface Attempt { Object make(); }

    static String result(Attempt attempt) {
        try {
            return attempt.make().toString();
        } catch (OutOfMemoryError full) {
            return full.toString();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = ClassSpace.class.getResourceAsStream("ClassSpace$Item.class").readAllBytes();
        List<Class<?>> kept = new ArrayList<>();
        Attempt define = () -> kept.add(new Loader().define(bytes)) ? kept.get(kept.size() - 1) : null;
        Attempt[] deepen = new Attempt[1];
        Class<?>[] array = {Item.class};
        deepen[0] = () -> array[0] = array[0].arrayType();
        result(define);      // this first attempt loads the classes that later attempts use, while ids are left
        result(deepen[0]);
        Item item = new Item();
        String numbers = item.number() + " " + kept.size();   // as below
        Item.next = 41;
        System.out.println(numbers.isEmpty() ? numbers : "filled");
        String instance = "";
        for (int i = 0; i < 5000 && instance.indexOf("OutOfMemory") < 0; i++) instance = result(define);
        System.out.println("instance: " + instance);
        System.out.println("array: " + result(deepen[0]));
        int count = kept.size();
        System.out.println("again: " + result(define));
        System.out.println(item.number() + " " + (count == kept.size() && count > 1000 ? 1 : count));
    }
}
