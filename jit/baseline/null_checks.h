// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Null checks. A check is implicit if the following access is within an object's first 64 KiB: with a null reference
// the access faults, because this memory cannot be mapped, and the handler of SIGSEGV continues at the slow path
// (code_cache::add_fault_exit).
#pragma once

#include <vector>

#include "jit/baseline/slow_paths.h"

namespace keyhole::baseline {

class NullChecks {
 public:
  NullChecks(MacroAssembler& a, SlowPaths& slow_paths) : a_(a), slow_paths_(slow_paths) {}

  // Registers the next machine instruction as an implicit check. It must access the object within its first 64 KiB. If
  // the object is null, the code takes the interpreter fallback or the side exit.
  void implicit_fallback(const Value& object);
  void implicit_side_exit(const Value& object);
  void implicit(u32 path);
  // Checks the object for null. If the next machine instruction's access at `offset` is within 64 KiB, the check is
  // implicit; otherwise emits a comparison. If the object is null, the code takes the interpreter fallback.
  void check_access(const Value& object, Gp loaded, u32 offset);
  void check_fallback(const Value& object, Gp loaded);
  void check_side_exit(const Value& object, Gp loaded);

  // Registers the implicit checks. `address` is the code's final address.
  void install(uptr address, const asmjit::CodeHolder& holder) const;

 private:
  struct Access {
    u32 offset;
    u32 path;
  };

  MacroAssembler& a_;
  SlowPaths& slow_paths_;
  std::vector<Access> accesses_;
};

}  // namespace keyhole::baseline
