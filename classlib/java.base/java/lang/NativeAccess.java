// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Restricted methods of later libraries (System.load, MemorySegment.reinterpret ...): a module that may not call them
// is warned of once, and may from then on, or is refused, or nothing is said (--illegal-native-access).
package java.lang;

import java.net.URL;
import java.security.CodeSource;

import jdk.internal.module.ModuleBootstrap;

final class NativeAccess {
    private NativeAccess() {}

    // "an unnamed module (file:/classes/)", with the place of the class that calls
    private static String describe(Module module, Class<?> caller) {
        String name = module.isNamed() ? "module " + module.getName() : "an unnamed module";
        CodeSource source = caller.getProtectionDomain().getCodeSource();
        URL place = source == null ? null : source.getLocation();
        return place == null ? name : name + " (" + place + ")";
    }

    static void ensure(Module module, Class<?> owner, String method, Class<?> caller) {
        if (module.isNativeAccessEnabled()) return;
        switch (ModuleBootstrap.illegalNativeAccess()) {
            case "allow": return;
            case "deny": throw new IllegalCallerException("Illegal native access from " + describe(module, caller));
            default: break;
        }
        if (module.enableNativeAccessOnce()) warn(module, owner, method, caller);
    }

    private static void warn(Module module, Class<?> owner, String method, Class<?> caller) {
        System.err.println("WARNING: A restricted method in " + owner.getName() + " has been called\nWARNING: "
                + owner.getName() + "::" + method + " has been called by " + caller.getName() + " in "
                + describe(module, caller) + "\nWARNING: Use --enable-native-access="
                + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
                + " to avoid a warning for callers in this module\n"
                + "WARNING: Restricted methods will be blocked in a future release unless native access is enabled\n");
    }
}
