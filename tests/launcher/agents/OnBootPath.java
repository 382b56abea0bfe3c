// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class in a jar that an agent's manifest adds to the boot loader's path.
public class OnBootPath {
    public static String where() {
        Module module = OnBootPath.class.getModule();
        return OnBootPath.class.getClassLoader() + " " + module.isNamed() + " " + module.getClassLoader();
    }
}
