// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Blocks from threads to the file: rings, queue, the writer's thread, start, dump, stop. Rules: recorder.h.
#include "runtime/recorder/recorder.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/platform/service_signals.h"
#include "runtime/base/print.h"
#include "runtime/recorder/file.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/texts.h"

namespace keyhole::recorder {

std::atomic<u32> families_on{0};
thread_local constinit Ring* own_ring = nullptr;

namespace {

constexpr u32 queue_limit = 32;  // in blocks: 4 MiB; beyond it threads write their own (R3)
constexpr i64 writer_interval_nanoseconds = 200'000'000;

std::atomic<Ring*> rings{nullptr};  // newest first; no entry is ever removed
std::atomic<int> descriptor{-1};    // of the open file; -1: none
std::atomic<bool> fast_paths_replaced{false};
thread_local u32 own_id = 0;

Mutex recorder_mutex{LockRank::recorder};
ConditionVariable queue_changed;
Block* queue GUARDED_BY(recorder_mutex) = nullptr;  // full blocks, the latest first
u32 queue_length GUARDED_BY(recorder_mutex) = 0;
u32 being_written GUARDED_BY(recorder_mutex) = 0;    // blocks that are being written to a frame, plus 1 while names are
std::atomic<const Block*> taken_by_writer{nullptr};  // blocks that the writer has taken; a crash saves them
Block* pool GUARDED_BY(recorder_mutex) = nullptr;
bool writer_runs GUARDED_BY(recorder_mutex) = false;
pthread_t writer GUARDED_BY(recorder_mutex) = {};
int write_error GUARDED_BY(recorder_mutex) = 0;  // errno of the first frame that could not be written

// An event that was recorded for another thread, by record_for.
struct EventOfOther {
  u32 thread;
  u64 ticks;
  Event event;
};
std::vector<EventOfOther>& of_others() REQUIRES(recorder_mutex) {
  static auto* all = new std::vector<EventOfOther>;  // never destroyed: threads may record while the process ends
  return *all;
}

Mutex file_mutex{LockRank::recorder_file};  // one frame at a time

// Gives an OS thread without a Java thread the name that the kernel has for it.
void name_os_thread(u32 id) {
  char name[32] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  texts::add_thread_name(id, name);
}

void append_frame(file::FrameHeader header, std::string_view payload) {
  bool written;
  int error;
  {
    MutexLock guard(file_mutex);
    int file = descriptor.load();
    if (file < 0) return;
    written = file::write_frame(file, header, payload);
    error = errno;
  }
  if (written) return;
  MutexLock guard(recorder_mutex);
  if (write_error != 0) return;
  write_error = error;
  families_on.store(0);
  print_text(stderr, "[warning] the recording ends early: {}\n", strerror(error));
}

void append_compressed(file::FrameHeader header, std::string_view payload) {
  header.raw_bytes = static_cast<u32>(payload.size());
  std::string stored = file::compress(payload);
  header.codec = stored.empty() ? file::Codec::raw : file::Codec::zstd;
  append_frame(header, stored.empty() ? payload : stored);
}

// Rounds a time down to the grid that all threads share, so that two times keep their order or become equal.
u64 on_grid(u64 ticks) { return ticks & ~((u64{1} << tick_shift) - 1); }

file::FrameHeader header_of(const Block& block) {
  return {.kind = file::FrameKind::events, .thread = block.thread, .base = block.base};
}

void append_events(file::FrameHeader header, std::span<const Event> events) {
  if (events.empty()) return;
  header.count = static_cast<u32>(events.size());
  std::string columns(events.size() * file::column_bytes, '\0');
  file::encode_columns(events, columns.data());
  append_compressed(header, columns);
}

file::FrameHeader clock_frame() {
  return {.kind = file::FrameKind::clock, .base = now(), .nanoseconds = hardware::now_nanoseconds()};
}

void append_names() {
  std::string names = texts::take_unwritten();
  if (!names.empty()) append_compressed({.kind = file::FrameKind::names}, names);
}

// Writes the events that were recorded for other threads, in one frame for each thread.
void append_events_of_others() {
  std::vector<EventOfOther> all;
  {
    MutexLock guard(recorder_mutex);
    all.swap(of_others());
  }
  std::ranges::stable_sort(all, [](const EventOfOther& left, const EventOfOther& right) {
    return std::pair(left.thread, left.ticks) < std::pair(right.thread, right.ticks);
  });
  for (usize begin = 0, end; begin < all.size(); begin = end) {
    const EventOfOther& first = all[begin];
    file::FrameHeader header{.kind = file::FrameKind::events, .thread = first.thread, .base = on_grid(first.ticks)};
    std::vector<Event> events;
    for (end = begin; end < all.size() && all[end].thread == header.thread; ++end) {
      u64 time = (all[end].ticks - header.base) >> tick_shift;
      if (time > UINT32_MAX) break;
      events.push_back(all[end].event);
      events.back().time = static_cast<u32>(time);
    }
    append_events(header, events);
  }
}

void into_pool(Block* block) {
  MutexLock guard(recorder_mutex);
  block->next = pool;
  pool = block;
  --being_written;
  queue_changed.notify_all();
}

// Writes a block that its thread has given away.
void append_block(const Block& block, u32 written) {
  u32 count = block.count.load(std::memory_order_relaxed);
  append_events(header_of(block), {block.events.data() + written, count - written});
}

void* writer_body(void*) {
  pthread_setname_np(pthread_self(), "Recorder");
  i64 last_clock = 0;
  for (;;) {
    Block* taken;
    {
      MutexLock guard(recorder_mutex);
      if (queue == nullptr && writer_runs)
        queue_changed.wait_until(recorder_mutex, hardware::now_nanoseconds() + writer_interval_nanoseconds);
      if (!writer_runs && queue == nullptr) return nullptr;
      taken = std::exchange(queue, nullptr);
      being_written += std::exchange(queue_length, 0) + 1;
    }
    while (taken != nullptr) {
      Block* block = taken;
      taken_by_writer.store(block, std::memory_order_release);
      taken = block->next;
      append_block(*block, block->written);
      taken_by_writer.store(taken, std::memory_order_release);  // before the pool changes block->next
      into_pool(block);
    }
    append_events_of_others();
    append_names();
    {
      MutexLock guard(recorder_mutex);
      --being_written;
      queue_changed.notify_all();
    }
    if (i64 now = hardware::now_nanoseconds(); now - last_clock > 1'000'000'000) {
      last_clock = now;
      append_frame(clock_frame(), {});
    }
  }
}

// Takes the ring's block, because it is full or its thread ends. It counts as being written until give_away has stored
// it somewhere: meanwhile it is in no ring and not in the queue, and write_all waits for it.
Block* take_block(Ring* ring, Block* fresh) {
  MutexLock guard(recorder_mutex);
  Block* block = std::exchange(ring->block, fresh);
  if (block != nullptr) ++being_written;
  return block;
}

// Puts the block into the queue, or writes it when the queue is full.
void give_away(Block* block) {
  u32 written;
  {
    MutexLock guard(recorder_mutex);
    written = block->written;
    bool is_done = descriptor.load() < 0 || written == block->count.load(std::memory_order_relaxed);
    if (is_done || queue_length < queue_limit) {
      Block*& list = is_done ? pool : queue;
      block->next = list;
      list = block;
      if (!is_done) ++queue_length;
      --being_written;
      queue_changed.notify_all();
      return;
    }
  }
  append_block(*block, written);
  into_pool(block);
}

Block* empty_block() {
  {
    MutexLock guard(recorder_mutex);
    if (pool != nullptr) {
      Block* block = pool;
      pool = block->next;
      block->written = 0;
      block->count.store(0, std::memory_order_relaxed);
      return block;
    }
  }
  return new Block;
}

// Gives the ring back when its thread ends.
struct AtThreadEnd {
  ~AtThreadEnd() {
    Ring* ring = own_ring;
    if (ring == nullptr) return;
    own_ring = nullptr;
    if (Block* block = take_block(ring, nullptr)) give_away(block);
    ring->in_use.store(false, std::memory_order_release);
  }
};
void at_thread_end() {
  static thread_local AtThreadEnd hook;
  static_cast<void>(&hook);
}

// Writes everything that is recorded so far. Threads continue to record into the same blocks.
void write_all() {
  struct Part {
    file::FrameHeader header;
    std::vector<Event> events;
  };
  std::vector<Part> parts;
  {
    MutexLock guard(recorder_mutex);
    while (queue != nullptr || being_written != 0) queue_changed.wait(recorder_mutex);
    for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) {
      Block* block = ring->block;
      if (block == nullptr) continue;
      u32 count = block->count.load(std::memory_order_acquire);
      // The events are copied, because once the lock is free the thread may give the block away, and another one may
      // fill it.
      if (count != block->written)
        parts.push_back({header_of(*block), {block->events.begin() + block->written, block->events.begin() + count}});
      block->written = count;
    }
  }
  for (const Part& part : parts) append_events(part.header, part.events);
  append_events_of_others();
  append_names();
  append_frame(clock_frame(), {});
  // The writer may have taken names before this thread looked for them, and may not have written them yet.
  MutexLock guard(recorder_mutex);
  while (being_written != 0) queue_changed.wait(recorder_mutex);
}

std::string ended_by() {
  MutexLock guard(recorder_mutex);
  return write_error == 0 ? std::string() : fmt::format("cannot write the recording: {}", strerror(write_error));
}

}  // namespace

Ring* first_ring() { return rings.load(std::memory_order_acquire); }

Ring* make_ring() {
  Ring* ring = nullptr;
  for (Ring* each = first_ring(); each != nullptr && ring == nullptr; each = each->next) {
    bool free = false;
    if (each->in_use.compare_exchange_strong(free, true, std::memory_order_acquire)) ring = each;
  }
  if (ring == nullptr) {
    ring = new Ring;
    ring->next = rings.load(std::memory_order_relaxed);
    while (!rings.compare_exchange_weak(ring->next, ring, std::memory_order_release)) {
    }
  }
  ring->objects.clear();
  ring->sites.clear();
  ring->thread = own_id;
  if (own_id == 0) {
    ring->thread = os_thread_base | static_cast<u32>(syscall(SYS_gettid));
    name_os_thread(ring->thread);
  }
  own_ring = ring;
  at_thread_end();
  next_block(ring, now());
  return ring;
}

void next_block(Ring* ring, u64 ticks) {
  ticks = on_grid(ticks);
  Block* fresh = empty_block();
  fresh->thread = ring->thread;
  fresh->base = ticks;
  Block* full = take_block(ring, fresh);
  ring->base = ticks;
  ring->used = 0;
  if (full != nullptr) give_away(full);
}

void record_for(u32 thread, u64 ticks, Kind kind, u32 a, u32 b, u32 detail) {
  MutexLock guard(recorder_mutex);
  if (descriptor.load() < 0) return;
  Event event{.time = 0, .kind = static_cast<u16>(kind), .detail = static_cast<u16>(detail), .a = a, .b = b};
  of_others().push_back({thread, ticks, event});
}

void thread_begins(u32 id) {
  own_id = id;
  if (own_ring == nullptr) return;
  own_ring->thread = id;
  next_block(own_ring, now());
}

void name_thread(u32 id, std::string_view name) { texts::add_thread_name(id, name); }

std::string parse_families(std::string_view text, u32& bits) {
  bits = 0;
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    u32 found = name == "all" ? all_families : 0;
    for (u32 i = 0; i < family_count; ++i) {
      if (family_rows[i].name == name) found = 1u << i;
    }
    if (found == 0) {
      std::string names = "all";
      for (const FamilyRow& row : family_rows) names += fmt::format(", {}", row.name);
      return fmt::format("'{}' is not among the families of events: {}", name, names);
    }
    bits |= found;
  }
  return {};
}

bool is_recording() { return descriptor.load() >= 0; }
bool replaces_fast_paths() { return fast_paths_replaced.load(std::memory_order_relaxed); }
void set_replaces_fast_paths() { fast_paths_replaced.store(true); }

// start, dump and stop are called by one thread at a time: the launcher's, or that of the listener for tools.
std::string start(const std::string& path, u32 families) {
  if (is_recording()) return "a recording is in progress";
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return fmt::format("cannot write {}: {}", path, strerror(errno));
  u64 table = file::table_hash();
  std::string head(file::magic);
  head.append(reinterpret_cast<const char*>(&table), sizeof table);
  if (write(file, head.data(), head.size()) != static_cast<ssize_t>(head.size())) {
    int error = errno;
    close(file);
    return fmt::format("cannot write {}: {}", path, strerror(error));
  }
  texts::rewind();
  pthread_t thread;
  {
    MutexLock guard(recorder_mutex);
    // Drops events that were recorded after the end of an earlier recording.
    for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) {
      if (ring->block != nullptr) ring->block->written = ring->block->count.load(std::memory_order_acquire);
    }
    write_error = 0;
    writer_runs = true;
    descriptor.store(file);
  }
  append_frame(clock_frame(), {});
  int error;
  {
    ServiceSignals inherited;
    error = pthread_create(&thread, nullptr, writer_body, nullptr);
  }
  {
    MutexLock guard(recorder_mutex);
    writer = thread;
    if (error != 0) writer_runs = false;
  }
  if (error != 0) {
    descriptor.store(-1);
    close(file);
    return fmt::format("cannot start the recorder's thread: {}", strerror(error));
  }
  families_on.store(families);
  if ((families & bit_of(Family::objects)) != 0) record_known_objects();
  return {};
}

std::string dump() {
  if (!is_recording()) return "no recording is in progress";
  write_all();
  return ended_by();
}

std::string stop() {
  if (!is_recording()) return "no recording is in progress";
  families_on.store(0);
  write_all();
  append_frame({.kind = file::FrameKind::end}, {});
  int file;
  {
    MutexLock guard(file_mutex);
    file = descriptor.exchange(-1);
  }
  if (file >= 0) close(file);
  pthread_t thread;
  {
    MutexLock guard(recorder_mutex);
    writer_runs = false;
    thread = writer;
    queue_changed.notify_all();
  }
  pthread_join(thread, nullptr);  // the writer needs no safepoint, and has nothing left to write
  return ended_by();
}

// Thread safety is not analysed: no lock is taken, because its owner may be the thread that died. Events that another
// thread is writing at this moment may appear twice or be cut off; readers accept both.
void save_at_crash() NO_THREAD_SAFETY_ANALYSIS {
  families_on.store(0);
  int file = descriptor.exchange(-1);
  if (file < 0) return;
  auto save = [file](const Block* block) {
    u32 begin = block->written, end = block->count.load(std::memory_order_acquire);
    if (begin >= end || end > block_capacity) return;
    // The events are written as they are in memory, because columns would need further memory.
    std::string_view events(reinterpret_cast<const char*>(block->events.data() + begin), (end - begin) * sizeof(Event));
    file::write_frame(file,
                      {.kind = file::FrameKind::events,
                       .codec = file::Codec::events_in_rows,
                       .thread = block->thread,
                       .count = end - begin,
                       .base = block->base,
                       .raw_bytes = static_cast<u32>(events.size())},
                      events);
  };
  for (const Block* list : {taken_by_writer.load(std::memory_order_acquire), static_cast<const Block*>(queue)}) {
    for (const Block* block = list; block != nullptr; block = block->next) save(block);
  }
  for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) {
    if (ring->block != nullptr) save(ring->block);
  }
  std::string_view names = texts::unwritten_at_crash();
  file::write_frame(file, {.kind = file::FrameKind::names, .raw_bytes = static_cast<u32>(names.size())}, names);
  file::write_frame(file, clock_frame(), {});
}

}  // namespace keyhole::recorder
