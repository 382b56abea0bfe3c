// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap as the rest of the VM sees it: allocation, collections, queries.
//
// Allocation returns null when the heap is exhausted after all collections; the caller throws OutOfMemoryError
// (vm/link/exceptions.h). Memory is zeroed, the header is installed; the caller stores fields before the next
// safepoint. Functions marked MAY_SAFEPOINT may collect: the caller's raw pointers are stale afterwards.
#pragma once

#include <cstdio>
#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/object/klass.h"
#include "runtime/threads/handles.h"

namespace keyhole::heap {

// Makes the heap as the flags MaxHeapSize, InitialHeapSize and HeapRegionSize say. Returns the empty string, or java's
// error text ("Too small maximum heap").
std::string initialize();

Object* allocate(JavaThread* thread, Klass* klass, u64 bytes) MAY_SAFEPOINT;  // bytes: a multiple of 8
Object* allocate_instance(JavaThread* thread, Klass* klass) MAY_SAFEPOINT;    // klass->instance_bytes
// length >= 0. The result is also null if the length is above the VM's limit.
Object* allocate_array(JavaThread* thread, Klass* array_klass, i32 length) MAY_SAFEPOINT;
// The longest array, as HotSpot has it: two less than the largest int, so that its size in words still fits one.
inline constexpr i32 maximum_array_length = 0x7FFF'FFFF - 2;
// The text of the OutOfMemoryError for an array that allocate_array refused.
inline constexpr const char* exhausted_message = "Java heap space";
inline constexpr const char* overhead_limit_message = "GC overhead limit exceeded";
inline const char* array_failure_message(i32 length) {
  return length > maximum_array_length ? "Requested array size exceeds VM limit" : exhausted_message;
}
// The message for the OutOfMemoryError of this thread's last failed allocation. A reason other than exhausted_message
// is returned once.
const char* failure_message(JavaThread* thread);
// The inline half of allocation, in two steps. Fast paths in generated code do the same.
inline bool tlab_has_room(const JavaThread* thread, u64 bytes) {
  return bytes <= static_cast<u64>(thread->tlab_end - thread->tlab_top);
}
// The second step: the TLAB has room.
inline Object* take_from_tlab(JavaThread* thread, u32 klass_id, u64 bytes) TOUCHES_OBJECTS {
  Object* object = reinterpret_cast<Object*>(thread->tlab_top);
  thread->tlab_top += bytes;
  object->write_header(klass_id);
  return object;  // TLABs are zeroed when they are handed out
}
// Longer arrays, and negative lengths, take the slow path. So sizes on the fast path stay within 32 bits.
inline constexpr u32 longest_fast_array = 1u << 20;
inline bool tlab_has_room_for_array(const JavaThread* thread, u32 element_shift, u32 length) {
  return length <= longest_fast_array && tlab_has_room(thread, layout::array_bytes(element_shift, length));
}
inline Object* take_array_from_tlab(JavaThread* thread, u32 klass_id, u32 element_shift, u32 length) TOUCHES_OBJECTS {
  Object* array = take_from_tlab(thread, klass_id, layout::array_bytes(element_shift, length));
  array->set_length(static_cast<i32>(length));
  return array;
}
// Both steps together. Null when the TLAB is full; then call allocate.
inline Object* allocate_in_tlab_nogc(JavaThread* thread, u32 klass_id, u64 bytes) TOUCHES_OBJECTS {
  return tlab_has_room(thread, bytes) ? take_from_tlab(thread, klass_id, bytes) : nullptr;
}
inline Object* allocate_array_in_tlab_nogc(JavaThread* thread, u32 klass_id, u32 element_shift, u32 length)
    TOUCHES_OBJECTS {
  if (!tlab_has_room_for_array(thread, element_shift, length)) [[unlikely]]
    return nullptr;
  return take_array_from_tlab(thread, klass_id, element_shift, length);
}

enum class Cause : u8 {
  AllocationFailure,
  SystemGC,
  Stress,
  HeapDump,
  MetadataThreshold,
  MetadataClearSoftReferences,
  Shutdown
};
void collect(JavaThread* thread, Cause cause) MAY_SAFEPOINT;
// Collects because of a shortage of metadata. Several threads may meet the shortage together, so each passes the count
// of collections that it read when it met it. If a collection for this cause or a stronger one has begun since, no
// other is made.
u64 collections_for(Cause cause);
void collect_unless_done(JavaThread* thread, Cause cause, u64 seen) MAY_SAFEPOINT;
u64 collection_count();

u64 used_bytes();
u64 capacity_bytes();
u64 maximum_bytes();
bool contains(const void* address);
// The time spent in collections since the start.
u64 total_pause_microseconds();

// Walks all objects; world stopped. For verification, histograms and dumps.
void for_each_object(void (*visit)(Object*, void*), void* context);
// Instances and bytes per class, largest first, in the form of HotSpot's GC.class_histogram. World stopped.
void print_class_histogram(FILE* out);
// Empty when every invariant of gc/verify.h holds, else the first violation with the path from a root. World stopped.
std::string verify(const char* when);
// Logs -Xlog:gc+alloc at exit.
void report_at_exit(JavaThread* thread) MAY_SAFEPOINT;
void print_region_table(FILE* out);  // takes no lock, as crash reports call it, too
// Records the events of the regions in use, at the beginning of a recording.
void record_regions();

}  // namespace keyhole::heap
