// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in a jar that an agent's manifest puts on the boot loader's path.
public class OnBootPath {
    public static String where() {
        Module module = OnBootPath.class.getModule();
        return OnBootPath.class.getClassLoader() + " " + module.isNamed() + " " + module.getClassLoader();
    }
}
