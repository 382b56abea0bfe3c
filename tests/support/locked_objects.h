// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects without a heap, and one level of locking as the interpreter does it: for tests of runtime/sync and for
// mutexbench.
#pragma once

#include <atomic>
#include <cstdlib>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/object/klass.h"
#include "runtime/sync/fast_paths.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::test {

inline u32 test_klass_id() {
  static const u32 id = [] {
    names::initialize();
    // No constructor of Klass fits an object without a class file, so the klass is zeroed memory with a name and sizes.
    Klass* klass = static_cast<Klass*>(calloc(1, sizeof(Klass)));
    klass->name = Symbol::intern("test/Locked");
    klass->instance_bytes = 16;
    klass->hash_offset = 12;
    register_klass(klass);
    return klass->id;
  }();
  return id;
}

// Makes objects that are never freed, so stale pointers to them stay valid. `bytes` is the distance from one object to
// the next.
inline Object* new_object(usize bytes = 16) {
  static constexpr usize area_bytes = 256_MiB;
  static char* area = static_cast<char*>(address_space::map_at(address_space::heap_base, area_bytes));
  static std::atomic<usize> used{0};
  usize offset = used.fetch_add(bytes);
  KEYHOLE_CHECK(area != nullptr && offset + bytes <= area_bytes, "no room for another object of {} bytes", bytes);
  Object* object = reinterpret_cast<Object*>(area + offset);
  object->write_header(test_klass_id());
  return object;
}

// The namespace of the snippets. tests/jit/snippets defines this macro, too, as another namespace.
#ifndef KEYHOLE_FAST_PATHS
#define KEYHOLE_FAST_PATHS sync::fast_paths
#endif

// Calls action.template operator()<Snippet>() with the snippet of the active algorithm.
template <typename Action> auto with_fast_path(Action action) {
#define FAST_PATH(name, snippet, header) \
  if (&sync::fast_path() == &sync::fast_path_rows::name) return action.template operator()<KEYHOLE_FAST_PATHS::name>();
#include "runtime/sync/fast_paths.def"
  return action.template operator()<sync::fast_paths::none>();
}

// Enters one level as the interpreter does: each level has a lock record. The fast path comes first. If it fails, the
// object is stored in the record before the slow path.
template <typename Snippet> KEYHOLE_ALWAYS_INLINE void enter_level(JavaThread* thread, Handle object) {
  LockRecord* record = &thread->lock_records[thread->lock_record_top];
  bool done = Snippet::try_enter(thread, object.get(), record);
  ++thread->lock_record_top;
  record->object = object.get();
  if (!done) [[unlikely]]
    sync::enter(thread, object, record);
}
// Exits the level that was entered with this record. Afterwards the record is empty, and still on the stack.
template <typename Snippet>
KEYHOLE_ALWAYS_INLINE sync::Status exit_level(JavaThread* thread, Handle object, LockRecord* record) {
  sync::Status status = sync::Status::Done;
  if (!Snippet::try_exit(thread, object.get(), record)) [[unlikely]]
    status = sync::exit(thread, object, record);
  record->object = nullptr;
  return status;
}

}  // namespace keyhole::test
