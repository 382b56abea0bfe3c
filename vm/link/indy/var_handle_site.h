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
// How many coordinates a site passes follows from its mode and argument count: none (a static field, base =
// handle.base), one (an instance field), or an array and an index (with bounds check; views of byte[] are recognised by
// site.view). The fast path is typed by the site's own descriptor: VarHandleSite sets `direct` only for a handle with
// exactly these types. What has the type Void is a literal null: an adapter that stores one takes the fast path for no
// other value. The appendix is the VarHandleSite. Orderings: x86 needs no other instruction for acquire, release and
// opaque than for volatile reads and for exchanges, so the modes share Unsafe's volatile accesses; plain stays plain.
#pragma once

#include "vm/link/indy/support.h"

namespace keyhole::indy {

// The ordinal of java.lang.invoke.VarHandle.AccessMode with this method name; -1 = none.
i32 access_mode_of(std::string_view method_name);

[[nodiscard]] bool link_var_handle_site(JavaThread* thread, std::string_view mode, std::string_view descriptor,
                                        const InstanceKlass* from, CallSiteLink& link) MAY_SAFEPOINT;

}  // namespace keyhole::indy
