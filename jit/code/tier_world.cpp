// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements TierWorld, and instantiates the compile queue and the tier policy with it.
#include "jit/code/tier_world.h"

#include "jit/code/hot_loop.h"
#include "jit/code/policy.h"
#include "jit/code/print_compilation.h"
#include "jit/code/recorded_compilation.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::tiers {

ClassUnit* TierWorld::mortal_unit_of(const Method* method) {
  ClassUnit* unit = method->holder->unit;
  return unit->is_mortal ? unit : nullptr;
}

void TierWorld::make_data_of_inlined(const Method* method) {
  const CompiledCode* code = newest_of_baseline(method->body.load(std::memory_order_acquire));
  for (u32 i = 0; code != nullptr && i < code->inlined_count; ++i) {
    Method* inlined = code->inlined[i];
    if (inlined->body.load(std::memory_order_acquire) != nullptr) interpreter::make_method_data(inlined);
  }
}

bool TierWorld::has_profiled_code(const Method* method) {
  const CompiledCode* code = newest_of_baseline(method->body.load(std::memory_order_acquire));
  return code != nullptr && code->is_profiled;
}

i32 TierWorld::loop_of(const Method* method, std::span<const u32> bcis, bool by_back_edges) {
  if (!bcis.empty()) return loop_seen_most(method, bcis);
  return by_back_edges ? loop_run_most(method) : CompileRequest::no_loop;
}

bool TierWorld::has_gone_round(const Method* method, i32 loop) { return tiers::has_gone_round(method, loop); }

void TierWorld::note_hot_outside_code(const Method* method) {
  if (tier() != nullptr) tier()->note_hot_outside_code(method);
}

u32 TierWorld::next_number() { return next_compilation_number(); }

void TierWorld::announce(u32 number, const Method* method, bool is_loop, u8 level) {
  recorded_compilation::begins(method, level);
  if (flags::PrintCompilation) print_compilation(number, method, is_loop ? '%' : ' ', level);
}

void TierWorld::announce_end(const Method* method, std::string_view outcome, u8 level) {
  KEYHOLE_LOG(debug, jit_queue, "{}: {}", outcome, method->external_name());
  recorded_compilation::ends(method, outcome, level);
}

template class CompileTaskOf<TierWorld>;
template class CompileQueueOf<TierWorld>;
template class PolicyOf<TierWorld>;

}  // namespace keyhole::tiers
