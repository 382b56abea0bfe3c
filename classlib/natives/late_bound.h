// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes found at their first use: `const late::Integer* integer = late::get<late::Integer>(thread);` then
// integer->klass, integer->value. Null: an exception is pending. Rows: late_bound.def.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole::late {

#define FIELD(identifier, name, descriptor) u32 identifier;
#define METHOD(identifier, name, descriptor) keyhole::Method* identifier;
#define LATE_CLASS(Identifier, name, ...) \
  struct Identifier {                     \
    InstanceKlass* klass;                 \
    __VA_ARGS__                           \
  };
#include "classlib/natives/late_bound.def"
#undef FIELD
#undef METHOD
#undef LATE_CLASS

// Loads and links the class, but does not initialise it. Once it is found, a call costs one acquire load.
template <typename Row> const Row* get(JavaThread* thread) MAY_SAFEPOINT;
// Null when the class has not been found yet.
template <typename Row> const Row* found();

}  // namespace keyhole::late
