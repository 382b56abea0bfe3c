// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// When a security manager is asked for access to a package: by the loader, and for each class and protection domain
// that refers to it. The packages q and r come from another location, so their domain differs.
import java.security.Permission;
import java.util.function.Supplier;

public class PackageAccess {
    static class Own extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {}

        @Override
        public void checkPackageAccess(String name) {
            if (!name.startsWith("q") && !name.equals("r")) return;
            StringBuilder from = new StringBuilder("asked for " + name + " from");
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (frame.getClassName().startsWith("PackageAccess")) from.append(' ').append(frame.getMethodName());
            }
            if (name.equals("q.secret")) throw new SecurityException("no " + name);
            System.out.println(from);
        }
    }

    static void show(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + ": done");
        } catch (Throwable failure) {
            System.out.println(what + ": " + failure + ", because of " + failure.getCause());
        }
    }

    static boolean isSecret(Object object) {
        return object instanceof q.secret.Hidden;
    }

    static Class<?> byName() {
        try {
            return Class.forName("q.secret.Hidden");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) {
        System.setSecurityManager(new Own());
        show("call", q.open.First::run);
        show("call again", q.open.First::run);
        show("field", () -> System.out.println(q.open.Second.hidden));
        show("secret call", () -> q.secret.Hidden.run());
        show("secret call again", () -> q.secret.Hidden.run());
        show("array", () -> System.out.println(new q.secret.Hidden[1].length));
        show("literal", () -> System.out.println(q.secret.Hidden.class));
        show("instanceof", () -> isSecret("text"));
        show("subclass", () -> new r.Sub().toString());
        show("name", () -> byName());
        show("lambda", () -> {
            Supplier<Object> maker = q.secret.Hidden::new;
            maker.get();
        });
        show("handler", () -> {
            try {
                Integer.parseInt("no number");
            } catch (q.secret.Failure e) {
                System.out.println("secret");
            } catch (NumberFormatException e) {
                System.out.println("known");
            }
        });
    }
}
