// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation, from the full TLAB to OutOfMemoryError, and queries about the heap.
//
//   1 the rest of the TLAB             allocate_in_tlab_nogc, and here again for direct callers of allocate
//   2 a new TLAB, or a shared region   gc/heap/tlab.h, gc/heap/shared_allocator.h; a humongous object gets regions of
//                                      its own
//   3 collect, then 2 again            within the safepoint, so that no other thread takes the freed memory; or 6, when
//                                      the overhead limit (gc/heap/overhead_limit.h) is exceeded
//   4 move the trigger up              if there are free regions above it
//   5 the last try                     slide everything together, clear soft references, then 2 and 4 again
//   6 null                             the caller throws OutOfMemoryError
#include "gc/heap/heap.h"

#include "gc/collection.h"
#include "gc/heap/leaf_allocation.h"
#include "gc/heap/overhead_limit.h"
#include "gc/heap/space.h"
#include "gc/heap/tlab.h"
#include "gc/plan.h"
#include "gc/scan.h"
#include "gc/service.h"
#include "gc/verify.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace keyhole::heap {

using gc::space;

namespace {

std::atomic<u64> injected_failures;
std::atomic<u64> collections_for_metadata, collections_of_soft_references;  // the first counts those of the second, too

// This is inline, and the rest out of line: under -XX:-UseTLAB each object is allocated here, and each call costs a
// sixth of the CAS.
[[gnu::always_inline]] inline char* allocate_nogc(JavaThread* thread, u64 bytes) TOUCHES_OBJECTS {
  if (space.is_humongous(bytes)) {
    char* memory = space.allocate_humongous(bytes);
    if (memory != nullptr) thread->allocated_bytes += bytes;
    return memory;
  }
  return flags::UseTLAB ? gc::tlab::allocate_slow(thread, bytes) : gc::tlab::allocate_outside(thread, bytes);
}

// Allocates with step 4: when a collection has left too little room below the trigger, but free regions above it.
char* allocate_extending_nogc(JavaThread* thread, u64 bytes) TOUCHES_OBJECTS {
  if (char* memory = allocate_nogc(thread, bytes)) return memory;
  return space.extend_for(bytes) ? allocate_nogc(thread, bytes) : nullptr;
}

// Runs a pause, and starts the work that it leaves for afterwards.
template <typename Operation> MAY_SAFEPOINT void pause(JavaThread* thread, const char* name, Operation& operation) {
  safepoint::run(thread, name, operation);
  gc::service::after_pause(thread);
}

// As pause, for an operation that may have allocated. The thread must not stop before the memory is an object, so this
// only wakes a service thread that runs, and starts none.
template <typename Operation> MAY_SAFEPOINT void allocating_pause(JavaThread* thread, Operation& operation) {
  safepoint::run(thread, "CollectForAllocation", operation);
  gc::service::wake_nogc();
}

// Takes steps 3 to 5. `observed`: the number of collections before the failed attempt. If another thread has collected
// since, that collection may suffice.
[[gnu::noinline]] char* allocate_collecting(JavaThread* thread, u64 bytes, u64 observed) MAY_SAFEPOINT {
  if (!gc::plan().properties().collects) return allocate_extending_nogc(thread, bytes);
  gc::service::after_pause(thread);  // the work of the previous pause
  char* memory = nullptr;
  bool& hopeless = thread->allocation->overhead_limit_exceeded;
  hopeless = false;
  auto collect_and_retry = [&](const gc::Request& request) TOUCHES_OBJECTS {
    gc::run_collection(request);
    hopeless = gc::overhead_limit.take_exceeded();
    if (!hopeless) memory = allocate_extending_nogc(thread, bytes);
  };
  auto ordinary = [&]() TOUCHES_OBJECTS {
    if (gc::collections() == observed)
      collect_and_retry({Cause::AllocationFailure, /*clear_soft=*/gc::overhead_limit.is_near()});
    else memory = allocate_extending_nogc(thread, bytes);
  };
  allocating_pause(thread, ordinary);
  if (memory != nullptr || hopeless) return memory;
  if (space.is_humongous(bytes)) {
    // There may be room that is not contiguous.
    auto compacting = [&]() TOUCHES_OBJECTS {
      collect_and_retry({Cause::AllocationFailure, /*clear_soft=*/false, /*compact=*/true});
    };
    allocating_pause(thread, compacting);
    if (memory != nullptr || hopeless) return memory;
  }
  auto last = [&]() TOUCHES_OBJECTS {
    collect_and_retry({Cause::AllocationFailure, /*clear_soft=*/true, /*compact=*/true});
  };
  allocating_pause(thread, last);
  return memory;
}

// Applies the flags for testing. False: this allocation must fail.
[[gnu::noinline]] bool stress_allocation(JavaThread* thread) MAY_SAFEPOINT {
  if (flags::GCStressInterval != 0 &&
      ++thread->allocation_stress_countdown >= static_cast<u64>(flags::GCStressInterval)) {
    thread->allocation_stress_countdown = 0;
    collect(thread, Cause::Stress);
  }
  if (flags::AllocationFailureInterval == 0) return true;
  u64 interval = static_cast<u64>(flags::AllocationFailureInterval);
  return injected_failures.fetch_add(1, std::memory_order_relaxed) % interval != interval - 1;
}

[[gnu::always_inline]] inline char* allocate_memory(JavaThread* thread, u64 bytes) MAY_SAFEPOINT {
  check_may_safepoint();
  if ((flags::GCStressInterval | flags::AllocationFailureInterval) != 0) [[unlikely]] {
    if (!stress_allocation(thread)) return nullptr;
  }
  if (bytes <= static_cast<u64>(thread->tlab_end - thread->tlab_top)) {
    char* memory = thread->tlab_top;
    thread->tlab_top += bytes;
    return memory;
  }
  u64 observed = gc::collections();
  if (char* memory = allocate_nogc(thread, bytes)) return memory;
  return allocate_collecting(thread, bytes, observed);
}

}  // namespace

std::string initialize() {
  if (std::string error = gc::select_plan(flags::GCPlan); !error.empty()) return error;
  if (std::string error = space.initialize(); !error.empty()) return error;
  if (std::string error = gc::plan().start(); !error.empty()) return error;
  space.sizing.after_collection(/*used=*/0, /*may_shrink=*/false, gc::plan().budget());
  gc::overhead_limit.begin(hardware::now_nanoseconds());
  safepoint::stress_hook = [](JavaThread* thread) MAY_SAFEPOINT { collect(thread, Cause::Stress); };
  threads::at_detach([](JavaThread* thread) TOUCHES_OBJECTS { gc::tlab::retire_at_detach(thread); });
  KEYHOLE_LOG(debug, gc_heap, "Initial heap {}  Maximum heap {}  Region size {}", capacity_bytes(), maximum_bytes(),
              space.regions.region_bytes());
  KEYHOLE_LOG(info, gc, "Using {}", gc::plan().properties().log_name);
  return {};
}

Object* allocate(JavaThread* thread, Klass* klass, u64 bytes) {
  char* memory = allocate_memory(thread, bytes);
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  Object* object = reinterpret_cast<Object*>(memory);
  object->write_header(klass->id);
  return object;
}

Object* allocate_instance(JavaThread* thread, Klass* klass) { return allocate(thread, klass, klass->instance_bytes); }

Object* allocate_array(JavaThread* thread, Klass* array_klass, i32 length) {
  KEYHOLE_ASSERT(length >= 0, "array length {}", length);
  if (length > maximum_array_length) return nullptr;
  u64 bytes = layout::array_bytes(array_klass->element_shift, static_cast<u32>(length));
  if (bytes > maximum_bytes()) return nullptr;
  Object* array = allocate(thread, array_klass, bytes);
  if (array != nullptr) array->set_length(length);
  return array;
}

Object* allocate_instance_nogc(JavaThread* thread, u32 klass_id, u64 bytes) {
  if ((flags::GCStressInterval | flags::AllocationFailureInterval) != 0) [[unlikely]]
    return nullptr;
  auto* object = reinterpret_cast<Object*>(allocate_nogc(thread, bytes));
  if (object != nullptr) object->write_header(klass_id);
  return object;
}

Object* allocate_array_nogc(JavaThread* thread, u32 klass_id, u32 element_shift, i32 length) {
  if (length < 0 || length > maximum_array_length) return nullptr;
  u64 bytes = layout::array_bytes(element_shift, static_cast<u32>(length));
  if (bytes > maximum_bytes()) return nullptr;
  Object* array = allocate_instance_nogc(thread, klass_id, bytes);
  if (array != nullptr) array->set_length(length);
  return array;
}

void collect(JavaThread* thread, Cause cause) {
  if (cause == Cause::SystemGC && flags::DisableExplicitGC) return;
  if (!gc::plan().properties().collects) return;
  auto operation = [&] { gc::run_collection({cause, /*clear_soft=*/cause == Cause::MetadataClearSoftReferences}); };
  pause(thread, gc::name_of(cause), operation);
}

u64 collections_for(Cause cause) {
  return (cause == Cause::MetadataThreshold ? collections_for_metadata : collections_of_soft_references)
      .load(std::memory_order_relaxed);
}

void collect_unless_done(JavaThread* thread, Cause cause, u64 seen) {
  KEYHOLE_ASSERT(cause == Cause::MetadataThreshold || cause == Cause::MetadataClearSoftReferences,
                 "{} is no shortage of metadata", gc::name_of(cause));
  if (!gc::plan().properties().collects) return;
  auto operation = [&] {
    if (collections_for(cause) != seen) return;
    bool clear_soft = cause == Cause::MetadataClearSoftReferences;
    gc::run_collection({cause, clear_soft});
    collections_for_metadata.fetch_add(1, std::memory_order_relaxed);
    if (clear_soft) collections_of_soft_references.fetch_add(1, std::memory_order_relaxed);
  };
  pause(thread, gc::name_of(cause), operation);
}

const char* failure_message(JavaThread* thread) {
  if (!thread->allocation->overhead_limit_exceeded) return exhausted_message;
  thread->allocation->overhead_limit_exceeded = false;
  return overhead_limit_message;
}

u64 collection_count() { return gc::collections(); }
u64 used_bytes() { return space.used_bytes(); }
u64 capacity_bytes() { return u64{space.sizing.capacity_regions()} * space.regions.region_bytes(); }
u64 maximum_bytes() { return u64{space.regions.count()} * space.regions.region_bytes(); }
bool contains(const void* address) { return space.regions.contains(address); }
u64 total_pause_microseconds() { return gc::collector_nanoseconds() / 1000; }

void for_each_object(void (*visit)(Object*, void*), void* context) {
  gc::make_walkable();
  space.regions.for_each_used([&](gc::Region& region) TOUCHES_OBJECTS {
    gc::for_each_object_in(region, [&](Object* object, Klass* klass, u64) {
      if (!gc::is_filler(klass)) visit(object, context);
    });
  });
}

std::string verify(const char* when) {
  gc::make_walkable();
  return gc::verify(when);
}

void report_at_exit(JavaThread* thread) {
  if (flags::VerifyAfterGC) {
    KEYHOLE_LOG(info, gc_verify, "Moved {} objects in {} collections, verified after each", gc::moved_objects(),
                gc::collections());
  }
  if (!log::enabled(log::TagSet::gc_alloc, log::Level::info)) return;
  auto report = [] {
    threads::for_each_current([](JavaThread* each) { space.add_to_totals(each->allocation->counters); });
    space.log_allocation_totals();
  };
  safepoint::run(thread, "ReportAllocation", report);
}

void print_region_table(FILE* out) { space.print_regions(out); }
void record_regions() { space.record_regions(); }

}  // namespace keyhole::heap
