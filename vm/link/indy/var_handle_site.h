// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VarHandle sites: one generated static adapter per access mode and erased descriptor.
//
//   HANDLE.compareAndSet(this, 1, 2)        site (Task, int, int)boolean, mode compareAndSet
//
//   static boolean access(VarHandle handle, Object holder, int expected, int value, VarHandleSite site) {
//     if (site.direct == handle && holder != null)
//       return VarHandle.UNSAFE.compareAndSetInt(holder, handle.offset, expected, value);
//     return (boolean) VarHandleSite.access(handle, site, new Object[] {holder, expected, value});
//   }
//
// A site's mode and argument count determine how many coordinates it passes: none (a static field, base = handle.base),
// one (an instance field), or an array and an index (with a bounds check; site.view tells views of byte[]). The fast
// path has the types of the site's own descriptor: VarHandleSite sets `direct` only for a handle with exactly these
// types. An argument of type Void is a literal null, so an adapter that stores such an argument takes the fast path for
// null only. The appendix is the VarHandleSite.
//
// On x86 acquire, release and opaque accesses need no other instructions than volatile reads and exchanges, so these
// modes share Unsafe's volatile accesses, except in a controlled VM with write histories. Plain accesses stay plain.
#pragma once

#include "vm/link/indy/support.h"

namespace keyhole::indy {

// The ordinal of java.lang.invoke.VarHandle.AccessMode with this method name; -1 = none.
i32 access_mode_of(std::string_view method_name);

[[nodiscard]] bool link_var_handle_site(JavaThread* thread, std::string_view mode, std::string_view descriptor,
                                        const InstanceKlass* from, CallSiteLink& link) MAY_SAFEPOINT;

}  // namespace keyhole::indy
