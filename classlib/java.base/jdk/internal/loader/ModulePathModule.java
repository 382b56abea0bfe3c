// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A module of the module path, or one that replaces a JDK module. Serves its class loader: finds classes, resources and
// code sources.
package jdk.internal.loader;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.security.CodeSigner;
import java.security.CodeSource;
import java.util.Optional;

import jdk.internal.module.Resources;

final class ModulePathModule {
    private final BuiltinClassLoader loader;
    private final ModuleReference reference;
    private ModuleReader reader;   // guarded by this; open until the VM ends

    ModulePathModule(BuiltinClassLoader loader, ModuleReference reference) {
        this.loader = loader;
        this.reference = reference;
    }

    BuiltinClassLoader loader() {
        return loader;
    }

    ModuleReference reference() {
        return reference;
    }

    String name() {
        return reference.descriptor().name();
    }

    private synchronized ModuleReader reader() throws IOException {
        if (reader == null) reader = reference.open();
        return reader;
    }

    // These two return null when the module has no such class.
    Class<?> load(String className) {
        return loader.loadedOrDefined(this, className);
    }

    Class<?> define(String className) {
        try {
            Optional<ByteBuffer> bytes = reader().read(className.replace('.', '/') + ".class");
            if (bytes.isEmpty()) return null;
            try {
                return loader.define(className, bytes.get(), new CodeSource(location(), (CodeSigner[]) null));
            } finally {
                reader().release(bytes.get());
            }
        } catch (IOException unreadable) {
            return null;
        }
    }

    private URL location() throws MalformedURLException {
        URI location = reference.location().orElse(null);
        return location == null ? null : location.toURL();
    }

    URL find(String resource) throws IOException {
        Optional<URI> found = reader().find(resource);
        return found.isEmpty() ? null : found.get().toURL();
    }

    InputStream open(String resource) throws IOException {
        return reader().open(resource).orElse(null);
    }

    // Does code that does not name this module find a resource of one of its packages?
    boolean shows(String resource) {
        if (resource.endsWith(".class") || resource.endsWith("/")) return true;
        ModuleDescriptor about = reference.descriptor();
        if (about.isOpen() || about.isAutomatic()) return true;
        String packageName = Resources.toPackageName(resource);
        for (ModuleDescriptor.Opens each : about.opens())
            if (each.source().equals(packageName) && !each.isQualified()) return true;
        return false;
    }
}
