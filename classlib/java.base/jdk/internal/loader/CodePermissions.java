// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a class of the class path may do: at least read where it came from. Library 25 has no such permissions any more.
package jdk.internal.loader;

import java.security.CodeSource;
import java.security.PermissionCollection;

import sun.security.util.LazyCodeSourcePermissionCollection;

final class CodePermissions {
    private CodePermissions() {}

    static PermissionCollection of(PermissionCollection given, CodeSource source) {
        return new LazyCodeSourcePermissionCollection(given, source);
    }
}
