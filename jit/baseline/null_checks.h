// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Null checks. If the following access is within an object's first 64 KiB, the machine checks: the zero page cannot be
// mapped, and the handler of SIGSEGV continues at the slow path (code_cache::add_fault_exit).
#pragma once

#include <vector>

#include "jit/baseline/slow_paths.h"

namespace keyhole::baseline {

class NullChecks {
 public:
  NullChecks(MacroAssembler& a, SlowPaths& slow_paths) : a_(a), slow_paths_(slow_paths) {}

  // The next machine instruction accesses the object within its first 64 KiB, and so checks it. For null it takes the
  // interpreter fallback, or the side exit.
  void implicit_fallback(const Value& object);
  void implicit_side_exit(const Value& object);
  void implicit(u32 path);
  // Checks by the access of the next machine instruction at `offset` if that is possible, and by a comparison
  // otherwise. Null takes the interpreter fallback.
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
