// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registered verifier.
#include "vm/link/verification.h"

#include "runtime/base/check.h"

namespace keyhole {

static ClassVerifier* registered_verifier = nullptr;

void register_verifier(ClassVerifier* verifier) { registered_verifier = verifier; }

ClassVerifier& verifier() {
  KEYHOLE_ASSERT(registered_verifier != nullptr, "no verifier yet");
  return *registered_verifier;
}

}  // namespace keyhole
