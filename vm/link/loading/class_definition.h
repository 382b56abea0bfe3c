// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// define_class with an option for the loading of JDK classes: the bytes stay valid in place.
#pragma once

#include "vm/link/linker.h"

namespace keyhole {

// Null with an exception pending. When a class of the boot path loses a race for the name, the winner's is the result.
[[nodiscard]] InstanceKlass* define_class_from(JavaThread* thread, const Symbol* name_or_null,
                                               std::span<const u8> bytes, bool bytes_stay, LoaderData* loader,
                                               const DefineOptions& options) MAY_SAFEPOINT;

// A copy of a class file that lives as long as the arena.
std::span<const u8> keep_class_file(Arena& arena, std::span<const u8> bytes);

}  // namespace keyhole
