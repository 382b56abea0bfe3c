// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Field.get and set: widening, wrong types, finals, statics, records.
import java.lang.reflect.Field;

public class FieldAccess {
    static class F {
        byte b = 1;
        char c = 'c';
        long l = 3;
        double d = 4;
        String s = "s";
        final int fin = 5;
        static final Object SF = "sf";
        static int st = 6;
        int[] arr = {7};
        boolean z;
    }
    record R(int x) {}
    interface Step { Object run() throws Exception; }
    static void attempt(String what, Step s) {
        try {
            System.out.println(what + " " + s.run());
        } catch (Exception e) {
            System.out.println(what + " " + e.getClass().getSimpleName() + ": "
                    + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }
    static Field f(String n) throws Exception { return F.class.getDeclaredField(n); }
    public static void main(String[] args) {
        F o = new F();
        attempt("widen", () -> f("b").getLong(o) + " " + f("c").getDouble(o) + " " + f("b").get(o).getClass());
        attempt("narrow", () -> f("l").getInt(o));
        attempt("set widen", () -> { f("d").setInt(o, 9); f("l").setChar(o, 'x'); return o.d + " " + o.l; });
        attempt("set narrow", () -> { f("b").setInt(o, 9); return o.b; });
        attempt("set boxed", () -> { f("l").set(o, 77); return o.l; });
        attempt("set wrong", () -> { f("s").set(o, 5); return o.s; });
        attempt("set null", () -> { f("s").set(o, null); return o.s; });
        attempt("null to int", () -> { f("l").set(o, null); return o.l; });
        attempt("final", () -> { f("fin").setInt(o, 1); return o.fin; });
        attempt("final accessible", () -> {
            Field x = f("fin");
            x.setAccessible(true);
            x.setInt(o, 1);
            return x.getInt(o) + " " + o.fin;
        });
        attempt("static final", () -> { Field x = f("SF"); x.setAccessible(true); x.set(null, "y"); return F.SF; });
        attempt("static", () -> { f("st").setInt(null, 8); return F.st + " " + f("st").get("ignored"); });
        attempt("record", () -> {
            Field x = R.class.getDeclaredField("x");
            x.setAccessible(true);
            x.setInt(new R(1), 2);
            return "";
        });
        attempt("wrong object", () -> f("b").get("x"));
        attempt("null object", () -> {
            try {
                return f("b").get(null);
            } catch (NullPointerException e) {
                return "NPE";
            }
        });
        attempt("boolean", () -> f("z").getInt(o));
        attempt("private of another module", () -> {
            Field x = String.class.getDeclaredField("hash");
            x.setAccessible(true);
            return x.getInt("a");
        });
        attempt("no such", () -> f("nope"));
        attempt("array length", () -> int[].class.getFields().length);
        attempt("array",
                ()
                        -> java.lang.reflect.Array.getInt(f("arr").get(o), 0) + " "
                        + java.lang.reflect.Array.getLength(new long[3]) + " "
                        + java.lang.reflect.Array.get(new byte[] {5}, 0).getClass());
        attempt("array index", () -> java.lang.reflect.Array.get(new byte[1], 2));
        attempt("not an array", () -> java.lang.reflect.Array.getLength("x"));
        attempt("array set", () -> {
            Object a = new double[1];
            java.lang.reflect.Array.set(a, 0, 'c');
            return ((double[]) a)[0];
        });
        attempt("array set wrong", () -> { java.lang.reflect.Array.set(new int[1], 0, 5L); return ""; });
        attempt("array negative", () -> java.lang.reflect.Array.newInstance(int.class, -1));
        attempt("array of void", () -> java.lang.reflect.Array.newInstance(void.class, 1));
        attempt("array dimensions", () -> java.lang.reflect.Array.newInstance(String.class, 2, 0, 3).getClass());
    }
}
