// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading constraints: each way to use a member of another loader's class, when both loaders have their own class
// Shared in the member's signature. The user's own Shared is loaded before the use, or only afterwards.
import java.io.InputStream;
import java.util.Set;

public class SignatureConstraints {
    public static class Shared { public String toString() { return "shared"; } }
    public static class Holder {
        public Shared field = new Shared();
        public static Shared sharedField;
        public static Shared make() { return new Shared(); }
        public Shared get() { return new Shared(); }
        public Object lookUp(String name, int[] numbers, Shared[][] table) {
            return table.length + name + numbers.length;
        }
    }
    public interface Face { Shared face(); }
    public static class ReadsField implements Runnable { public void run() { System.out.println(new Holder().field); } }
    public static class ReadsStatic implements Runnable {
        public void run() {
            System.out.println(Holder.sharedField);
        }
    }
    public static class CallsStatic implements Runnable { public void run() { System.out.println(Holder.make()); } }
    public static class CallsVirtual implements Runnable {
        public void run() {
            System.out.println(new Holder().get());
        }
    }
    public static class PassesArray implements Runnable {
        public void run() { System.out.println(new Holder().lookUp("x", new int[2], new Shared[3][])); }
    }
    public static class CallsInterface implements Runnable {
        public void run() {
            Face nothing = null;
            System.out.println(nothing.face());
        }
    }
    public static class Implements implements Face { public Shared face() { return null; } }
    public static class Overrides extends Holder { public Shared get() { return null; } }
    public static class BaseFace { public Shared face() { return null; } }
    public static class Inherits extends BaseFace implements Face { }

    static class Own extends ClassLoader {
        final Set<String> mine;
        Own(String name, String... mine) {
            super(name, SignatureConstraints.class.getClassLoader());
            this.mine = Set.of(mine);
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("SignatureConstraints$") || !mine.contains(name.substring(21)))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void attempt(boolean sharedFirst, String... mine) {
        String what = mine[mine.length - 1] + (sharedFirst ? ", known to both" : ", known to one");
        Own loader = new Own(what, mine);
        for (int time = 0; time < 2; time++) {
            try {
                if (sharedFirst) loader.loadClass("SignatureConstraints$Shared");
                Object made = Class.forName("SignatureConstraints$" + mine[mine.length - 1], true, loader)
                                      .getConstructor()
                                      .newInstance();
                if (made instanceof Runnable runnable) runnable.run();
                loader.loadClass("SignatureConstraints$Shared");
                System.out.println(what + ": fine");
            } catch (Throwable e) {
                System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@"));
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(new Shared());
        for (boolean first : new boolean[] {true, false}) {
            for (String name : new String[] {"ReadsField", "ReadsStatic", "CallsStatic", "CallsVirtual", "PassesArray",
                         "CallsInterface", "Implements", "Overrides", "Inherits"}) {
                attempt(first, "Shared", name);
            }
            attempt(first, "Shared", "Face", "Inherits");
        }
    }
}
