// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Class objects: one per Klass, holding its Klass*, its own size, and its static fields.
//
//   | header | fields of java.lang.Class | Klass* | bytes | static references | other statics |
//              ^ 8                                        ^ static_reference_offset           ^ mirror_bytes
//
// Classes loaded before java.lang.Class get theirs when it has been loaded (make_early_mirrors).
#pragma once

#include "runtime/base/capabilities.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {

// Allocates klass's mirror and fills module, classLoader and componentType. False: OutOfMemoryError is pending.
// `module_source` is where a boot class came from ("jrt:/java.xml"); null: found by its package.
[[nodiscard]] bool make_mirror(JavaThread* thread, Klass* klass, const char* module_source = nullptr) MAY_SAFEPOINT;
// Makes mirrors for all klasses that have none. It also lays out the statics of these classes, because only now is it
// known where they begin.
[[nodiscard]] bool make_early_mirrors(JavaThread* thread) MAY_SAFEPOINT;
// The modifiers that Class.getModifiers returns.
i32 class_modifiers(const Klass* klass);
bool mirrors_can_be_made();
// The named module that the package ("java/lang") of a loader belongs to; null when it has none, or with an exception
// pending.
Object* named_module(JavaThread* thread, LoaderData* loader, std::string_view package) MAY_SAFEPOINT;

}  // namespace keyhole
