// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties and environment that do not depend on the VM.
public class SystemInfo {
    public static void main(String[] args) {
        for (String k :
                new String[] {
                    "java.specification.version",
                    "file.separator",
                    "path.separator",
                    "line.separator",
                    "os.name",
                    "os.arch",
                    "java.class.version",
                    "file.encoding",
                    "sun.jnu.encoding",
                    "java.io.tmpdir",
                    "no.such"
                }) System.out.println(k + "=" + System.getProperty(k));
        // The property java.home may differ between the two VMs. On each VM it must name a folder with the files of a
        // Java home.
        java.nio.file.Path home = java.nio.file.Path.of(System.getProperty("java.home"));
        for (String part : new String[] {"bin/java", "bin/javac", "lib/modules", "lib/tzdb.dat", "lib/security/cacerts",
                     "conf/security/java.security", "release"})
            System.out.println(part + " " + java.nio.file.Files.isReadable(home.resolve(part)));
        System.out.println(System.getProperty("sun.boot.library.path").equals(home + "/lib"));
        System.setProperty("my.key", "v");
        System.out.println(
                System.getProperty("my.key")
                        + System.getProperty("other", "default")
                        + Integer.getInteger("n", 5)
                        + Boolean.getBoolean("my.key")
                        + System.clearProperty("my.key"));
        System.out.println(System.getenv("PATH") != null);
        System.out.println(System.getenv("NO_SUCH_VARIABLE_X"));
        System.out.println(System.getenv().containsKey("PATH"));
        long t = System.nanoTime(), m = System.currentTimeMillis();
        System.out.println(
                (System.nanoTime() >= t)
                        + " "
                        + (m > 1600000000000L)
                        + " "
                        + Runtime.version().feature()
                        + " "
                        + (Runtime.getRuntime().availableProcessors() > 0)
                        + " "
                        + (Runtime.getRuntime().maxMemory() >= Runtime.getRuntime().totalMemory())
                        + " "
                        + (Runtime.getRuntime().freeMemory() > 0));
    }
}
