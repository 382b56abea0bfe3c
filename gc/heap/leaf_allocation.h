// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation for compiled code that keeps references in registers: the step between the fast path in the TLAB and the
// allocation that may collect. These functions never reach a safepoint. Null: heap::allocate_instance or allocate_array
// must be called, where a safepoint may be reached. They return null while allocations are counted for stress.
#pragma once

#include "runtime/object/object.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::heap {

Object* allocate_instance_nogc(JavaThread* thread, u32 klass_id, u64 bytes) TOUCHES_OBJECTS;
// Any length is allowed; a negative one gives null.
Object* allocate_array_nogc(JavaThread* thread, u32 klass_id, u32 element_shift, i32 length) TOUCHES_OBJECTS;

}  // namespace keyhole::heap
