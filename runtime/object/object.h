// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects as the VM sees them: an address whose header word is at offset 0.
//
// An Object* may be dereferenced until the next safepoint; after that it may have moved. Keep it in a Handle
// (runtime/threads/handles.h) across anything that can reach one. In a safe state no thread touches it
// (docs/safepoints.md). Reference fields are stored through gc/barrier.h, never by set<NarrowRef>.
#pragma once

#include <atomic>

#include "runtime/base/capabilities.h"
#include "runtime/base/check.h"
#include "runtime/base/safe_state.h"
#include "runtime/object/layout.h"

namespace keyhole {

class Klass;
class Object;

// A reference as it stands in a heap field or array element: address >> 3, 0 = null.
using NarrowRef = u32;
inline constexpr u32 narrow_shift = 3;
inline NarrowRef encode(const Object* object) {
  return static_cast<NarrowRef>(reinterpret_cast<uptr>(object) >> narrow_shift);
}
inline Object* decode(NarrowRef reference) { return reinterpret_cast<Object*>(uptr{reference} << narrow_shift); }

class Object {
 public:
  Object() = delete;

  // The header word. Accesses are relaxed unless the caller's protocol names an order.
  std::atomic<layout::Word>& header() TOUCHES_OBJECTS {
    check_may_touch_objects();
    return *reinterpret_cast<std::atomic<layout::Word>*>(this);
  }
  layout::Word header_word() const TOUCHES_OBJECTS {
    return const_cast<Object*>(this)->header().load(std::memory_order_relaxed);
  }
  u32 klass_id() const TOUCHES_OBJECTS {
    check_may_touch_objects();
    return layout::klass_id_at(this);
  }
  // The header of a new object: unlocked, no hash, no age.
  void write_header(u32 klass_id) TOUCHES_OBJECTS {
    check_may_touch_objects();
    layout::write_header(this, klass_id);
  }
  Klass* klass() const TOUCHES_OBJECTS;  // runtime/object/klass.h

  template <typename T> T* address(u32 offset) TOUCHES_OBJECTS {
    check_may_touch_objects();
    return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + offset);
  }
  template <typename T> T get(u32 offset) const TOUCHES_OBJECTS {
    check_may_touch_objects();
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + offset);
  }
  template <typename T> void set(u32 offset, T value) TOUCHES_OBJECTS { *address<T>(offset) = value; }
  // Java's plain accesses are racy by design: a relaxed atomic is the same instruction and no data race in C++.
  template <typename T> std::atomic<T>& atomic(u32 offset) TOUCHES_OBJECTS { return *address<std::atomic<T>>(offset); }

  Object* get_reference(u32 offset) const TOUCHES_OBJECTS { return decode(get<NarrowRef>(offset)); }

  // For arrays only.
  i32 length() const TOUCHES_OBJECTS { return get<i32>(layout::array_length_offset); }
  void set_length(i32 length) TOUCHES_OBJECTS { set<i32>(layout::array_length_offset, length); }
  template <typename T> T* elements() TOUCHES_OBJECTS {
    return address<T>(layout::array_base_offset(sizeof(T) == 8 ? 3u : 0u));
  }
  static constexpr u32 element_offset(u32 shift, u32 index) {
    return layout::array_base_offset(shift) + (index << shift);
  }
  Object* reference_at(i32 index) const TOUCHES_OBJECTS {
    return get_reference(element_offset(2, static_cast<u32>(index)));
  }
};

}  // namespace keyhole
