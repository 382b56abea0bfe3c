// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the VM's members to java.lang.reflect objects, and back.
//
// Their `slot` is the member's index in its class: Field::field_index, Method::method_index.
#pragma once

#include "classlib/natives/support.h"

namespace keyhole::natives {

// Null: an exception is pending (a class in the descriptor cannot be loaded).
[[nodiscard]] Object* make_field_object(JavaThread* thread, const Field* field) MAY_SAFEPOINT;
[[nodiscard]] Object* make_method_object(JavaThread* thread, const Method* method) MAY_SAFEPOINT;
[[nodiscard]] Object* make_constructor_object(JavaThread* thread, const Method* constructor) MAY_SAFEPOINT;

// The member behind a java.lang.reflect.Field, Method or Constructor. Null: an exception is pending.
[[nodiscard]] Field* field_of(JavaThread* thread, Object* reflect_field) MAY_SAFEPOINT;
[[nodiscard]] Method* method_of(JavaThread* thread, Object* reflect_method_or_constructor) MAY_SAFEPOINT;

// --- boxes -----------------------------------------------------------------------------------------------------------

// Makes a new Integer, Double ... for a value in a slot. A reference stays as it is; null for void.
[[nodiscard]] Object* box(JavaThread* thread, BasicType type, u64 value) MAY_SAFEPOINT;
// The primitive in a box; its type is Illegal when the object is no box.
struct Unboxed {
  BasicType type;
  u64 value;  // as in a slot
};
// Does not reach a safepoint; load_boxes must have been called before.
Unboxed unbox(const Object* box_or_null) TOUCHES_OBJECTS;
[[nodiscard]] bool load_boxes(JavaThread* thread) MAY_SAFEPOINT;
// Widens a value of type `from` (JLS 5.1.2). False: there is no such conversion.
bool widen(BasicType from, BasicType to, u64& value);

}  // namespace keyhole::natives
