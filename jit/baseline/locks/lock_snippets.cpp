// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of snippets, by the algorithm's fast path.
#include "jit/baseline/locks/lock_snippet.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

const LockSnippet* lock_snippet(sync::FastPathKind kind) {
  using Kind = sync::FastPathKind;
  switch (kind) {
    case Kind::lightweight: return layout::can_displace ? &lightweight_snippet : nullptr;
    case Kind::monitor: return layout::can_displace ? &monitor_snippet : nullptr;
    case Kind::legacy: return layout::can_displace ? &legacy_snippet : nullptr;
    case Kind::monitor_table: return &monitor_table_snippet;
    case Kind::hashchains_plus3: return &hashchains_plus3_snippet;
    default: return nullptr;
  }
}

}  // namespace keyhole::baseline
