// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 7.2: refused, because an object of the class is kept, and so is its loader.
import java.net.*;

public class PluginKept {
    static class Plugin { }

    static Class<?> kept;

    public static void main(String[] args) throws Exception {
        URL[] here = {PluginKept.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(here, null);
        kept = loader.loadClass("PluginKept$Plugin");
        loader = null;
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println(kept.getName());
    }
}
