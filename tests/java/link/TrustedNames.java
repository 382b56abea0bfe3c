// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes that extend a JDK class which the VM trusts, or only have its name. The VM must not trust these classes.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.function.Supplier;

public class TrustedNames {
    // The test gives this class the name of one of the JDK's loaders. define() defines a class in this loader.
    public static class OwnLoader extends ClassLoader {
        public OwnLoader() { super(TrustedNames.class.getClassLoader()); }
        public Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    // The test renames this class to jdk.internal.misc.Unsafe.
    public static class OwnUnsafe implements Supplier<Object> {
        public static OwnUnsafe getUnsafe() { return new OwnUnsafe(); }
        public int getInt(Object o, long offset) { return 7; }
        public final boolean compareAndSetInt(Object o, long offset, int expected, int x) { return offset == 12; }
        public Object get() {
            int sum = 0;
            for (int i = 0; i < 100_000; i++) {
                sum += getUnsafe().getInt(null, i);
                if (compareAndSetInt(null, i, 0, 1)) sum++;
            }
            return sum;
        }
    }

    // The test gives this class another superclass.
    public static class Plain implements Supplier<Object> {
        public Object get() { return "made"; }
    }

    // The test renames Stand to jdk.internal.misc.VM: always in the class file of Curious, which refers to Stand, and
    // in one case also in Stand's own class file.
    public static class Stand { public static boolean isBooted() { return false; } }
    public static class Curious implements Supplier<Object> {
        public Object get() { return Stand.isBooted(); }
    }

    static byte[] bytesOf(String nested) throws IOException {
        try (InputStream in = TrustedNames.class.getResourceAsStream("TrustedNames$" + nested + ".class")) {
            return in.readAllBytes();
        }
    }

    // Replaces texts in the constant pool of a class file.
    static byte[] renamed(byte[] file, Map<String, String> names) throws IOException {
        return renamed(file, names, true);
    }

    // Plain with another superclass.
    static byte[] below(String above) throws IOException {
        return renamed(bytesOf("Plain"), Map.of("java/lang/Object", above), false);
    }

    static byte[] renamed(byte[] file, Map<String, String> names, boolean renamesTypes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1: {
                    String text = in.readUTF();
                    for (Map.Entry<String, String> each : names.entrySet()) {
                        if (text.equals(each.getKey())) text = each.getValue();
                        if (renamesTypes) text = text.replace("L" + each.getKey() + ";", "L" + each.getValue() + ";");
                    }
                    out.writeUTF(text.equals("InnerClasses") || text.equals("NestHost") ? "Ignored" : text);
                    break;
                }
                case 5: case 6: out.writeLong(in.readLong()); i++; break;
                case 7: case 8: case 16: case 19: case 20: out.writeShort(in.readShort()); break;
                case 15: out.writeByte(in.readByte()); out.writeShort(in.readShort()); break;
                default: out.writeInt(in.readInt()); break;
            }
        }
        out.write(in.readAllBytes());
        return bytes.toByteArray();
    }

    static void attempt(String what, ClassLoader loader, byte[]... files) {
        try {
            Class<?> last = null;
            for (byte[] file : files)
                last = (Class<?>) loader.getClass().getMethod("define", byte[].class).invoke(loader, file);
            System.out.println(what + ": " + ((Supplier<?>) last.getConstructor().newInstance()).get());
        } catch (Throwable thrown) {
            Throwable e = thrown instanceof InvocationTargetException ? thrown.getCause() : thrown;
            System.out.println(what + ": " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }

    static ClassLoader loaderNamed(String name) throws Exception {
        byte[] file = renamed(bytesOf("OwnLoader"), Map.of("TrustedNames$OwnLoader", name));
        return (ClassLoader) new OwnLoader().define(file).getConstructor().newInstance();
    }

    public static void main(String[] args) throws Exception {
        String reflect = "jdk/internal/reflect/";
        for (String above : new String[] {reflect + "MagicAccessorImpl", reflect + "ConstructorAccessorImpl",
                reflect + "MethodAccessorImpl", reflect + "FieldAccessorImpl", reflect + "DelegatingClassLoader",
                reflect + "SerializationConstructorAccessorImpl", reflect + "UnsafeFieldAccessorImpl",
                reflect + "Reflection", reflect + "ConstantPool", "jdk/internal/loader/BuiltinClassLoader",
                "jdk/internal/misc/InnocuousThread", "java/lang/ref/FinalReference", "java/lang/StackStreamFactory"}) {
            byte[] file = below(above);
            attempt("extends " + above, new OwnLoader(), file);
            byte[] own = renamed(bytesOf("Plain"), Map.of("TrustedNames$Plain", above));
            attempt("is called and extended " + above, new OwnLoader(), own, file);
        }
        String[] loaders = {"jdk/internal/loader/ClassLoaders$AppClassLoader",
            "jdk/internal/loader/ClassLoaders$PlatformClassLoader", reflect + "DelegatingClassLoader"};
        for (String name : loaders) {
            ClassLoader loader = loaderNamed(name);
            System.out.println(loader.getClass());
            attempt("defines a plain class", loader, renamed(bytesOf("Plain"), Map.of("TrustedNames$Plain", "P")));
            attempt("defines java/lang/Plain", loader,
                    renamed(bytesOf("Plain"), Map.of("TrustedNames$Plain", "java/lang/Plain")));
            attempt("defines java/sql/Plain", loader,
                    renamed(bytesOf("Plain"), Map.of("TrustedNames$Plain", "java/sql/Plain")));
            attempt("defines an accessor", loaderNamed(name),
                    below(reflect + "MethodAccessorImpl"));
        }
        attempt("is called Unsafe", new OwnLoader(),
                renamed(bytesOf("OwnUnsafe"), Map.of("TrustedNames$OwnUnsafe", "jdk/internal/misc/Unsafe")));
        byte[] curious = renamed(bytesOf("Curious"), Map.of("TrustedNames$Stand", "jdk/internal/misc/VM"));
        attempt("uses an internal class", new OwnLoader(), curious);
        attempt("uses its own class of that name", new OwnLoader(),
                renamed(bytesOf("Stand"), Map.of("TrustedNames$Stand", "jdk/internal/misc/VM")), curious);
        attempt("extends Proxy and uses an internal class", new OwnLoader(),
                renamed(curious, Map.of("java/lang/Object", "java/lang/reflect/Proxy"), false));
    }
}
