// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The identity hash of a ToyObject whose header has no room for a hash, after runtime/object/identity.h. The checker
// sees reads of stored hashes.
#include "tests/model/checked_machine.h"
#include "tests/model/toy_java.h"

namespace keyhole {

u32 hash_beside_word(const void* object, bool stored, u32) {
  const model::ToyObject* holder = static_cast<const model::ToyObject*>(object);
  if (stored) return CheckedWorld::load(const_cast<u32*>(&holder->stored_hash), Order::relaxed);
  return 1 + (static_cast<u32>(reinterpret_cast<uptr>(object) >> 4) &
              0x3FFF'FFFF);  // no address is used twice in one execution (checked_engine.h M6)
}

}  // namespace keyhole
