// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Native libraries of the boot loader, made when somebody loads one.
package jdk.internal.loader;

final class BootLibraries {
    static final NativeLibraries libraries = NativeLibraries.newInstance(null);

    private BootLibraries() {}
}
