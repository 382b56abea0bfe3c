// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Restricted methods of later libraries (System.load, MemorySegment.reinterpret ...). For a module that may not call
// them, --illegal-native-access decides: its first call prints a warning and allows all later ones, or the call is
// refused, or it is allowed silently.
package java.lang;

import java.net.URL;
import java.security.CodeSource;

import jdk.internal.module.ModuleBootstrap;

final class NativeAccess {
    private NativeAccess() {}

    // Names the calling module in messages: "an unnamed module (file:/classes/)", with the place of the calling class.
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
