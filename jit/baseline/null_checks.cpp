// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits null checks.
#include "jit/baseline/null_checks.h"

#include "jit/code/code_cache.h"

namespace keyhole::baseline {

void NullChecks::implicit(u32 path) { accesses_.push_back({static_cast<u32>(a_.offset()), path}); }

void NullChecks::implicit_fallback(const Value& object) {
  if (!object.not_null) implicit(slow_paths_.fallback_path());
}

void NullChecks::implicit_side_exit(const Value& object) {
  if (!object.not_null) implicit(slow_paths_.side_exit_path());
}

void NullChecks::check_access(const Value& object, Gp loaded, u32 offset) {
  if (offset < code_cache::zero_page_bytes - 8) implicit_fallback(object);
  else check_fallback(object, loaded);
}

void NullChecks::check_fallback(const Value& object, Gp loaded) {
  if (object.not_null) return;
  a_.test(loaded, loaded);
  a_.jz(slow_paths_.fallback());
}

void NullChecks::check_side_exit(const Value& object, Gp loaded) {
  if (object.not_null) return;
  a_.test(loaded, loaded);
  a_.jz(slow_paths_.side_exit());
}

void NullChecks::install(uptr address, const asmjit::CodeHolder& holder) const {
  for (const Access& access : accesses_) {
    code_cache::add_fault_exit(address + access.offset, address + holder.labelOffset(slow_paths_.label(access.path)));
  }
}

}  // namespace keyhole::baseline
