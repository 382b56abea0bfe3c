import java.net.*;

public class Unloading {
    public static void main(String[] args) throws Exception {
        URL[] here = {Unloading.class.getProtectionDomain().getCodeSource().getLocation()};
        for (int i = 0; i < 2; i++) {
            URLClassLoader loader = new URLClassLoader(here, null);
            System.out.println(loader.loadClass("Unloading$Guest").getName());
            loader = null;
            System.gc();
        }
    }

    static class Guest {
    }
}

// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
