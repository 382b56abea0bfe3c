// The JDK's own bootstrap methods link call sites of class files in which one name was changed. Linking fails with the
// errors of resolution.
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

public class BrokenBootstraps {
    public static class Lambda implements Runnable {
        int seven = 7;
        public void run() {
            Function<Integer, Integer> add = x -> x + seven;
            System.out.println(add.apply(1));
        }
    }

    public static class Concat implements Runnable {
        int seven = 7;
        public void run() { System.out.println("seven is " + seven + "."); }
    }

    public static class Outer implements Runnable {
        record Pair(int x, String y) {}
        public void run() {
            Pair pair = new Pair(1, "two");
            System.out.println(
                    pair.equals(new Pair(1, "two")) + " " + (pair.hashCode() == new Pair(1, "two").hashCode()));
            System.out.println(pair);
        }
    }

    // Defines the classes of this file again, with one text of their constant pools replaced by another of the same
    // length.
    static class Patching extends ClassLoader {
        final String from, to;
        Patching(String from, String to) {
            super(BrokenBootstraps.class.getClassLoader());
            this.from = from;
            this.to = to;
        }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("BrokenBootstraps$")) return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) return loaded;
            try (InputStream in = getResourceAsStream(name + ".class")) {
                // ISO 8859-1 maps each byte to one char, and back.
                String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                byte[] bytes = text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void run(String which, String from, String to) throws Exception {
        System.out.println(which + ": " + from + " -> " + to);
        if (from.length() != to.length()) throw new AssertionError();
        Class<?> loaded = new Patching(from, to).loadClass("BrokenBootstraps$" + which);
        for (int i = 0; i < 2; i++) {
            try {
                ((Runnable) loaded.getDeclaredConstructor().newInstance()).run();
            } catch (Throwable e) {
                System.out.println("  " + e.getClass().getName() + ": " + e.getMessage());
                for (Throwable c = e.getCause(); c != null; c = c.getCause()) System.out.println("    " + c);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        run("Lambda", "no such text", "no such text");
        run("Lambda", "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
                      "Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSita;");
        run("Lambda", "metafactory", "metafactorx");
        run("Lambda", "LambdaMetafactory", "LambdaMetafactoro");
        run("Lambda", "(Ljava/lang/Object;)Ljava/lang/Object;", "(Ljava/lang/Object;)Ljava/lung/Object;");
        run("Lambda", ")Ljava/util/function/Function;", ")Ljava/util/function/Functiun;");
        run("Concat", "no such text", "no such text");
        run("Concat", "makeConcatWithConstants", "makeConcatWithConstantz");
        run("Concat", "(I)Ljava/lang/String;", "(I)Ljava/lang/Strung;");
        run("Outer", "InnerClasses", "InnerClassez");
        run("Outer", "ObjectMethods", "ObjectMethodz");
    }
}
