// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The modes of a Lookup: which of them remain when it moves to another class, drops one, or becomes a private lookup.
//
//   PUBLIC        holds everywhere
//   MODULE        .. in the module of the lookup class
//   PACKAGE       .. in its package
//   PRIVATE       .. in its outermost class; PROTECTED goes with it
//
// Each of these modes requires the modes above it. UNCONDITIONAL stands alone. ORIGINAL belongs to the class that made
// the lookup itself.
package java.lang.invoke;

import sun.invoke.util.VerifyAccess;

import static java.lang.invoke.MethodHandles.Lookup.*;

final class LookupModes {
    private LookupModes() {}

    private static final int[] WIDEST_FIRST = {PUBLIC, MODULE, PACKAGE, PRIVATE};

    // Checks that it is a class that can have members of its own.
    static void checkHasMembers(Class<?> type) {
        String kind = type.isPrimitive() ? "a primitive class" : type.isArray() ? "an array class" : null;
        if (kind != null) throw new IllegalArgumentException(type + " is " + kind);
    }

    // The modes by which code in `place` may use `target`, if both trust each other as far as the language lets them.
    private static int shared(Class<?> place, Class<?> target) {
        int modes = PUBLIC;
        if (place.getModule() == target.getModule()) {
            modes |= MODULE;
            if (VerifyAccess.isSamePackage(place, target)) {
                modes |= PACKAGE;
                if (VerifyAccess.isSamePackageMember(place, target)) modes |= PRIVATE | PROTECTED;
            }
        }
        return modes;
    }

    // Implements Lookup.in for another class.
    static MethodHandles.Lookup moved(MethodHandles.Lookup lookup, Class<?> target) {
        Class<?> place = lookup.lookupClass();
        Class<?> previous = lookup.previousLookupClass();
        if ((lookup.allowedModes & UNCONDITIONAL) != 0) {
            return new MethodHandles.Lookup(target, null, lookup.access.isClassAccessible(target) ? UNCONDITIONAL : 0);
        }
        boolean leavesModule = place.getModule() != target.getModule();
        boolean isThirdModule = leavesModule && previous != null && previous.getModule() != target.getModule();
        int left = isThirdModule || !lookup.access.isClassAccessible(target) ? 0
                : lookup.allowedModes & shared(place, target);
        return new MethodHandles.Lookup(target, leavesModule ? place : previous, left);
    }

    // Implements Lookup.dropLookupMode: drops a mode and all modes that require it.
    static int without(int modes, int dropped) {
        if (Integer.bitCount(dropped) != 1 || (dropped & ALL_MODES) == 0) {
            throw new IllegalArgumentException(dropped + " is not a valid mode to drop");
        }
        int lost = dropped | PROTECTED | ORIGINAL;
        boolean needsDropped = false;
        for (int mode : WIDEST_FIRST) {
            needsDropped |= mode == dropped;
            if (needsDropped) lost |= mode;
        }
        return modes & ~lost;
    }

    // Implements MethodHandles.privateLookupIn.
    static MethodHandles.Lookup opened(Class<?> target, MethodHandles.Lookup caller) throws IllegalAccessException {
        if (caller.allowedModes == TRUSTED) return new MethodHandles.Lookup(target, null, FULL_POWER_MODES);
        checkHasMembers(target);
        if (!caller.hasFullPrivilegeAccess()) {
            throw new IllegalAccessException("caller does not have PRIVATE and MODULE lookup mode");
        }
        Class<?> place = caller.lookupClass();
        int withoutOriginal = FULL_POWER_MODES & ~ORIGINAL;
        Module from = place.getModule();
        Module to = target.getModule();
        if (from == to) return new MethodHandles.Lookup(target, null, withoutOriginal);
        String refusal = !from.canRead(to) ? from + " does not read " + to
                : !to.isOpen(target.getPackageName(), from) ? to + " does not open " + target.getPackageName() + " to "
                        + from
                : null;
        if (refusal != null) throw new IllegalAccessException(refusal);
        return new MethodHandles.Lookup(target, place, withoutOriginal & ~MODULE);
    }

    // Names the lookup's modes for Lookup.toString; an empty text if it has lost none but ORIGINAL.
    static String suffix(int modes) {
        if ((modes & ~UNCONDITIONAL) == 0) return modes == 0 ? "/noaccess" : "/publicLookup";
        if (modes == PUBLIC) return "/public";
        if (modes == (PUBLIC | MODULE)) return "/module";
        int within = modes & ~(MODULE | ORIGINAL);
        if (within == (PUBLIC | PACKAGE)) return "/package";
        if (within == (PUBLIC | PACKAGE | PRIVATE)) return "/private";
        return within == (PUBLIC | PACKAGE | PRIVATE | PROTECTED) ? "" : "/" + Integer.toHexString(modes);
    }
}
