// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackOverflowError in several threads at once: plain recursion, through a lock at every level, through reflection,
// through a callback of the class library; on stacks of two sizes.
// stress: no
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class OverflowInThreads {
    static int plain(int n) { return plain(n + 1) + 1; }
    static synchronized int locked(int n) { return locked(n + 1) + 1; }
    public static int reflected(Method m) throws Throwable {
        try { return (Integer) m.invoke(null, m) + 1; } catch (InvocationTargetException e) { throw e.getCause(); }
    }
    static int compared(int n) {
        int[] r = new int[1];
        java.util.Arrays.asList(2, 1).sort((a, b) -> {
            r[0] = compared(n + 1);
            return 0;
        });
        return r[0] + 1;
    }

    interface Body { void run() throws Throwable; }
    static Thread start(String what, long stack, Body body, String[] results, int at) {
        Thread t = new Thread(null, () -> {
            try {
                body.run();
                results[at] = what + ": returned";
            } catch (Throwable e) {
                results[at] = what + ": " + e.getClass().getName();
            }
        }, what, stack);
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Method m = OverflowInThreads.class.getMethod("reflected", Method.class);
        for (long stack : new long[] {256 << 10, 512 << 10}) {
            String[] results = new String[4];
            Thread[] all = {
                start("plain", stack, () -> plain(0), results, 0),
                start("locked", stack, () -> locked(0), results, 1),
                start("reflected", stack, () -> reflected(m), results, 2),
                start("compared", stack, () -> compared(0), results, 3),
            };
            for (Thread t : all) t.join();
            System.out.println(String.join(", ", results));
        }
        synchronized (OverflowInThreads.class) { System.out.println("lock is free"); }
    }
}
