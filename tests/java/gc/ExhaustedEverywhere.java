// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jvm: -Xmx12m
// stress: no
// Memory runs out in natives, class loading, class initialisation, lambdas, exceptions and thread starts. Each action
// throws OutOfMemoryError, or succeeds with the last free bytes. It succeeds once there is memory again.
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class ExhaustedEverywhere {
    interface Action { Object run() throws Throwable; }

    static Object[] hog;
    static Throwable[] seen = new Throwable[1];

    static class Initialised { static final int[] table = new int[100_000]; }
    static class Loaded0 { int a; String s = "a" + a; }
    static class Loaded1 extends Loaded0 implements Comparable<Loaded1> {
        public int compareTo(Loaded1 o) {
            return 0;
        }
    }
    static class Loaded2 extends Loaded1 { }
    enum Color { RED, GREEN }
    record Pair(int a, String b) { }

    static void fill() {
        hog = null;
        for (int size : new int[] {100_000, 1000, 10, 0}) {
            try {
                while (true) hog = new Object[] {hog, new byte[size]};
            } catch (OutOfMemoryError e) {
            }
        }
    }

    static void attempt(String name, Action action) {
        Throwable problem = null;
        fill();
        try {
            action.run();
        } catch (Throwable t) {
            problem = t;
        }
        hog = null;
        if (problem instanceof InvocationTargetException && problem.getCause() != null) problem = problem.getCause();
        boolean fine = problem == null || problem instanceof OutOfMemoryError;
        System.out.println(name + " " + (fine ? "exhausted or done" : problem.toString()));
        for (int i = 0; !fine && i < Math.min(4, problem.getStackTrace().length); i++)
            System.out.println("  " + problem.getStackTrace()[i]);
        try {
            System.out.println("  afterwards " + action.run());
        } catch (Throwable t) {
            System.out.println("  afterwards " + t);
        }
    }

    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

    public static void main(String[] args) throws Throwable {
        int[][] grid = {{1, 2}, {3}};
        Object object = new Object();
        Method method = ExhaustedEverywhere.class.getDeclaredMethod("deep", int.class);
        attempt("clone", () -> new byte[200_000].clone().length);
        attempt("array clone", () -> grid.clone().length);
        attempt("multi", () -> new int[100][1000].length);
        attempt("reflect array", () -> Array.getLength(Array.newInstance(String.class, 100_000)));
        attempt("box", () -> Integer.valueOf(1_000_000));
        attempt("intern", () -> ("text" + System.identityHashCode(object) % 1).intern());
        attempt("invoke", () -> method.invoke(null, 10));
        attempt("methods", () -> Pair.class.getDeclaredMethods().length);
        attempt("fields", () -> Pair.class.getRecordComponents().length);
        attempt("name", () -> Pair.class.getName() + Color.RED);
        attempt("forName",
                ()
                        -> Class.forName("ExhaustedEverywhere$Loaded2", false,
                                        ExhaustedEverywhere.class.getClassLoader())
                                .getSimpleName());
        attempt("new loaded", () -> new Loaded2().s);
        attempt("array class", () -> new Loaded2[3][4][0].getClass().getSimpleName());
        attempt("stack trace", () -> new Throwable("x").getStackTrace().length > 0);
        attempt("division", () -> {
            try {
                return 1 / (hog == null ? 0 : 0);
            } catch (ArithmeticException e) {
                return e.getMessage();
            }
        });
        attempt("null", () -> {
            try {
                return ((String) null).length();
            } catch (NullPointerException e) {
                return "null";
            }
        });
        attempt("cast", () -> { try { return (String) object; } catch (ClassCastException e) { return "cast"; } });
        attempt("index", () -> {
            try {
                return grid[5];
            } catch (ArrayIndexOutOfBoundsException e) {
                return e.getMessage();
            }
        });
        attempt("store", () -> {
            try {
                ((Object[]) new String[1])[0] = object;
                return 1;
            } catch (ArrayStoreException e) {
                return e.getMessage();
            }
        });
        attempt("lambda", () -> { IntFunction<String> f = n -> "f" + n; return f.apply(7); });
        attempt("reference", () -> { Function<String, Integer> f = Integer::parseInt; return f.apply("12"); });
        attempt("concat", () -> "a" + 1 + 'b' + 2.5);
        attempt("record", () -> new Pair(1, "b").toString() + new Pair(1, "b").hashCode());
        attempt("thread", () -> { Thread t = new Thread(() -> { }); t.start(); t.join(); return t.getState(); });
        attempt("monitor", () -> { synchronized (object) { object.wait(1); } return "waited"; });
        attempt("property", () -> System.getProperty("java.specification.version"));
        attempt("streams", () -> Arrays.stream(new int[] {1, 2, 3}).boxed().mapToInt(Integer::intValue).sum());
        attempt("format", () -> String.format("%d %s", 3, "x"));
        attempt("resource", () -> Object.class.getResource("Object.class").getProtocol());
        attempt("proxy",
                ()
                        -> ((Supplier<?>) Proxy.newProxyInstance(ExhaustedEverywhere.class.getClassLoader(),
                                    new Class<?>[] {Supplier.class}, (p, m, a) -> "proxied"))
                                .get());
        Class.forName("ExhaustedEverywhere$Initialised", false, ExhaustedEverywhere.class.getClassLoader());
        fill();
        try {
            System.out.println(Initialised.table.length);
        } catch (OutOfMemoryError e) {
            hog = null;
            System.out.println("initialiser exhausted");
        } catch (ExceptionInInitializerError e) {
            hog = null;
            System.out.println("in initialiser " + e.getCause());
        }
        hog = null;
        try {
            System.out.println(Initialised.table.length);
        } catch (NoClassDefFoundError e) {
            System.out.println("erroneous");
        }
        System.out.println("alive");
    }
}
