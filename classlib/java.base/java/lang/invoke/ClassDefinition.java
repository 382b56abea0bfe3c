// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The name in a class file that a Lookup is asked to define, read before the VM parses the rest.
package java.lang.invoke;

import jdk.internal.misc.VM;

final class ClassDefinition {
    private ClassDefinition() {}

    private static int half(byte[] bytes, int position) {
        return (bytes[position] & 0xFF) << 8 | bytes[position + 1] & 0xFF;
    }

    // Reads this_class from the class file; it must stand in the lookup class's package.
    static String nameInPackageOf(Class<?> lookupClass, byte[] bytes) {
        String internalName;
        int accessFlags;
        int magic;
        try {
            magic = half(bytes, 0) << 16 | half(bytes, 2);
            if (magic != 0xCAFEBABE) throw new ClassFormatError("Incompatible magic value: " + magic);
            int minor = half(bytes, 4);
            int major = half(bytes, 6);
            if (!VM.isSupportedClassFileVersion(major, minor)) {
                throw new UnsupportedClassVersionError("Unsupported class file version " + major + "." + minor);
            }
            int count = half(bytes, 8);
            int[] positions = new int[count];
            int position = 10;
            for (int i = 1; i < count; i++) {
                positions[i] = position;
                switch (bytes[position]) {
                    case 1: position += 3 + half(bytes, position + 1); break;
                    case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: position += 5; break;
                    case 5: case 6: position += 9; i++; break;
                    case 7: case 8: case 16: case 19: case 20: position += 3; break;
                    case 15: position += 4; break;
                    default: throw new ClassFormatError("Unknown constant tag " + bytes[position]);
                }
            }
            accessFlags = half(bytes, position);
            int thisClass = half(bytes, position + 2);
            if (thisClass == 0 || bytes[positions[thisClass]] != 7) {
                throw new ClassFormatError("this_class item: #" + thisClass + " not a CONSTANT_Class_info");
            }
            int text = positions[half(bytes, positions[thisClass] + 1)];
            internalName = new String(bytes, text + 3, half(bytes, text + 1), sun.nio.cs.UTF_8.INSTANCE);
        } catch (IndexOutOfBoundsException exception) {
            ClassFormatError error = new ClassFormatError();
            error.initCause(exception);
            throw error;
        }
        if ((accessFlags & 0x8000) != 0) throw new IllegalArgumentException("Not a class or interface: ACC_MODULE flag is set");
        String name = internalName.replace('/', '.');
        int dot = name.lastIndexOf('.');
        String packageName = dot < 0 ? "" : name.substring(0, dot);
        if (!packageName.equals(lookupClass.getPackageName())) {
            throw new IllegalArgumentException(name + " not in same package as lookup class");
        }
        return name;
    }
}
