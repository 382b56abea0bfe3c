// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation for compiled code that keeps references in registers: behind the fast path in the TLAB, and before what
// may collect. Null: heap::allocate_instance or allocate_array must be called, where a safepoint may be reached. They
// never reach one, and give nothing while allocations are counted for stress.
#pragma once

#include "runtime/object/object.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::heap {

Object* allocate_instance_nogc(JavaThread* thread, u32 klass_id, u64 bytes) TOUCHES_OBJECTS;
// Of any length: a negative one gives null.
Object* allocate_array_nogc(JavaThread* thread, u32 klass_id, u32 element_shift, i32 length) TOUCHES_OBJECTS;

}  // namespace keyhole::heap
