// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The place of a java.lang.Thread's status and related fields.
//
//   JDK 17       in the Thread
//   from 21 on   in the object of its field `holder`, which is null until the constructor has run, and for ever in a
//                virtual thread: reading then answers 0 or null, and writing does nothing
#pragma once

#include <atomic>

#include "runtime/object/object.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/well_known.h"

namespace keyhole::thread_fields {

// The object that has these fields, or null.
inline Object* place_of(Object* thread) TOUCHES_OBJECTS {
  return well_known::Thread_holder == 0 ? thread : thread->get_reference(well_known::Thread_holder);
}
inline u32 either(u32 in_thread, u32 in_holder) { return well_known::Thread_holder == 0 ? in_thread : in_holder; }

template <typename T> T get(const Object* thread, u32 in_thread, u32 in_holder) TOUCHES_OBJECTS {
  const Object* place = place_of(const_cast<Object*>(thread));
  return place == nullptr ? T{} : place->get<T>(either(in_thread, in_holder));
}

inline i32 priority(const Object* thread) TOUCHES_OBJECTS {
  return get<i32>(thread, well_known::Thread_priority, well_known::ThreadHolder_priority);
}
inline bool is_daemon(const Object* thread) TOUCHES_OBJECTS {
  return get<u8>(thread, well_known::Thread_daemon, well_known::ThreadHolder_daemon) != 0;
}
inline i64 stack_size(const Object* thread) TOUCHES_OBJECTS {
  return get<i64>(thread, well_known::Thread_stack_size, well_known::ThreadHolder_stack_size);
}
inline Object* group(const Object* thread) TOUCHES_OBJECTS {
  const Object* place = place_of(const_cast<Object*>(thread));
  return place == nullptr ? nullptr
                          : place->get_reference(either(well_known::Thread_group, well_known::ThreadHolder_group));
}
inline u32 status_offset() { return either(well_known::Thread_thread_status, well_known::ThreadHolder_thread_status); }
inline void set_status(Object* thread, JavaThreadStatus status) TOUCHES_OBJECTS {
  Object* place = place_of(thread);
  if (place == nullptr) return;
  place->atomic<i32>(status_offset()).store(static_cast<i32>(status), std::memory_order_relaxed);
}
// Sets the priority of a thread that was just made.
inline void set_priority(Object* thread, i32 priority) TOUCHES_OBJECTS {
  if (Object* place = place_of(thread))
    place->set<i32>(either(well_known::Thread_priority, well_known::ThreadHolder_priority), priority);
}
inline void set_daemon(Object* thread) TOUCHES_OBJECTS {
  if (Object* place = place_of(thread))
    place->set<u8>(either(well_known::Thread_daemon, well_known::ThreadHolder_daemon), 1);
}

}  // namespace keyhole::thread_fields
