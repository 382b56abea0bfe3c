// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding the hash of an object whose word has no room for it.
#include "runtime/object/identity.h"

namespace keyhole {

AddressEpochs address_epochs;

u32 hash_beside_word(const void* object, bool stored, u32 klass_id) {
  if (!stored) return hash_of_address(object);
  const Object* holder = static_cast<const Object*>(object);
  const Klass* klass = klass_of_id(klass_id);
  return holder->get<u32>(static_cast<u32>(hash_slot(klass, extent_of(holder, klass)).offset));
}

}  // namespace keyhole
