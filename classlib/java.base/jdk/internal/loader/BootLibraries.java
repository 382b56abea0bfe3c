// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Native libraries of the boot loader, made when somebody loads one. From 21 on their factory has another name.
package jdk.internal.loader;

final class BootLibraries {
    static final NativeLibraries libraries = NativeLibraries.jniNativeLibraries(null);

    private BootLibraries() {}
}
