// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Refilling, retiring and sizing of allocation buffers.
#include "gc/tlab.h"

#include <algorithm>

#include "gc/filler.h"
#include "gc/space.h"
#include "runtime/base/flags.h"

namespace keyhole::gc::tlab {

bool enabled() { return flags::UseTLAB && flags::GCStressInterval == 0 && flags::AllocationFailureInterval == 0; }

void retire(JavaThread* thread) {
  if (thread->tlab_start != nullptr) {
    write_filler(thread->tlab_top, static_cast<u64>(thread->tlab_end - thread->tlab_top));
    thread->allocated_bytes += static_cast<u64>(thread->tlab_top - thread->tlab_start);
  }
  thread->tlab_start = thread->tlab_top = thread->tlab_end = nullptr;
}

void retire_for_collection(JavaThread* thread) {
  retire(thread);
  if (thread->tlab_desired_bytes != 0) {
    u64 wanted = align_up(thread->tlab_bytes_since_collection / 8, layout::object_alignment);
    thread->tlab_desired_bytes = std::clamp(wanted, Space::minimum_tlab_bytes, largest_bytes);
  }
  thread->tlab_bytes_since_collection = 0;
}

char* allocate_slow(JavaThread* thread, u64 bytes) {
  u64 taken = 0;
  if (enabled()) {
    u64 wanted = thread->tlab_desired_bytes != 0 ? thread->tlab_desired_bytes : first_bytes;
    wanted = std::min(wanted, space.regions.region_bytes() / 8);
    u64 rest = static_cast<u64>(thread->tlab_end - thread->tlab_top);
    if (bytes <= wanted / 4 && rest <= wanted / 64 + 64) {  // R4
      char* memory = space.allocate_shared(thread->id, std::max(bytes, Space::minimum_tlab_bytes), wanted, taken);
      if (memory != nullptr) {
        retire(thread);
        thread->tlab_start = memory;
        thread->tlab_top = memory + bytes;
        thread->tlab_end = memory + taken;
        thread->tlab_bytes_since_collection += taken;
        thread->tlab_desired_bytes = std::min(wanted * 2, largest_bytes);
        return memory;
      }
    }
  }
  char* memory = space.allocate_shared(thread->id, bytes, bytes, taken);
  if (memory != nullptr) thread->allocated_bytes += bytes;
  return memory;
}

}  // namespace keyhole::gc::tlab
