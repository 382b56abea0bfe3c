// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Closing order, suppressed exceptions, null resources.
public class TryWithResources {
    static class R implements AutoCloseable {
        final String n;
        final boolean bad;

        R(String n, boolean bad) {
            this.n = n;
            this.bad = bad;
            System.out.println("open " + n);
        }

        public void close() throws Exception {
            System.out.println("close " + n);
            if (bad) throw new Exception("closing " + n);
        }
    }

    static void go(boolean body, boolean a, boolean b) {
        try (R x = new R("x", a);
                R none = null;
                R y = new R("y", b)) {
            if (body) throw new RuntimeException("body");
            System.out.println("done");
        } catch (Exception e) {
            System.out.print(e);
            for (Throwable s : e.getSuppressed()) System.out.print(" [" + s + "]");
            System.out.println();
        }
    }

    public static void main(String[] args) {
        for (int m = 0; m < 8; m++) go((m & 1) != 0, (m & 2) != 0, (m & 4) != 0);
    }
}
