// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's profile since it became warm, for its next compilation. (HotSpot: MethodData, the "MDO".)
//
//   cold ──> warm: MethodData is made, after -XX:InterpreterProfilePercentage of the calls or backward branches after
//            which the method is compiled
//        ──> hot: compiled by the baseline tier, whose code continues counting
//
//   bytecode at the site                               counts                                        made of
//   if*, ifnull, ifnonnull                             taken, not taken                              BranchProfile
//   goto backward                                      taken                                         JumpProfile
//   tableswitch, lookupswitch                          each case, the default                        SwitchProfile
//   invokevirtual, invokeinterface                     classes of receivers                          TypeProfile
//   checkcast, instanceof, aastore                     classes of operands, nulls                    TypeProfile
//   an instruction that raises an exception            how often, by kind                            TrapProfile
//   the method                                         calls                                         `calls`
// Two tiers fill the profile: the interpreter (handlers_profile.cpp, -XX:+ProfileInterpreter) and baseline code
// (jit/baseline/emitters/emit_profile.cpp, -XX:+ProfileBaseline). They do not count calls of static, special and final
// methods. Such a call runs as often as its basic block, and this number follows from the counts of branches.
//
// P1: counts are hints. Any thread adds without a locked instruction, relaxed, so threads may lose each other's
//     increments. Correctness does not depend on the counts.
// P2: counters are 64 bits and never wrap. `read` returns 32 bits: the largest value when the counter exceeds it.
// P3: a thread claims a row of a TypeProfile by CAS, from 0 to a class's id. Rows are released only with the world
//     stopped (forget_dead_types). So a row stands for one class between two safepoints, and no class has two rows.
// P4: rows are weak: they hold a class id and keep nothing alive. When classes die their rows are emptied.
// P5: a MethodData lies in the arena of the method's class unit and dies with the method. Its address does not change,
//     because code counts in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "runtime/base/flags.h"
#include "vm/code/instruction.h"

namespace keyhole {

struct Counter {
  std::atomic<u64> value;

  void count() { value.store(value.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  u32 read() const {
    return static_cast<u32>(std::min<u64>(value.load(std::memory_order_relaxed), std::numeric_limits<u32>::max()));
  }
};

struct BranchProfile {
  Counter taken, not_taken;
  void count(bool is_taken) { (is_taken ? taken : not_taken).count(); }
};

struct JumpProfile {
  Counter taken;
};

struct SwitchProfile {
  u32 count;
  Counter targets[];  // one count for each case, in order; targets[count] counts the default
};

struct TypeRow {
  std::atomic<u32> klass_id;  // 0: free
  Counter count;
};

struct TypeProfile {
  Counter nulls;
  Counter others;  // the number of operands whose class has no row
  TypeRow rows[];  // -XX:TypeProfileWidth

  static u32 width() { return static_cast<u32>(flags::TypeProfileWidth); }
  // Returns the class's row, and claims a free row if the class has none. Returns null if all rows belong to other
  // classes.
  TypeRow* row_of(u32 klass_id) {
    for (u32 i = 0; i < width(); ++i) {
      if (rows[i].klass_id.load(std::memory_order_relaxed) == klass_id) return &rows[i];
    }
    // A released row may precede the class's own row, so a free row is searched only after all rows were compared.
    for (u32 i = 0; i < width(); ++i) {
      u32 found = 0;
      if (rows[i].klass_id.compare_exchange_strong(found, klass_id, std::memory_order_relaxed) || found == klass_id)
        return &rows[i];
    }
    return nullptr;
  }
  void count(u32 klass_id) {
    TypeRow* row = row_of(klass_id);
    (row != nullptr ? row->count : others).count();
  }
};

// Exceptions that instructions raise by themselves, under the names that HotSpot's compilers give these traps.
enum class Trap : u8 { null_check, range_check, class_check, array_check, div0_check, negative_size, count };

struct TrapProfile {
  std::atomic<u32> site;  // 0 if this row is free; otherwise trap_site(index of the instruction, Trap)
  Counter raised;
};

enum class SiteKind : u8 { None, Branch, Jump, Switch, Types };

struct MethodData {
  static constexpr u32 trap_rows = 8;

  Method* method;
  const Instruction* instructions;  // of the method's body
  u32 instruction_count;
  u32 bytes;  // of all this
  // The countdowns of profiled code in its profiling interval (jit/code/policy.h). The policy sets the countdowns; the
  // code decrements them without a locked instruction.
  std::atomic<i32> calls_left, back_edges_left;
  Counter calls;                                 // interpreted and compiled calls, without inlined calls
  Counter traps[static_cast<u32>(Trap::count)];  // of the whole method
  TrapProfile trap_sites[trap_rows];             // the first sites that raise exceptions
  // For each instruction, the distance from `this` to the instruction's profile; 0 if the instruction has no profile.
  u32 site_offsets[];

  template <typename Profile> Profile* at(u32 instruction) {
    return site_offsets[instruction] == 0
               ? nullptr
               : reinterpret_cast<Profile*>(reinterpret_cast<char*>(this) + site_offsets[instruction]);
  }
  template <typename Profile> const Profile* at(u32 instruction) const {
    return const_cast<MethodData*>(this)->at<Profile>(instruction);
  }
  // The profile of an instruction that has one.
  template <typename Profile> Profile& at(const Instruction* pc) {
    return *reinterpret_cast<Profile*>(reinterpret_cast<char*>(this) + site_offsets[pc - instructions]);
  }

  SiteKind kind_of(u32 instruction) const;
  void count_trap(u32 instruction, Trap trap);
  u32 traps_at(u32 instruction, Trap trap) const;
};

namespace interpreter {

// Returns the method's profile. If there is none, makes it and sets `is_new`. The method must have been decoded.
MethodData* make_method_data(Method* method, bool* is_new = nullptr);
// Counts an exception that the thread's top frame is about to raise, if that frame's method has a profile.
void note_trap(JavaThread* thread, Trap trap);
// Empties the rows of classes for which `is_dead` is true. World stopped.
void forget_dead_types(Method* method, bool (*is_dead)(const Klass*));

// The profile of a loop, computed from the counts of its branches. `entered` counts how often a branch has left the
// loop, since each entry ends in an exit. `entered` does not include exits by an exception or a return.
struct LoopProfile {
  u32 header, last;  // indices of instructions: the target of the backward branches, and the last of these branches
  u64 back_edges, entered;
  // Backward branches per entry.
  f64 trips() const { return entered == 0 ? 0.0 : static_cast<f64>(back_edges) / static_cast<f64>(entered); }
};
std::vector<LoopProfile> loops_of(const MethodData& data);  // by header

// -XX:+PrintMethodData: prints the profiles of all methods that have a profile, in the order of their classes.
void print_method_data();
std::string describe(const MethodData& data);

}  // namespace interpreter
}  // namespace keyhole
