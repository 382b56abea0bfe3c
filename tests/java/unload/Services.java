// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A module layer with its own loader dies, together with its services. Tables with entries per loader and per layer
// keep neither of them alive.
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// jvm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// timeout: 90
// until: 17

import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;

public class Services {
    static byte[] provider() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, "plug/Provider", null, "java/lang/Object",
                new String[] {"java/util/function/Supplier"});
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        MethodVisitor get = writer.visitMethod(ACC_PUBLIC, "get", "()Ljava/lang/Object;", null, null);
        get.visitCode();
        get.visitLdcInsn("provided");
        get.visitInsn(ARETURN);
        get.visitMaxs(0, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** One module, in memory. */
    static class Finder implements ModuleFinder {
        final ModuleReference reference;

        Finder(byte[] bytes) {
            ModuleDescriptor about = ModuleDescriptor.newModule("plug").requires("java.base").packages(Set.of("plug"))
                    .provides("java.util.function.Supplier", List.of("plug.Provider")).build();
            reference = new ModuleReference(about, URI.create("memory:plug")) {
                public ModuleReader open() {
                    return new ModuleReader() {
                        public Optional<URI> find(String name) {
                            return name.equals("plug/Provider.class") ? Optional.of(URI.create("memory:plug/" + name))
                                                                      : Optional.empty();
                        }
                        public Optional<InputStream> open(String name) {
                            return find(name).map(found -> new ByteArrayInputStream(bytes));
                        }
                        public Stream<String> list() { return Stream.of("plug/Provider.class"); }
                        public void close() {}
                    };
                }
            };
        }

        public Optional<ModuleReference> find(String name) {
            return name.equals("plug") ? Optional.of(reference) : Optional.empty();
        }
        public Set<ModuleReference> findAll() { return Set.of(reference); }
    }

    static WeakReference<ClassLoader> run(byte[] bytes) {
        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration().resolve(new Finder(bytes), ModuleFinder.of(), Set.of("plug"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(resolved, Services.class.getClassLoader());
        for (Supplier<?> each : ServiceLoader.load(layer, Supplier.class))
            System.out.println("by layer: " + each.get() + " by " + each.getClass().getModule());
        ClassLoader loader = layer.findLoader("plug");
        return new WeakReference<>(loader);
    }

    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> loader = run(provider());
        for (int i = 0; i < 5000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the loader
        }
        System.out.println(loader.get() == null ? "gone" : "still there");
    }
}
