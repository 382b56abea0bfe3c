// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory that an instruction is about to access, and the names of fields and array elements. Readers: the points of
// a controlled VM (schedule_points.h), the detector of data races (race_points.h).
#pragma once

#include <string>

#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

struct HeapAccess {
  Object* holder = nullptr;  // null: the handler throws
  u64 offset = 0;
  u32 shift = 0;  // of its size
};
// For operations that access a field or an array element, resolved; the thread's state is saved.
HeapAccess heap_access_of(const Frame* frame, u64 word) TOUCHES_OBJECTS;
// Whether the handler of an aastore throws an ArrayStoreException.
bool is_refused_store(const Frame* frame, Operation operation) TOUCHES_OBJECTS;
// Whether the operation is a resolved access to a field or an array element.
bool is_heap_access(Operation operation);

// The field at an offset of an object; of a class's mirror: the static field. Null if there is none, as in arrays.
const Field* field_at(const Object* base, u64 offset) TOUCHES_OBJECTS;
// Array elements. `base` is an array.
u64 index_at(const Object* base, u64 offset) TOUCHES_OBJECTS;

std::string simple_name(const Klass* klass);
std::string name_of_thread(const JavaThread* thread);

}  // namespace keyhole::interpreter
