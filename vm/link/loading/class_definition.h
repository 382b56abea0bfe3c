// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// define_class for classes of the JDK: the bytes stay valid, so they are not copied.
#pragma once

#include "vm/link/linker.h"

namespace keyhole {

// Null with an exception pending. If two threads define a class of the boot path, both get the first one's.
[[nodiscard]] InstanceKlass* define_class_from(JavaThread* thread, const Symbol* name_or_null,
                                               std::span<const u8> bytes, bool bytes_stay, LoaderData* loader,
                                               const DefineOptions& options) MAY_SAFEPOINT;

// A copy of a class file that lives as long as the arena.
std::span<const u8> keep_class_file(Arena& arena, std::span<const u8> bytes);

}  // namespace keyhole
