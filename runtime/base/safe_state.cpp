// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a VM in which an object was touched in a safe state: two stacks.
#include "runtime/base/safe_state.h"

#include "runtime/base/check.h"

namespace keyhole::safe_state {

void report(const NativeStack& entered_at) {
  left();  // the report looks at objects, too
  NativeStack here;
  here.take();
  KEYHOLE_FATAL("an object is touched in a safe state{}\n#  the safe state was entered at{}", here.text(),
                entered_at.text());
}

}  // namespace keyhole::safe_state
