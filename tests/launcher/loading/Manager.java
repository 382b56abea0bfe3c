// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Permissions that a security manager grants, by code source.
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.Permission;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.concurrent.Callable;

public class Manager {
    // The security manager of -Djava.security.manager=Manager$Own.
    public static class Own extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {
            if (permission.getName().equals("user.home")) throw new SecurityException("own: " + permission);
        }
    }

    static void show(String what, Callable<Object> action) {
        try {
            System.out.println(what + ": " + action.call());
        } catch (Throwable failure) {
            System.out.println(what + ": " + failure);
        }
    }

    static void showAll(String who) {
        show(who + " home", () -> System.getProperty("user.home") != null);
        show(who + " version", () -> System.getProperty("java.version") != null);
        show(who + " privileged home", () -> AccessController.doPrivileged(
                (PrivilegedAction<Object>) () -> System.getProperty("user.home") != null));
        show(who + " nobody's home", () -> AccessController.doPrivileged(
                (PrivilegedAction<Object>) () -> System.getProperty("java.version") != null,
                new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)})));
        show(who + " checked", () -> {
            AccessController.checkPermission(new RuntimePermission("some"));
            return "allowed";
        });
        show(who + " package", () -> ClassLoader.getSystemClassLoader().loadClass("sun.misc.Unsafe").getName());
        show(who + " concealed", () -> ClassLoader.getSystemClassLoader().loadClass("jdk.internal.misc.Unsafe").getName());
        show(who + " loader", () -> new ClassLoader() {}.getParent() != null);
        show(who + " domain", () -> Manager.class.getProtectionDomain().getCodeSource() != null);
        show(who + " text", () -> Manager.class.getResourceAsStream("Manager.class").read());
        show(who + " file", () -> new java.io.File("/etc/passwd").exists());
        show(who + " exit", () -> {
            System.getSecurityManager().checkExit(3);
            return "allowed";
        });
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(System.getSecurityManager() == null ? null : System.getSecurityManager().getClass());
        showAll("main");
        Thread thread = new Thread(() -> showAll("thread"));
        thread.start();
        thread.join();
        show("set", () -> {
            System.setSecurityManager(new Own());
            return System.getSecurityManager().getClass();
        });
        show("home", () -> System.getProperty("user.home") != null);
    }
}
