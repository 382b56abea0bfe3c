// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ends the VM when an object was touched in a safe state, with a message that shows two stacks.
#include "runtime/base/safe_state.h"

#include "runtime/base/check.h"

namespace keyhole::safe_state {

void report(const NativeStack& entered_at) {
  left();  // because the report touches objects, too
  NativeStack here;
  here.take();
  KEYHOLE_FATAL("an object is touched in a safe state{}\n#  the safe state was entered at{}", here.text(),
                entered_at.text());
}

}  // namespace keyhole::safe_state
