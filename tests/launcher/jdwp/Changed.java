// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The class that Changes.java redefines while it runs.
public class Changed {
    static volatile int phase;

    static int value() { return 1; }

    static int standing() throws Exception {
        int kept = 40;
        new Ready();   // the debugger waits until this class is loaded
        while (phase == 0) Thread.sleep(5);
        return kept + value();
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static void loadAndForget() throws Exception {
        byte[] bytes = Changed.class.getResourceAsStream("Forgotten.class").readAllBytes();
        var constructor = new Loader().define(bytes).getDeclaredConstructor();
        constructor.setAccessible(true);
        System.out.println(constructor.newInstance());
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("before " + value());
        System.out.println("standing " + standing());
        System.out.println("after " + value());
        loadAndForget();
        for (int i = 0; i < 5; i++) System.gc();
        new Later();
        System.out.println("end");
    }
}

class Ready { }

class Later { }

class Forgotten {
    @Override public String toString() { return "forgotten"; }
}
