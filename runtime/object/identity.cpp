// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the hash of an object whose header word has no room for it.
#include "runtime/object/identity.h"

namespace keyhole {

AddressEpochs address_epochs;

u32 hash_beside_word(const void* object, bool stored, u32 klass_id) {
  return stored ? stored_hash(static_cast<const Object*>(object), klass_of_id(klass_id)) : hash_of_address(object);
}

}  // namespace keyhole
