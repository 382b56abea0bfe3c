// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the name in a class file that a Lookup defines, before the VM parses the rest. The VM checks the version,
// because it supports more versions than the library (`java.class.version`).
package java.lang.invoke;

import java.nio.ByteBuffer;

final class ClassDefinition {
    private ClassDefinition() {}

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int ACC_MODULE = 0x8000;

    // The number of bytes that follow the tag of a constant (JVMS 4.4); 0 if there is no such tag. The text of a Utf8
    // follows its length.
    private static final byte[] SIZE_OF = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    // The class file's this_class, which must be in the package of the lookup class.
    static String nameInPackageOf(Class<?> lookupClass, byte[] bytes) {
        String name;
        try {
            name = nameIn(ByteBuffer.wrap(bytes)).replace('/', '.');
        } catch (IndexOutOfBoundsException tooShort) {
            throw (ClassFormatError) new ClassFormatError().initCause(tooShort);
        }
        String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        if (packageName.equals(lookupClass.getPackageName())) return name;
        throw new IllegalArgumentException(name + " not in same package as lookup class");
    }

    private static String nameIn(ByteBuffer file) {
        int magic = file.getInt(0);
        if (magic != 0xCAFEBABE) throw new ClassFormatError("Incompatible magic value: " + magic);
        int[] places = new int[file.getChar(8)];    // places of the constants' tags; 0: none
        int end = findConstants(file, places);
        int thisClass = file.getChar(end + 2);
        int place = places[thisClass];
        if (place == 0 || file.get(place) != CLASS) {
            throw new ClassFormatError("this_class item: #" + thisClass + " not a CONSTANT_Class_info");
        }
        if ((file.getChar(end) & ACC_MODULE) != 0) {
            throw new IllegalArgumentException("Not a class or interface: ACC_MODULE flag is set");
        }
        int text = places[file.getChar(place + 1)];
        return new String(file.array(), text + 3, file.getChar(text + 1), sun.nio.cs.UTF_8.INSTANCE);
    }

    // Fills the places of the constants, and returns the position of their end.
    private static int findConstants(ByteBuffer file, int[] places) {
        int place = 10;
        for (int index = 1; index < places.length; index++) {
            int tag = file.get(place);
            int size = tag > 0 && tag < SIZE_OF.length ? SIZE_OF[tag] : 0;
            if (size == 0) throw new ClassFormatError("Unknown constant tag " + tag);
            places[index] = place;
            place += 1 + size + (tag == UTF8 ? file.getChar(place + 1) : 0);
            if (size == 8) index++;    // a long or double counts twice
        }
        return place;
    }
}
