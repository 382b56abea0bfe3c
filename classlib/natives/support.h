// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by many natives: mirrors, loaders, allocation that throws.
#pragma once

#include <span>
#include <string>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"

namespace keyhole::natives {

// The class that a java.lang.Class object stands for.
inline Klass* klass_of(Handle mirror) TOUCHES_OBJECTS { return klass_of_mirror(mirror.get()); }
inline Object* mirror_or_null(const Klass* klass) { return klass == nullptr ? nullptr : klass->mirror; }

inline Thrown throw_illegal_argument(JavaThread* thread, const char* message) MAY_SAFEPOINT {
  return throw_message(thread, names::java_lang_IllegalArgumentException, message);
}
inline Thrown throw_null_pointer(JavaThread* thread) MAY_SAFEPOINT {
  return throw_message(thread, names::java_lang_NullPointerException, nullptr);
}

// These throw OutOfMemoryError or NegativeArraySizeException.
[[nodiscard]] Object* new_instance(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT;
[[nodiscard]] Object* new_array(JavaThread* thread, Klass* array_klass, i32 length) MAY_SAFEPOINT;
[[nodiscard]] Object* new_reference_array(JavaThread* thread, Klass* element, i32 length) MAY_SAFEPOINT;
[[nodiscard]] Object* new_primitive_array(JavaThread* thread, BasicType type, i32 length) MAY_SAFEPOINT;
// Makes a byte[] with these bytes; null without an exception when `bytes` is null.
[[nodiscard]] Object* new_byte_array(JavaThread* thread, const u8* bytes, u32 length) MAY_SAFEPOINT;
// Makes a String[] of UTF-8 texts.
[[nodiscard]] Object* new_string_array(JavaThread* thread, std::span<const std::string> texts) MAY_SAFEPOINT;

// All bytes of a file; empty when it cannot be read.
std::string file_contents(const std::string& path);

}  // namespace keyhole::natives
