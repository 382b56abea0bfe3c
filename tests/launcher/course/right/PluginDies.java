// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// 7.2: the loader is dropped together with its class.
import java.net.*;

public class PluginDies {
    static class Plugin { }

    public static void main(String[] args) throws Exception {
        URL[] here = {PluginDies.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(here, null);
        System.out.println(loader.loadClass("PluginDies$Plugin").getName());
        loader = null;
        for (int i = 0; i < 3; i++) System.gc();
    }
}
