// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of dynamic linkage: constants that are method handles, method types or computed, and call sites.
//
//   vm/link           resolve_object_at calls the three functions below for ldc, and keeps what they return
//   vm/interpreter    link_call_site and link_polymorphic_call of vm/link/linker.h (implemented here)
//   classlib/natives  the natives of java.lang.invoke call the rest
//
// A site's linkage is a static method, the target, and at most one appendix. link_* fill `target` and `appendix`; the
// caller, which keeps the site, makes the appendix a root before the next safepoint. vm/link/indy/README.md describes
// how a site gets its target.
#pragma once

#include "vm/link/linker.h"

namespace keyhole {

// CONSTANT_MethodHandle (JVMS 5.4.3.5): a java.lang.invoke.MethodHandle.
[[nodiscard]] Object* resolve_method_handle_constant(JavaThread* thread, ConstantPool* constants, u32 index)
    MAY_SAFEPOINT;
// CONSTANT_MethodType: a java.lang.invoke.MethodType.
[[nodiscard]] Object* resolve_method_type_constant(JavaThread* thread, ConstantPool* constants, u32 index)
    MAY_SAFEPOINT;
// CONSTANT_Dynamic (JVMS 5.4.3.6): the value, boxed when primitive. A null value is null with *is_null_constant set;
// a failure is null with an exception pending.
[[nodiscard]] Object* resolve_dynamic_constant(JavaThread* thread, ConstantPool* constants, u32 index,
                                               bool* is_null_constant) MAY_SAFEPOINT;

}  // namespace keyhole
