// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The errors of Field, Method and Constructor about a wrong object, value, argument or number of arguments: the order
// of their checks, and their texts.
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

public class Refusals {
    int number;
    volatile String text;
    byte small;
    final int fixed = 1;
    static int shared;

    public Refusals() {}
    public Refusals(int number, String text) {}
    public void take(int value) {}
    public static void takeShared(boolean value) {}
    public void takeWide(double value) {}

    interface Attempt { void run() throws Exception; }

    static void attempt(String what, Attempt attempt) {
        try {
            attempt.run();
            System.out.println(what + ": done");
        } catch (Exception refusal) {
            String message = refusal instanceof NullPointerException ? "" : ": " + refusal.getMessage();
            System.out.println(what + ": " + refusal.getClass().getName() + message);
        }
    }

    static void fields() throws Exception {
        for (String name : new String[] {"number", "text", "small", "fixed", "shared"}) {
            Field field = Refusals.class.getDeclaredField(name);
            for (Object object : new Object[] {new Refusals(), "another", null}) {
                String what = name + " of " + (object instanceof Refusals ? "its own" : object) + " ";
                attempt(what + "get", () -> field.get(object));
                attempt(what + "getBoolean", () -> field.getBoolean(object));
                attempt(what + "getByte", () -> field.getByte(object));
                attempt(what + "getInt", () -> field.getInt(object));
                attempt(what + "getDouble", () -> field.getDouble(object));
                attempt(what + "set text", () -> field.set(object, "value"));
                attempt(what + "set number", () -> field.set(object, 1));
                attempt(what + "set null", () -> field.set(object, null));
                attempt(what + "setBoolean", () -> field.setBoolean(object, true));
                attempt(what + "setByte", () -> field.setByte(object, (byte) 1));
                attempt(what + "setInt", () -> field.setInt(object, 1));
                attempt(what + "setDouble", () -> field.setDouble(object, 1));
            }
        }
    }

    static void methods() throws Exception {
        Refusals own = new Refusals();
        Method take = Refusals.class.getMethod("take", int.class);
        Method takeShared = Refusals.class.getMethod("takeShared", boolean.class);
        Method takeWide = Refusals.class.getMethod("takeWide", double.class);
        Constructor<?> make = Refusals.class.getConstructor(int.class, String.class);
        Object[][] lists = {null, {}, {1}, {null}, {"text"}, {1L}, {true}, {1, 2}};
        for (int i = 0; i < lists.length; i++) {
            Object[] arguments = lists[i];
            attempt("take " + i, () -> take.invoke(own, arguments));
            attempt("take " + i + " of another", () -> take.invoke("another", arguments));
            attempt("take " + i + " of null", () -> take.invoke(null, arguments));
            attempt("takeShared " + i, () -> takeShared.invoke(null, arguments));
            attempt("takeWide " + i, () -> takeWide.invoke(own, arguments));
            attempt("make " + i, () -> make.newInstance(arguments));
        }
        attempt("make of texts", () -> make.newInstance("1", "2"));
        attempt("make of numbers", () -> make.newInstance(1, 2));
        attempt("make of nulls", () -> make.newInstance(null, null));
    }

    public static void main(String[] arguments) throws Exception {
        fields();
        methods();
    }
}
