// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Finds the memory that an instruction is about to access, and the field or array element at an address. Users: the
// points of a controlled VM (schedule_points.h), the detector of data races (race_points.h).
#pragma once

#include <string>

#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

// The binary logarithm of a variable's size in bytes. `type` is the first letter of its descriptor.
u32 shift_of(char type);

struct HeapAccess {
  Object* holder = nullptr;  // null: the handler throws
  u64 offset = 0;
  u32 shift = 0;  // of its size
};
// Returns the memory that the instruction `word` will access. is_heap_access() must be true of its operation, and the
// thread's state must be saved.
HeapAccess heap_access_of(const Frame* frame, u64 word) TOUCHES_OBJECTS;
// Returns whether the operation is an aastore that will throw an ArrayStoreException.
bool is_refused_store(const Frame* frame, Operation operation) TOUCHES_OBJECTS;
// Returns whether the operation is a resolved access to a field or an array element.
bool is_heap_access(Operation operation);

// Returns the field at an offset of an object. In the mirror of a class this may be a static field of the class.
// Returns null if there is no field at the offset, as in arrays.
const Field* field_at(const Object* base, u64 offset) TOUCHES_OBJECTS;
// Array elements. `base` is an array.
u64 index_at(const Object* base, u64 offset) TOUCHES_OBJECTS;

// "Account", "Node[]", "int[]", "Main$1", "Main$$Lambda": without packages, enclosing classes and numbers of lambdas.
std::string simple_name(const Klass* klass);
// "an Account", "a Node[]"
std::string indefinite_name(const Klass* klass);
std::string name_of_thread(const JavaThread* thread);

}  // namespace keyhole::interpreter
