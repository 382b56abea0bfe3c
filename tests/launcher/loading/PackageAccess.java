// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows when a security manager is asked for access to a package: by the loader of a class, and for each class and
// protection domain that refers to the package. A class refers to it in its constant pool, by reflection or by a name.
// The packages q and r come from another location, so their protection domain differs.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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

    interface Step {
        Object take() throws Exception;
    }

    static void step(String what, Step action) {
        show(what, () -> {
            try {
                System.out.println(action.take());
            } catch (Exception failure) {
                System.out.println(failure);
            }
        });
    }

    static class Users {
        q.open.Kinds.OfField field;

        Users(q.open.Kinds.OfConstructor parameter) {}

        q.open.Kinds.Result use(q.open.Kinds.Parameter parameter) throws q.open.Kinds.Declared {
            return null;
        }
    }

    @q.open.Kinds.Mark(q.open.Kinds.Value.class)
    static class Marked {}

    // Uses each class twice, because ClassLoaders asks the security manager only once for each class and protection
    // domain.
    static void reflects() {
        ClassLoader loader = PackageAccess.class.getClassLoader();
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (int i = 0; i < 2; i++) {
            step("forName", () -> Class.forName("q.open.Kinds$Named"));
            step("forName without initialization", () -> Class.forName("q.open.Kinds$Unused", false, loader));
            step("forName of an array", () -> Class.forName("[[Lq.open.Kinds$Element;"));
            step("forName of a secret array", () -> Class.forName("[Lq.secret.Hidden;"));
            step("loadClass", () -> loader.loadClass("q.open.Kinds$Loaded"));
            step("forName of what loadClass loaded", () -> Class.forName("q.open.Kinds$Loaded"));
            step("methods", () -> Users.class.getDeclaredMethods()[0]);
            step("fields", () -> Users.class.getDeclaredFields()[0]);
            step("constructors", () -> Users.class.getDeclaredConstructors()[0]);
            step("method type", () -> MethodType.fromMethodDescriptorString("(Lq/open/Kinds$OfType;)V", loader));
            step("secret method type", () -> MethodType.fromMethodDescriptorString("(Lq/secret/Hidden;)V", loader));
            step("findClass", () -> lookup.findClass("q.open.Kinds$OfHandle"));
            step("annotations", () -> Marked.class.getAnnotations().length);
            step("from another domain", () -> q.open.Second.named("q.open.Kinds$Named"));
            step("from another domain, own class", () -> q.open.Second.named("PackageAccess$Users"));
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
        reflects();
    }
}
