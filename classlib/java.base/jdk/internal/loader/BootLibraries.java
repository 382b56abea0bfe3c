// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native libraries of the boot loader, made at first use. From 21 on their factory has another name.
package jdk.internal.loader;

final class BootLibraries {
    static final NativeLibraries libraries = NativeLibraries.jniNativeLibraries(null);

    private BootLibraries() {}
}
