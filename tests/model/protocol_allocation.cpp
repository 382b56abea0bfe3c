// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The shared region allocator under the model checker, from the VM's own headers. In every interleaving:
//
//   no byte belongs to two pieces, or to a piece and the rest that a retired span left
//   nothing is allocated in a span after its retirement
//   no allocation fails while the source has spans (with pieces of one size: while there is room at all)
#include "gc/heap/shared_allocator.h"
#include "runtime/base/platform/checked_world.h"
#include "tests/model/protocol_check.h"

namespace keyhole::model {

namespace {

// A mutant of this file is linked into the same program. Because each of the two files has its own type W, the
// templates over W differ.
struct W : CheckedWorld {};
constexpr auto relaxed = std::memory_order_relaxed;

// The numbers of slots, spans, threads and pieces in one check of the allocator, and the sizes of spans and pieces.
struct Shape {
  u32 slots, spans, threads, pieces_each;
  u64 span_bytes, minimum_bytes;
  u64 bytes[2];             // the size of a piece: bytes[0] for even threads, bytes[1] for odd ones
  u64 used_before[2] = {};  // bytes in use at the start, in the first spans of slots 0 and 1
};

template <const Shape& shape> struct Allocation {
  using Span = gc::SharedSpan<W>;

  W::Mutex mutex;
  Span spans[shape.spans];
  W::Plain<u32> handed_out;             // the number of spans handed out; guarded by the mutex
  uptr retired_from[shape.spans] = {};  // where the unused rest of a retired span begins
  gc::SharedAllocator<W> allocator;
  struct Piece {
    uptr start;
    u64 bytes;
  } pieces[shape.threads][shape.pieces_each] = {};

  Allocation() {
    allocator.initialize(shape.slots);
    for (u32 i = 0; i < shape.spans; ++i) {
      spans[i].start = 0x1000 * (i + 1);
      spans[i].end = spans[i].start + shape.span_bytes;
      spans[i].top.store(spans[i].start, relaxed);
    }
    AllocationCounters counters;
    for (u32 slot : {1u, 0u}) {  // slot 1 first: later, its thread would find slot 0 empty, and refill it
      u64 taken = 0;
      if (shape.used_before[slot] != 0)
        allocator.allocate(*this, slot, shape.used_before[slot], shape.used_before[slot], taken, counters, true);
    }
  }
  void lock() { mutex.lock(); }
  bool try_lock() { return mutex.try_lock(); }
  void unlock() { mutex.unlock(); }
  u64 minimum_bytes() const { return shape.minimum_bytes; }
  Span* refill() {
    u32 next = handed_out.get();
    if (next == shape.spans) return nullptr;
    handed_out.set(next + 1);
    return &spans[next];
  }
  void retire(Span* span, uptr first_free) {
    expect(retired_from[span - spans] == 0, "a span is retired twice");
    retired_from[span - spans] = first_free;
  }

  void run(u32 thread) {
    AllocationCounters counters;
    for (Piece& piece : pieces[thread]) {
      u64 bytes = shape.bytes[thread % 2];
      piece.start = allocator.allocate(*this, allocator.home_of(thread), bytes, bytes, piece.bytes, counters, false);
      expect(piece.start == 0 || piece.bytes == bytes, "another size than was asked for");
    }
  }
  void finish() {
    u64 allocated = shape.used_before[0] + shape.used_before[1];
    bool failed = false;
    for (u32 i = 0; i < shape.threads * shape.pieces_each; ++i) {
      const Piece& mine = piece(i);
      failed |= mine.start == 0;
      if (mine.start == 0) continue;
      allocated += mine.bytes;
      for (u32 k = 0; k < i; ++k) {
        expect(piece(k).start + piece(k).bytes <= mine.start || mine.start + mine.bytes <= piece(k).start,
               "two pieces overlap");
      }
      u32 span = static_cast<u32>(mine.start / 0x1000 - 1);
      expect(mine.start + mine.bytes <= spans[span].end, "a piece goes beyond its span");
      expect(retired_from[span] == 0 || mine.start + mine.bytes <= retired_from[span],
             "a piece lies in the rest of a retired span");
    }
    if (!failed) return;
    expect(handed_out.get() == shape.spans, "an allocation failed while there were spans");
    if constexpr (shape.bytes[0] == shape.bytes[1]) {
      expect(allocated == shape.spans * shape.span_bytes, "an allocation failed while there was room");
    }
  }
  const Piece& piece(u32 index) const { return pieces[index / shape.pieces_each][index % shape.pieces_each]; }
};

template <const Shape& shape> std::unique_ptr<checked::Program> allocation() {
  return program<Allocation<shape>, shape.threads>();
}

constexpr Shape one_slot{1, 2, 2, 2, 32, 16, {16, 16}};
constexpr Shape two_slots{2, 2, 2, 2, 32, 16, {16, 16}};
constexpr Shape until_empty{2, 2, 3, 2, 32, 16, {16, 16}};
constexpr Shape retirement{1, 3, 2, 2, 48, 24, {32, 16}, {32, 0}};
constexpr Shape retirement_three{1, 3, 3, 1, 48, 24, {16, 32}, {32, 0}};
constexpr Shape early_refill{2, 4, 3, 1, 32, 16, {16, 16}, {32, 16}};
constexpr Shape early_refill_last{2, 3, 3, 1, 32, 16, {16, 16}, {32, 16}};
constexpr ProtocolCheck checks[] = {
    {"allocate-one-slot", "two threads, two objects each, from one slot: refilled once", allocation<one_slot>},
    {"allocate-two-slots", "two threads with a slot each, and one span for both", allocation<two_slots>},
    {"allocate-until-empty", "three threads ask for more than there is", allocation<until_empty>},
    {"allocate-retirement", "a span is retired with a rest that another thread is about to allocate in",
     allocation<retirement>},
    {"allocate-retirement-three", "the same with two who may", allocation<retirement_three>},
    {"allocate-early-refill", "two threads find their home dry while the neighbour has room", allocation<early_refill>},
    {"allocate-early-refill-last", "the same, and only one of them gets a fresh span", allocation<early_refill_last>},
};
MODEL_PROTOCOL("allocate", "the shared region allocator", checks);

}  // namespace

}  // namespace keyhole::model
