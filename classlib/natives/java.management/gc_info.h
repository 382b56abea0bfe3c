// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// com.sun.management.GcInfo: memory before and after a collection.
#pragma once

#include "gc/inspect/memory_pools.h"
#include "runtime/threads/handles.h"

namespace keyhole::natives::management {

// Makes a GcInfo. `bean` is the collector's GarbageCollectorExtImpl. Null: an exception is pending.
[[nodiscard]] Object* new_gc_info(JavaThread* thread, Handle bean, const gc::inspect::Pause& pause) MAY_SAFEPOINT;

}  // namespace keyhole::natives::management
