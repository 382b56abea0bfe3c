// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The filler klasses, and writing fillers into gaps.
#include "gc/heap/filler.h"

#include "runtime/base/check.h"

namespace keyhole::gc {
namespace {

// Storage of the filler klasses. It is constant-initialised, because the klass table needs them before anything else
// exists.
alignas(Klass) char word_storage[sizeof(Klass)];
alignas(Klass) char run_storage[sizeof(Klass)];
Klass* const run_filler = reinterpret_cast<Klass*>(run_storage);

void make(Klass* klass, u32 instance_bytes) {
  klass->kind = KlassKind::Filler;
  klass->instance_bytes = instance_bytes;
  klass->name = Symbol::intern(instance_bytes != 0 ? "<filler word>" : "<filler>");
  register_klass(klass);
}

}  // namespace

Klass* const word_filler = reinterpret_cast<Klass*>(word_storage);

void initialize_fillers() {
  if (word_filler->id != 0) return;
  make(word_filler, layout::object_alignment);
  make(run_filler, 0);
}

void write_filler(char* start, u64 bytes) {
  KEYHOLE_ASSERT(bytes % layout::object_alignment == 0, "{} bytes at {}", bytes, static_cast<void*>(start));
  if (bytes == 0) return;
  Object* object = reinterpret_cast<Object*>(start);
  if (bytes == layout::object_alignment) {
    if constexpr (layout::klass_is_in_word) object->write_header(word_filler->id);
    else object->header().store(static_cast<layout::Word>(hole_word), std::memory_order_relaxed);
  } else {
    object->write_header(run_filler->id);
    object->set<u32>(layout::array_length_offset, static_cast<u32>(bytes / layout::object_alignment));
  }
}

}  // namespace keyhole::gc
