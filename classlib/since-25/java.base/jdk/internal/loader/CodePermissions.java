// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The permissions of a class of the class path: unused in this release.
package jdk.internal.loader;

import java.net.URL;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.util.Enumeration;

final class CodePermissions {
    private CodePermissions() {}

    static PermissionCollection of(PermissionCollection given, CodeSource source) {
        return given;
    }

    static URLClassPath entry(URL location) {
        return new URLClassPath(new URL[] {location});
    }

    static Resource read(URLClassPath entry, String name) {
        return entry.getResource(name);
    }

    static URL find(URLClassPath entry, String name) {
        return entry.findResource(name);
    }

    static Enumeration<URL> findAll(URLClassPath entry, String name) {
        return entry.findResources(name);
    }
}
