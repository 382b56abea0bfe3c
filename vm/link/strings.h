// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading java.lang.String objects. Making and interning them: vm/link/linker.h.
#pragma once

#include <span>

#include "runtime/base/capabilities.h"
#include "runtime/threads/handles.h"

namespace keyhole {

// None of these reaches a safepoint.
bool string_is_latin1(const Object* string) TOUCHES_OBJECTS;
i32 string_length(const Object* string) TOUCHES_OBJECTS;  // in UTF-16 code units, as String.length()
u16 string_char_at(const Object* string, i32 index) TOUCHES_OBJECTS;

[[nodiscard]] Object* make_string_utf16(JavaThread* thread, std::span<const u16> units) MAY_SAFEPOINT;

}  // namespace keyhole
