// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes stack traces of threads that meanwhile return from their frames and drop the classes of these frames, so that
// the classes die.
// jvm: -Xmx12m -XX:GCStressInterval=4000
// expected: frames of classes that come and go: true, all known: true
// timeout: 60

import java.util.Map;

public class OthersFrames {
    public static class Visitor implements Runnable {
        static long descend(int depth) {
            if (depth > 0) return 1 + descend(depth - 1);
            return OthersFrames.stay();
        }
        public void run() { descend(50); }
    }

    // This class is loaded into memory that unloaded visitors have freed, and fills that memory with other data.
    public static class Successor {
        static final String TEXT = "a constant", OTHER = "another constant";
        long first, second, third;
        double fourth(long a, double b, String c) { return a * b + c.length() + first - second * third; }
        String fifth(Object a, int[] b, char[][] c) { return a + TEXT + b.length + OTHER + c[0].length; }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    static volatile boolean ends;
    static volatile long rounds;   // how many rounds of stack traces have begun
    static volatile long visits;

    /**
     * Runs in the innermost frame of a visitor. Every eighth visit lasts a whole round of stack traces, so that its
     * frames are in a trace. The other visits last a millisecond, and may also end in the middle of a round.
     */
    public static long stay() {
        long turns = 0;
        if (visits++ % 8 == 0) {
            long last = rounds + 2;
            while (rounds < last && !ends) turns++;
        } else {
            long end = System.nanoTime() + 1_000_000;
            while (System.nanoTime() < end) turns++;
        }
        return turns;
    }

    static void visit(byte[] bytes) throws Exception {
        ((Runnable) new Loader().define(bytes).getConstructor().newInstance()).run();
    }

    static void sleep(int depth) {
        if (depth > 0) {
            sleep(depth - 1);
            return;
        }
        try {
            while (!ends) Thread.sleep(20);   // sleeps until the last stack trace has been made
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = OthersFrames.class.getResourceAsStream("OthersFrames$Visitor.class").readAllBytes();
        byte[] successor = OthersFrames.class.getResourceAsStream("OthersFrames$Successor.class").readAllBytes();
        Thread visitor = new Thread(() -> {
            try {
                while (!ends) {
                    visit(bytes);
                    System.gc();
                    for (int i = 0; i < 12; i++) new Loader().define(successor);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        visitor.start();
        Thread[] sleepers = new Thread[16];   // these threads have long stack traces, which fill the heap
        for (int i = 0; i < sleepers.length; i++) (sleepers[i] = new Thread(() -> sleep(1000))).start();
        int seen = 0;
        boolean known = true;
        long end = System.nanoTime() + 5_000_000_000L;
        while (System.nanoTime() < end || visits < 2) {   // the second visit begins when the first has ended
            rounds++;
            for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
                for (StackTraceElement frame : each.getValue()) {
                    String name = frame.getClassName();
                    // Reflection runs code of sun.security.action once, in the first visit.
                    known &= name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")
                            || name.startsWith("OthersFrames");
                    if (name.equals("OthersFrames$Visitor")) seen++;
                }
            }
        }
        ends = true;
        visitor.join();
        for (Thread each : sleepers) each.join();
        System.out.println("frames of classes that come and go: " + (seen > 0) + ", all known: " + known);
    }
}
