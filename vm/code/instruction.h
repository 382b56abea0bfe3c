// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pre-decoded instructions: the body of a method as the interpreter executes it. There is one (`Instruction`, 8
// bytes) for each bytecode instruction.
//
//    63                    32 31        16 15         0
//   +------------------------+------------+------------+
//   | b: immediate, branch   | a: local,  | operation  |     operation: vm/code/operations.def
//   | distance, metadata     | slot count |            |
//   +------------------------+------------+------------+
//
// R1: an instruction is read as one 64-bit word (acquire), which its handler gets. Operation and operands are never
//     read separately.
// R2: an instruction is rewritten ("quickened") by one release store: from the unresolved form to a form that needs no
//     constant pool, and from a speculative form to a general one. Threads may race, because all their words have the
//     same effect.
// R3: the first instruction of a run may become a superinstruction, which also does the work of the following
//     instructions. These keep their own words, so a branch into the run, or an exception or safepoint in it, finds the
//     plain instructions.
//
// Branch distances are in bytes, relative to the branch itself. Metadata (Method, Klass, call sites) lies in the
// metaspace range and is named by its 32-bit distance from metaspace_base.
#pragma once

#include <atomic>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "vm/code/operations.h"
#include "vm/metadata/method.h"

namespace keyhole {

enum class Selecting : u8;  // vm/link/linker.h

struct alignas(8) Instruction {
  u16 operation;
  u16 a;
  i32 b;
};
static_assert(sizeof(Instruction) == 8);

namespace interpreter {

inline u64 load_instruction(const Instruction* instruction) {
  return reinterpret_cast<const std::atomic<u64>*>(instruction)->load(std::memory_order_acquire);
}
inline void publish_instruction(const Instruction* instruction, u64 word) {
  reinterpret_cast<std::atomic<u64>*>(const_cast<Instruction*>(instruction))->store(word, std::memory_order_release);
}
constexpr u64 make_instruction(Operation operation, u32 a = 0, i32 b = 0) {
  return static_cast<u64>(operation) | (u64{a & 0xFFFF} << 16) | (u64{static_cast<u32>(b)} << 32);
}
constexpr Operation operation_of(u64 word) { return static_cast<Operation>(word & 0xFFFF); }
constexpr u32 operand_a(u64 word) { return static_cast<u32>(word) >> 16; }
constexpr i32 operand_b(u64 word) { return static_cast<i32>(word >> 32); }

inline i32 metadata_distance(const void* metadata) {
  uptr distance = reinterpret_cast<uptr>(metadata) - address_space::metaspace_base;
  KEYHOLE_ASSERT(distance < address_space::metaspace_reserve_bytes, "{} is outside the metaspace", metadata);
  return static_cast<i32>(static_cast<u32>(distance));
}
template <typename T> T* metadata_at(i32 distance) {
  return reinterpret_cast<T*>(address_space::metaspace_base + static_cast<u32>(distance));
}
static_assert(address_space::metaspace_reserve_bytes <= 4_GiB);

// Metadata that operand `b` of some instructions refers to. It lies in the arena of the method's class unit, as the
// instructions do.

// A receiver's class and the method that it selects, in one word: klass id << layout::klass_key_shift | Method*. One
// load and one comparison check both.
inline constexpr u64 receiver_cache_pointer = (u64{1} << layout::klass_key_shift) - 1;

// For invokevirtual: the class and method of the first receiver. Immutable.
struct VirtualCallSite {
  u64 expected;
  u32 vtable_index;
};
// For invokespecial in an interface: the verifier has not checked the receiver, which must implement `interface`.
// Immutable.
struct SpecialCallSite {
  Method* target;
  const Klass* interface;
};
// For invokeinterface, or an invokevirtual that selects a default method: class and method of the last receiver, which
// change together.
struct InterfaceCallSite {
  std::atomic<u64> cache;  // 0: empty. Any thread stores it, with release
  Method* method;          // the resolved interface method, its holder and its place in the holder's tables
  const InstanceKlass* interface;
  u32 itable_index;
  Selecting by;
};
// For invokedynamic and signature-polymorphic invokevirtual. Immutable after linking.
struct LinkedCallSite {
  Method* target;
  Object** appendix;  // a root of the unit, or null when the site has none
};
struct TableSwitch {
  i32 low;
  u32 count;
  i32 default_distance;
  i32 distances[];

  // The index of the key's distance; `count` or above means the default.
  u32 index_of(i32 key) const { return static_cast<u32>(key) - static_cast<u32>(low); }
};
struct LookupSwitch {  // keys ascending
  u32 count;
  i32 default_distance;
  struct Pair {
    i32 key;
    i32 distance;
  } pairs[];

  // The index of the key's pair; `count` if there is none.
  u32 find(i32 key) const {
    u32 low = 0, high = count;
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (pairs[middle].key == key) return middle;
      if (pairs[middle].key < key) low = middle + 1;
      else high = middle;
    }
    return count;
  }
};

}  // namespace interpreter

struct CompiledCode;  // vm/code/compiled_code.h

// The body of one method: this header, the instructions after it, and the bci of each.
struct MethodCode {
  const Method* method;
  // Data of the compiled tiers (compiled_code.h). The countdowns are hints: threads may lose each other's decrements.
  std::atomic<CompiledCode*> compiled;  // the newest, which links older ones. Release, under the compiler's lock
  std::atomic<i32> calls_left;          // calls left until the method is compiled
  std::atomic<i32> back_edges_left;     // branches left until a loop continues in compiled code
  const u16* bcis;                      // the bci of each instruction, ascending
  const u16* handler_starts;            // the first instruction of each exception handler; null: no handlers
  std::atomic<u32>* handler_entries;    // how often an exception has gone to each handler; a hint. Null: no handlers
  u32 instruction_count;
  bool has_monitors;  // contains monitorenter or monitorexit

  Instruction* instructions() { return reinterpret_cast<Instruction*>(this + 1); }
  const Instruction* instructions() const { return reinterpret_cast<const Instruction*>(this + 1); }
  bool contains(const Instruction* instruction) const {
    return static_cast<u64>(instruction - instructions()) <= instruction_count;
  }
  // A frame's pc is one of these instructions, or a call site of the compiled code.
  u32 instruction_index(const Instruction* instruction) const {
    return contains(instruction) ? static_cast<u32>(instruction - instructions()) : index_of_call_site(instruction);
  }
  u32 index_of_call_site(const Instruction* instruction) const;
  u32 bci_of(const Instruction* instruction) const { return bcis[instruction_index(instruction)]; }
  // The pre-decoded instruction of the bytecode instruction at bci.
  const Instruction* instruction_at(u32 bci) const;
};
static_assert(sizeof(MethodCode) % 8 == 0);

}  // namespace keyhole
