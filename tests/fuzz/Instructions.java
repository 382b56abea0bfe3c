// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has nearly every kind of instruction in few bytes, so that damage to the class file usually hits an instruction.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

public class Instructions extends ArrayList<String> implements Greeting, AutoCloseable {
    enum Kind { SMALL { int weight() { return 1; } }, LARGE { int weight() { return 2; } }; abstract int weight(); }

    class Inner { int both() { return size() + field; } }

    static final Object LOCK = new Object();
    static long counter = 0x123456789L;
    static double small = 1e-3;
    volatile long shared;
    int field = 3;
    final String constant = "constant";

    static int table(int i) { switch (i) { case 1: return 5; case 2: return 6; case 3: return 7; default: return -1; } }
    static int lookup(int i) {
        switch (i) {
            case -100000:
                return 1;
            case 5:
                return 2;
            case 99999:
                return 3;
            default:
                return 0;
        }
    }
    static String byText(String s) { switch (s) { case "a": return "x"; case "b": return "y"; default: return "z"; } }
    static String byKind(Object o) {
        switch (o instanceof Kind ? (Kind) o : Kind.SMALL) {
            case SMALL:
                return "s";
            case LARGE:
                return "l";
        }
        return "";
    }

    synchronized int locked(int a) { synchronized (LOCK) { return a + field; } }

    static long mixed(int a, long b, float c, double d, byte e, char f, short g, boolean h) {
        long r = a ^ b;
        r += (long) c;
        r -= (long) (d * a / b % 7);
        r = r << e | f & g;
        r >>>= 3;
        return h ? -r : ~r;
    }

    static boolean compared(float a, double b, long c) { return a > 1f && b < 2.0 || c >= 3L && a != b; }

    static int handled(int x) {
        try {
            if (x > 0) return x;
            throw new IllegalStateException("negative");
        } catch (IllegalStateException e) {
            return -1;
        } finally {
            counter++;
        }
    }

    static int[][][] arrays() {
        int[][][] cube = new int[2][3][];
        cube[0][1] = new int[] {1, 2, 3};
        long[] l = {1L, 2L}; l[1] += 5;
        byte[] b = {1}; b[0] <<= 2;
        char[] c = {'a'}; c[0]++;
        short[] s = {3}; s[0] *= 2;
        float[] f = {1f}; f[0] /= 3;
        double[] d = {1}; d[0] %= 0.3;
        boolean[] z = {true}; z[0] ^= true;
        System.out.println(l[1] + " " + b[0] + c[0] + s[0] + f[0] + d[0] + z[0]);
        return cube;
    }

    @Override public void close() { System.out.println("closed"); }

    static void thrown(Runnable program) {
        try {
            program.run();
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        try (Instructions it = new Instructions()) {
            it.add("one");
            for (int i = 0; i < 10; i++) sum += table(i) + it.locked(i) + lookup(i);
            Function<Integer, Integer> plus = x -> x + it.field;
            Supplier<String> hello = it::hello;
            it.shared += 2;
            System.out.println(sum + byText("b") + byKind(Kind.LARGE) + plus.apply(4) + hello.get() + it
                    + it.new Inner().both() + it.constant + it.shared);
        }
        System.out.println(mixed(1, 2L, 3f, 4.0, (byte) 5, 'c', (short) 7, true) + " " + handled(3) + handled(-1)
                + compared(2f, 1.0, 3));
        System.out.println(arrays()[0][1][2] + Arrays.deepToString(new int[2][2]) + counter + small + (byte) 300
                + (short) 70000 + (char) (sum + 'a'));
        Object o = new int[0];
        Object[] strings = new String[1];
        thrown(() -> System.out.println(((Object[]) o).length));
        thrown(() -> strings[0] = 1);
        thrown(() -> System.out.println(1 / (strings.length - 1)));
        thrown(() -> System.out.println(new int[-strings.length].length));
        thrown(() -> System.out.println(((String) strings[0]).length()));
        synchronized (o) { synchronized (strings) { System.out.println(Thread.holdsLock(o)); } }
        for (Kind kind : Kind.values()) System.out.print(kind.weight() + kind.name());
        System.out.println(new TreeMap<>(java.util.Collections.singletonMap(Kind.valueOf("SMALL"), List.class)));
        throw new IllegalStateException("end", new RuntimeException("cause"));
    }
}

interface Greeting {
    default String hello() {
        return "hello " + Greeting.mark();
    }
    static String mark() {
        return "!";
    }
}
