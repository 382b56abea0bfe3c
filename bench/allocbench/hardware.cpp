// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// allocbench on this machine: Keyhole's heap without the rest of the VM, and plain C++ as a baseline.
#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>

#include <atomic>
#include <barrier>
#include <cstring>
#include <memory>

#include "bench/allocbench/load.h"
#include "gc/heap/heap.h"
#include "gc/heap/space.h"
#include "gc/roots.h"
#include "runtime/base/flags.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace keyhole::allocbench {
namespace {

constexpr u64 poll_every = 64;         // objects
constexpr u32 kept_objects = 64;       // number of the newest objects of each thread that are kept live
constexpr u64 arena_bytes = 64_MiB;    // bytes that Keyhole's heap allocates between two collections
constexpr u64 buffer_bytes = 256_KiB;  // size of a TLAB: cache_friendly_bytes of gc/heap/tlab.cpp

f64 thread_cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<f64>(now.tv_sec) + static_cast<f64>(now.tv_nsec) * 1e-9;
}

// --- what threads share ----------------------------------------------------------------------------------------------

Parameters load;
std::atomic<bool> stop;
std::atomic<u32> next_request;
std::atomic<u32> ready, finished;
std::atomic<i64> began;  // 0: not yet
std::atomic<bool> exhausted;
struct alignas(128) Result {
  u64 objects = 0;
  f64 cpu_seconds = 0;
  i64 ended = 0;
  std::vector<Event> events;
};
std::unique_ptr<Result[]> results;

// An allocator. object() returns false if there is no memory. The benchmark calls poll() from time to time.
template <typename MakeObject, typename Poll> void work(Result& result, MakeObject object, Poll poll) {
  u64 objects = 0;
  auto allocate = [&](u64 count) {
    for (u64 i = 0; i < count; ++i) {
      if (!object(objects)) [[unlikely]] {
        exhausted.store(true);
        return false;
      }
      ++objects;
    }
    poll();
    return true;
  };
  // Touches all memory that the run will reuse, so that the run causes no page faults.
  u64 warm_up = arena_bytes / load.object_bytes / load.threads;
  for (u64 i = 0; i < warm_up; i += poll_every)
    if (!allocate(poll_every)) return;
  ready.fetch_add(1);
  while (began.load(std::memory_order_acquire) == 0) {
    poll();
    timespec moment{0, 100'000};
    nanosleep(&moment, nullptr);
  }
  objects = 0;
  i64 origin = began.load();
  f64 cpu_before = thread_cpu_seconds();
  if (load.requests == 0) {
    while (!stop.load(std::memory_order_relaxed))
      if (!allocate(poll_every)) return;
  } else {
    result.events.reserve(load.requests / load.threads * 2);
    while (next_request.fetch_add(1, std::memory_order_relaxed) < load.requests) {
      i64 start = hardware::now_nanoseconds() - origin;
      if (!allocate(load.objects_per_request)) return;
      result.events.push_back({start, hardware::now_nanoseconds() - origin});
    }
  }
  result.objects = objects;
  result.cpu_seconds = thread_cpu_seconds() - cpu_before;
  result.ended = hardware::now_nanoseconds();
}

// --- Keyhole's heap --------------------------------------------------------------------------------------------------

// Returns a klass whose instances have the given size and no references.
Klass* make_klass() {
  static Klass klass{};
  names::initialize();
  klass.kind = KlassKind::Instance;
  klass.name = Symbol::intern("Blob");
  klass.instance_bytes = static_cast<u32>(load.object_bytes);
  register_klass(&klass);
  return &klass;
}

Klass* blob;
std::atomic<u32> next_index;

void allocate_in_heap(JavaThread* thread) {
  u32 index = next_index.fetch_add(1);
  {
    HandleScope scope(thread);
    Handle kept[kept_objects];
    for (Handle& handle : kept) handle = scope.make(nullptr);
    auto object = [&](u64 number) {
      Object* made = heap::allocate_in_tlab_nogc(thread, blob->id, load.object_bytes);
      if (made == nullptr) [[unlikely]] {
        made = heap::allocate_instance(thread, blob);
        if (made == nullptr) return false;
      }
      if (number % poll_every == 0) kept[number / poll_every % kept_objects].set(made);
      return true;
    };
    work(results[index], object, [&] { safepoint::poll(thread); });
  }
  gc::space.add_to_totals(thread->allocation->counters);
  finished.fetch_add(1);
}

std::string start_heap_threads() {
  flags::UseCASAllocation = load.mode == Mode::cas || load.mode == Mode::cas_tlab;
  flags::UseTLAB = uses_buffers(load.mode);
  flags::MaxHeapSize = load.heap_bytes;
  if (load.regions != 0) flags::MutatorAllocRegions = load.regions;
  if (std::string problem = heap::initialize(); !problem.empty()) return problem;
  blob = make_klass();
  for (u32 i = 0; i < load.threads; ++i) {
    if (threads::start(0, true, true, [](JavaThread*, void*) {}, nullptr, allocate_in_heap) == nullptr)
      return "no thread";
  }
  return {};
}

// --- plain C++ -------------------------------------------------------------------------------------------------------

char* arena;
alignas(128) std::atomic<u64> shared_counter;

void write_header(char* memory) { reinterpret_cast<Object*>(memory)->write_header(1); }

void zero_small(char* memory) {
  u64 bytes = load.object_bytes;
  if (bytes > 64) memset(memory, 0, bytes);
  else
    for (u64 i = 0; i < bytes; i += 8) memset(memory + i, 0, 8);
}

void* allocate_bare(void* argument) {
  u32 index = static_cast<u32>(reinterpret_cast<uptr>(argument));
  u64 part = arena_bytes / load.threads & ~(buffer_bytes - 1), bytes = load.object_bytes;
  char* begin = arena + index * part;
  char* kept[kept_objects] = {};
  auto keep = [&](u64 number, char* memory) {
    if (number % poll_every == 0) *const_cast<char* volatile*>(&kept[number / poll_every % kept_objects]) = memory;
  };
  auto no_poll = [] {};
  if (load.mode == Mode::bump) {
    struct alignas(128) Buffer {
      char* top;
      char* end;
      char* next;
    } buffer{begin, begin, begin};
    work(
        results[index],
        [&](u64 number) {
          if (bytes > static_cast<u64>(buffer.end - buffer.top)) [[unlikely]] {
            if (buffer.next == begin + part) buffer.next = begin;
            buffer.top = buffer.next;
            buffer.next = buffer.end = buffer.top + buffer_bytes;
            memset(buffer.top, 0, buffer_bytes);
          }
          char* memory = buffer.top;
          buffer.top += bytes;
          write_header(memory);
          keep(number, memory);
          return true;
        },
        no_poll);
  } else if (load.mode == Mode::bare_cas) {
    struct alignas(128) Top {
      std::atomic<char*> pointer;
    } top{begin};
    work(
        results[index],
        [&](u64 number) {
          char* memory = top.pointer.load(std::memory_order_relaxed);
          do {
            if (bytes > static_cast<u64>(begin + part - memory)) memory = begin, top.pointer.store(begin);
          } while (!top.pointer.compare_exchange_weak(memory, memory + bytes));
          zero_small(memory);
          write_header(memory);
          keep(number, memory);
          return true;
        },
        no_poll);
  } else {
    u64 pieces = arena_bytes / bytes;
    work(
        results[index],
        [&](u64 number) {
          char* memory = arena + shared_counter.fetch_add(1, std::memory_order_relaxed) % pieces * bytes;
          zero_small(memory);
          write_header(memory);
          keep(number, memory);
          return true;
        },
        no_poll);
  }
  finished.fetch_add(1);
  return nullptr;
}

std::string start_bare_threads() {
  void* memory = mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return "no memory for the arena";
  arena = static_cast<char*>(memory);
  for (u32 i = 0; i < load.threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, allocate_bare, reinterpret_cast<void*>(uptr{i})) != 0) return "no thread";
    pthread_detach(thread);
  }
  return {};
}

void wait_for(std::atomic<u32>& count) {
  while (count.load() < load.threads && !exhausted.load()) {
    timespec moment{0, 200'000};
    nanosleep(&moment, nullptr);
  }
}

}  // namespace

Outcome run(const Parameters& parameters) {
  load = parameters;
  results = std::make_unique<Result[]>(load.threads);
  Outcome outcome;
  outcome.problem = uses_heap(load.mode) ? start_heap_threads() : start_bare_threads();
  if (!outcome.problem.empty()) return outcome;
  wait_for(ready);
  u64 collections_before = heap::collection_count();
  i64 start = hardware::now_nanoseconds();
  began.store(start, std::memory_order_release);
  if (load.requests == 0) {
    timespec span{static_cast<time_t>(load.seconds),
                  static_cast<long>((load.seconds - static_cast<f64>(static_cast<time_t>(load.seconds))) * 1e9)};
    nanosleep(&span, nullptr);
    stop.store(true);
  }
  wait_for(finished);
  if (exhausted.load()) {
    outcome.problem = "the heap is exhausted";
    return outcome;
  }
  i64 end = start;
  for (u32 i = 0; i < load.threads; ++i) {
    outcome.objects += results[i].objects;
    outcome.cpu_seconds += results[i].cpu_seconds;
    outcome.events.insert(outcome.events.end(), results[i].events.begin(), results[i].events.end());
    end = std::max(end, results[i].ended);
  }
  outcome.wall_seconds = static_cast<f64>(end - start) * 1e-9;
  outcome.collections = heap::collection_count() - collections_before;
  if (uses_heap(load.mode)) {
    AllocationCounters counters = gc::space.allocation_totals();
    outcome.cas_failures = counters.cas_failures;
    outcome.slow_rounds = counters.slow_rounds;
  }
  return outcome;
}

}  // namespace keyhole::allocbench
