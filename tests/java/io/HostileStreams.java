// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records, enums, lambdas, sealed types and proxies in serialization, and hostile streams.
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class HostileStreams {
    record R(int a, String b, List<R> l, Object... o) implements Serializable {
        R {
            if (a < 0) throw new IllegalArgumentException("negative " + a);
        }
    }

    sealed interface S extends Serializable permits S1, S2 {}

    record S1(S n) implements S {}

    enum S2 implements S {
        X {
            int q() {
                return 1;
            }
        },
        Y;

        int q() {
            return 0;
        }
    }

    record G<T extends Comparable<T>>(T t, @Deprecated int... v) implements Serializable {
        private void writeObject(ObjectOutputStream o) throws IOException {
            throw new IOException("not called");
        }

        Object writeReplace() {
            return new GP(t);
        }
    }

    static class GP implements Serializable {
        Object t;

        GP(Object t) {
            this.t = t;
        }

        Object readResolve() {
            return "resolved " + t;
        }
    }

    static class Ex implements Externalizable {
        int v;

        public Ex() {}

        Ex(int v) {
            this.v = v;
        }

        public void writeExternal(ObjectOutput o) throws IOException {
            o.writeInt(v);
        }

        public void readExternal(ObjectInput i) throws IOException {
            v = i.readInt() + 1;
        }
    }

    static class NoCtor extends Parent implements Serializable {
        int x = 5;
        transient int y = 6;
        private static final long serialVersionUID = 3;
        final int z = 7;
        final int w;

        NoCtor() {
            super(9);
            w = 8;
        }

        private void readObject(ObjectInputStream i) throws Exception {
            GetF g = null;
            i.defaultReadObject();
            y = 66;
        }
    }

    static class Parent {
        int p;

        Parent() {
            p = -1;
        }

        Parent(int q) {
            p = q;
        }
    }

    interface GetF {}

    static byte[] out(Object o) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        ObjectOutputStream s = new ObjectOutputStream(b);
        s.writeObject(o);
        s.close();
        return b.toByteArray();
    }

    static Object in(byte[] b) throws Exception {
        return new ObjectInputStream(new ByteArrayInputStream(b)).readObject();
    }

    static byte[] rep(byte[] b, String f, String t) throws Exception {
        return new String(b, "ISO-8859-1").replace(f, t).getBytes("ISO-8859-1");
    }

    static void t(String w, Callable c) {
        try {
            System.out.println(w + " " + c.call());
        } catch (Throwable e) {
            System.out.println(
                    w
                            + " "
                            + e.toString().replaceAll("Lambda.*", "Lambda")
                            + (e.getCause() == null ? "" : " <- " + e.getCause()));
        }
    }

    interface Callable {
        Object call() throws Throwable;
    }

    interface SF<A, B> extends Function<A, B>, Serializable {}

    interface SC extends Comparator<String>, Serializable {}

    public static void main(String[] x) throws Throwable {
        R r = new R(1, "b", new ArrayList<>(List.of(new R(2, null, null))), 5, "v");
        t(
                "record",
                () -> {
                    R q = (R) in(out(r));
                    return q.a() + q.b() + q.l().get(0).a() + Arrays.toString(q.o());
                });
        t("sealed", () -> in(out(new S1(new S1(S2.X)))));
        t("enum body", () -> in(out(S2.X)) == S2.X);
        t("replace", () -> in(out(new G<>("t", 1))));
        t("ext", () -> ((Ex) in(out(new Ex(4)))).v);
        t(
                "noctor",
                () -> {
                    NoCtor n = (NoCtor) in(out(new NoCtor()));
                    return n.x + " " + n.y + " " + n.p + " " + n.z + " " + n.w;
                });
        t(
                "lambda",
                () -> {
                    int k = 5;
                    long m = 1L << 40;
                    String s = "cap";
                    SF<Integer, String> f = i -> i + k + m + s;
                    return ((SF<Integer, String>) in(out(f))).apply(3);
                });
        t(
                "mref",
                () -> {
                    SF<String, Integer> f = Integer::parseInt;
                    return ((SF<String, Integer>) in(out(f))).apply("12");
                });
        t(
                "ctor",
                () -> {
                    SF<String, StringBuilder> f = StringBuilder::new;
                    return ((SF<String, StringBuilder>) in(out(f))).apply("q");
                });
        t(
                "bound",
                () -> {
                    SF<String, String> f = "pre"::concat;
                    return ((SF<String, String>) in(out(f))).apply("q");
                });
        t(
                "super",
                () -> {
                    SC c = (SC) String.CASE_INSENSITIVE_ORDER::compare;
                    return ((SC) in(out(c))).compare("A", "a");
                });
        t("not serializable lambda", () -> out((Runnable) () -> {}));
        t(
                "comparator",
                () ->
                        ((Comparator<String>) in(out(Comparator.<String>naturalOrder().reversed())))
                                .compare("a", "b"));
        t(
                "negative record",
                () -> {
                    byte[] b = out(new R(0x41424344, "b", null));
                    return in(rep(b, "ABCD", "\u00ff\u00ff\u00ff\u00ff"));
                });
        t("missing constant", () -> in(rep(out(S2.Y), "\0\1Y", "\0\1Z")));
        t("missing class", () -> in(rep(out(S2.Y), "HostileStreams$S2", "HostileStreams$S9")));
        t(
                "other suid",
                () -> {
                    byte[] b = out(new NoCtor());
                    String s = new String(b, "ISO-8859-1");
                    int i = s.indexOf("NoCtor") + 6;
                    b[i + 7] = 4;
                    return in(b);
                });
        t(
                "record field renamed",
                () -> {
                    byte[] b = out(new R(7, "bb", null));
                    return ((R) in(rep(b, "I\0\1a", "I\0\1A"))).a();
                });
        t("field type changed", () -> in(rep(out(new NoCtor()), "I\0\1x", "J\0\1x")).getClass());
        t("truncated", () -> in(Arrays.copyOf(out(r), 40)));
        t(
                "proxy",
                () -> {
                    Object p =
                            Proxy.newProxyInstance(
                                    HostileStreams.class.getClassLoader(),
                                    new Class<?>[] {Runnable.class, Comparable.class},
                                    new H());
                    return ((Comparable<Object>) in(out(p))).compareTo("q");
                });
        t(
                "filter",
                () -> {
                    ObjectInputStream i =
                            new ObjectInputStream(
                                    new ByteArrayInputStream(
                                            out(new ArrayList<>(List.of(1, 2, "z")))));
                    i.setObjectInputFilter(
                            ObjectInputFilter.Config.createFilter(
                                    "java.util.*;!java.lang.Integer;maxdepth=5"));
                    return i.readObject();
                });
        t(
                "filter depth",
                () -> {
                    Object o = null;
                    for (int k = 0; k < 20; k++) o = new Object[] {o};
                    ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(out(o)));
                    i.setObjectInputFilter(ObjectInputFilter.Config.createFilter("maxdepth=5"));
                    return i.readObject();
                });
        t(
                "cyclic",
                () -> {
                    List<Object> l = new ArrayList<>();
                    l.add(l);
                    List<Object> m = (List<Object>) in(out(l));
                    return m.get(0) == m;
                });
        t(
                "deep",
                () -> {
                    Object o = null;
                    for (int k = 0; k < 100000; k++) o = new Object[] {o};
                    try {
                        out(o);
                        return "ok";
                    } catch (StackOverflowError e) {
                        return "soe";
                    }
                });
        t(
                "shared",
                () -> {
                    Object[] o = {
                        "s",
                        new Date(0),
                        null,
                        int[].class,
                        R.class,
                        S2.X,
                        new int[][] {{1}, {}},
                        'c',
                        2.5f
                    };
                    o[2] = o[1];
                    Object[] q = (Object[]) in(out(o));
                    return (q[2] == q[1])
                            + ""
                            + q[3]
                            + q[4]
                            + q[5]
                            + Arrays.deepToString((Object[]) q[6]);
                });
        t(
                "suid",
                () ->
                        ObjectStreamClass.lookup(GP.class).getSerialVersionUID()
                                + " "
                                + ObjectStreamClass.lookup(S2.class).getSerialVersionUID()
                                + " "
                                + ObjectStreamClass.lookup(R.class).getSerialVersionUID()
                                + " "
                                + ObjectStreamClass.lookup(int[][].class).getSerialVersionUID()
                                + " "
                                + ObjectStreamClass.lookup(Parent.class)
                                + " "
                                + ObjectStreamClass.lookupAny(Parent.class).getSerialVersionUID());
        t(
                "bytes",
                () -> {
                    int h = 0;
                    for (byte q :
                            out(
                                    new Object[] {
                                        S2.X,
                                        new Ex(3),
                                        new NoCtor(),
                                        "\0\u00e9\u0800",
                                        List.of(1),
                                        Map.of("k", 2),
                                        EnumSet.allOf(S2.class),
                                        new TreeMap<>(Map.of(1, 2)),
                                        Locale.GERMANY,
                                        new java.math.BigDecimal("1.50"),
                                        java.time.LocalDate.EPOCH
                                    })) h = h * 31 + q;
                    return h;
                });
        t(
                "throwable",
                () -> {
                    Throwable e = new IllegalStateException("m", new RuntimeException("c"));
                    e.addSuppressed(new Error("s"));
                    Throwable f = (Throwable) in(out(e));
                    return f
                            + " "
                            + f.getCause()
                            + f.getSuppressed()[0]
                            + f.getStackTrace()[0].equals(e.getStackTrace()[0]);
                });
    }

    static class H implements InvocationHandler, Serializable {
        public Object invoke(Object p, Method m, Object[] a) {
            return 17;
        }
    }
}
