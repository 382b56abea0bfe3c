// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The filler klasses and how a gap is dressed.
#include "gc/filler.h"

#include "runtime/base/check.h"

namespace keyhole::gc {
namespace {

// Constant-initialised: the klass table needs them before anything else exists.
alignas(Klass) char word_storage[sizeof(Klass)];
alignas(Klass) char run_storage[sizeof(Klass)];
Klass* word_filler;
Klass* run_filler;

Klass* make(char* storage, u32 instance_bytes) {
  Klass* klass = reinterpret_cast<Klass*>(storage);
  klass->kind = KlassKind::Filler;
  klass->instance_bytes = instance_bytes;
  klass->name = Symbol::intern(instance_bytes != 0 ? "<filler word>" : "<filler>");
  register_klass(klass);
  return klass;
}

}  // namespace

void initialize_fillers() {
  if (word_filler != nullptr) return;
  word_filler = make(word_storage, layout::minimum_object_bytes);
  run_filler = make(run_storage, 0);
}

void write_filler(char* start, u64 bytes) {
  KEYHOLE_ASSERT(bytes % layout::object_alignment == 0, "{} bytes at {}", bytes, static_cast<void*>(start));
  if (bytes == 0) return;
  Object* object = reinterpret_cast<Object*>(start);
  if (bytes == layout::minimum_object_bytes) {
    object->header().store(layout::prototype_word(word_filler->id), std::memory_order_relaxed);
  } else {
    object->header().store(layout::prototype_word(run_filler->id), std::memory_order_relaxed);
    object->set<u32>(layout::array_length_offset, static_cast<u32>(bytes / layout::object_alignment));
  }
}

}  // namespace keyhole::gc
