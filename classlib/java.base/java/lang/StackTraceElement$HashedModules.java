// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces StackTraceElement.HashedModules, the modules whose versions stack traces leave out: those that were
// built with java.base, which records their hashes.
// Why: the JDK's asks the boot layer's configuration, which this library computes only when it is asked for. That is a
// hundred times as much work as to read the attribute ModuleHashes of the module-info. Native: none.
package java.lang;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

import jdk.internal.loader.BootLoader;

final class StackTraceElement$HashedModules {
    // Tags of the constant pool (JVMS 4.4).
    private static final int UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, STRING = 8, METHOD_HANDLE = 15,
            METHOD_TYPE = 16, MODULE = 19, PACKAGE = 20;
    private static final Set<String> NAMES = new HashSet<>();

    static {
        try (InputStream in = BootLoader.findResourceAsStream("java.base", "module-info.class")) {
            if (in != null) readNames(in.readAllBytes());
        } catch (IOException e) {
            // no hashes: traces have all versions
        }
    }

    private StackTraceElement$HashedModules() {
    }

    static boolean contains(Module module) {
        return NAMES.contains(module.getName());
    }

    private static int readShort(byte[] file, int at) {
        return (file[at] & 0xFF) << 8 | file[at + 1] & 0xFF;
    }

    private static String text(byte[] file, int constant) {
        return new String(file, constant + 3, readShort(file, constant + 1), StandardCharsets.UTF_8);
    }

    private static int sizeOfConstant(byte[] file, int at) {
        switch (file[at]) {
            case UTF8: return 3 + readShort(file, at + 1);
            case LONG: case DOUBLE: return 9;
            case CLASS: case STRING: case METHOD_TYPE: case MODULE: case PACKAGE: return 3;
            case METHOD_HANDLE: return 4;
            default: return 5;
        }
    }

    // A module-info has neither interfaces nor fields nor methods.
    private static void readNames(byte[] file) {
        int[] constants = new int[readShort(file, 8)];
        int at = 10;
        for (int i = 1; i < constants.length; i++) {
            constants[i] = at;
            boolean isWide = file[at] == LONG || file[at] == DOUBLE;
            at += sizeOfConstant(file, at);
            if (isWide) i++;
        }
        int attributes = readShort(file, at + 12);
        at += 14;
        for (int i = 0; i < attributes; i++) {
            if (text(file, constants[readShort(file, at)]).equals("ModuleHashes")) readHashes(file, at + 6, constants);
            at += 6 + (readShort(file, at + 2) << 16 | readShort(file, at + 4));
        }
    }

    private static void readHashes(byte[] file, int at, int[] constants) {
        NAMES.add("java.base");
        int count = readShort(file, at + 2);
        at += 4;
        for (int i = 0; i < count; i++) {
            int name = readShort(file, constants[readShort(file, at)] + 1);
            NAMES.add(text(file, constants[name]));
            at += 4 + readShort(file, at + 2);
        }
    }
}
