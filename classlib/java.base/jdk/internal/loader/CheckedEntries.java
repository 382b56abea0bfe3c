// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Not a class of the JDK. BuiltinClassLoader uses it to read the class path through the JDK's URLClassPath once a jar
// is signed or sealed, because JarFile checks digests and knows signers. The VM still decides which entry has a class,
// except where jars have indexes.
// Native: none.
package jdk.internal.loader;

import java.io.IOException;
import java.net.URL;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

final class CheckedEntries {
    private final Map<String, URLClassPath> entries = new ConcurrentHashMap<>();

    // Made when the VM's search first reaches a jar with an index.
    private static final class Whole {
        static final URLClassPath entries = new URLClassPath(VM.getSavedProperty("java.class.path"), false);
    }

    // The whole class path.
    static URLClassPath whole() {
        return Whole.entries;
    }

    // An empty location stands for the whole class path.
    Resource find(String location, String className) throws IOException {
        URLClassPath entry = location.isEmpty() ? whole() : entries.get(location);
        if (entry == null) {
            URLClassPath made = CodePermissions.entry(new URL(location));
            URLClassPath earlier = entries.putIfAbsent(location, made);
            entry = earlier == null ? made : earlier;
        }
        return CodePermissions.read(entry, className.replace('.', '/').concat(".class"));
    }

    // Records, as ClassLoader.checkCerts would have, that the package's classes so far have no signers.
    @SuppressWarnings("unchecked")
    static void enterUnsigned(ClassLoader loader, String packageName) {
        Unsafe unsafe = Unsafe.getUnsafe();
        long offset = unsafe.objectFieldOffset(ClassLoader.class, "package2certs");
        var signers = (Map<String, Certificate[]>) unsafe.getReference(loader, offset);
        signers.putIfAbsent(packageName, new Certificate[0]);
    }
}
