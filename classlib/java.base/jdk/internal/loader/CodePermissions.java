// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The permissions of a class of the class path: at least reading its own location. Library 25 has no such permissions
// any more. The code that reads an entry uses its own permissions.
package jdk.internal.loader;

import java.net.URL;
import java.security.AccessControlContext;
import java.security.CodeSource;
import java.security.PermissionCollection;
import java.util.Enumeration;

import sun.security.util.LazyCodeSourcePermissionCollection;

final class CodePermissions {
    private CodePermissions() {}

    static PermissionCollection of(PermissionCollection given, CodeSource source) {
        return new LazyCodeSourcePermissionCollection(given, source);
    }

    static URLClassPath entry(URL location) {
        return new URLClassPath(new URL[] {location}, (AccessControlContext) null);
    }

    static Resource read(URLClassPath entry, String name) {
        return entry.getResource(name, false);
    }

    static URL find(URLClassPath entry, String name) {
        return entry.findResource(name, false);
    }

    static Enumeration<URL> findAll(URLClassPath entry, String name) {
        return entry.findResources(name, false);
    }
}
