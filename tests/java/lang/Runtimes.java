// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runtime, Runtime.Version, ProcessHandle and System: their results, and the exceptions of wrong arguments.
public class Runtimes {
    public static void main(String[] args) throws Exception {
        Runtime.Version v = Runtime.version();
        System.out.println(v.feature() + " " + Runtime.Version.parse("17.0.2+8-LTS").update() + " "
                + (Runtime.getRuntime().availableProcessors() > 0) + " "
                + (Runtime.getRuntime().totalMemory() <= Runtime.getRuntime().maxMemory()));
        try {
            Runtime.Version.parse("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(ProcessHandle.current().isAlive() + " "
                + (ProcessHandle.current().pid()
                        == Long.parseLong(new java.io.File("/proc/self").getCanonicalFile().getName()))
                + " " + ProcessHandle.current().parent().isPresent());
        try {
            System.getProperty("");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.getProperty(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(System.setProperty("kk", "1") + System.setProperty("kk", "2") + System.clearProperty("kk")
                + System.getProperty("kk", "d") + Integer.getInteger("kk", 7) + Boolean.getBoolean("kk")
                + Long.getLong("kk"));
        System.out.println(System.lineSeparator().length() + " " + System.getenv("NO_SUCH_VARIABLE_HERE") + " "
                + (System.getSecurityManager() == null) + " " + System.identityHashCode(null) + " "
                + System.getLogger("x").getName());
        try {
            System.getenv().put("a", "b");
        } catch (UnsupportedOperationException e) {
            System.out.println("read only");
        }
        try {
            Runtime.getRuntime().addShutdownHook(Thread.currentThread());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.load("relative.so");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.load("/no/such/library.so");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }
}
