// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that events name for the first time, and one number for many that none names
// (runtime/sync/recording/fresh_locks.h).
#pragma once

#include <string_view>

#include "runtime/base/capabilities.h"
#include "runtime/object/object.h"

namespace keyhole {
class Klass;
}

namespace keyhole::recorder {

// As number_of; is_new: it had none.
struct Numbered {
  u32 number;
  bool is_new;
};
Numbered number_for(const Object* object) TOUCHES_OBJECTS;

// A number that is no object's, but stands for fresh ones of this class. An event `object` says so, behind the class's
// name.
inline constexpr std::string_view fresh_ones = ", fresh ones";
u32 stand_in_for(const Klass* klass);

}  // namespace keyhole::recorder
