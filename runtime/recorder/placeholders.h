// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Placeholders: one number stands for many objects that no event names (runtime/sync/recording/one_shot_locks.h). Also
// tells whether an event names an object for the first time.
#pragma once

#include <string_view>

#include "runtime/base/capabilities.h"
#include "runtime/object/object.h"

namespace keyhole {
class Klass;
}

namespace keyhole::recorder {

// An object's number, as number_of() returns it, and whether the object has got it just now.
struct Numbered {
  u32 number;
  bool is_new;
};
Numbered number_for(const Object* object) TOUCHES_OBJECTS;

// Makes a number that no object has, for one-shot locks of a class. The number's event `object` has this text after the
// class's name.
inline constexpr std::string_view one_shot_suffix = ", one-shot locks";
u32 placeholder_for(const Klass* klass);

}  // namespace keyhole::recorder
