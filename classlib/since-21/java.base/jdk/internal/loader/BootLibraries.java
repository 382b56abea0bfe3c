// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native libraries of the boot loader, made at first use.
package jdk.internal.loader;

final class BootLibraries {
    static final NativeLibraries libraries = NativeLibraries.newInstance(null);

    private BootLibraries() {}
}
