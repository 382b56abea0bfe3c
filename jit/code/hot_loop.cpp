// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds hot loops by samples and by counters.
#include "jit/code/hot_loop.h"

#include <algorithm>

#include "jit/code/compile_queue.h"
#include "vm/code/instruction.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::tiers {

using interpreter::LoopProfile;

namespace {

std::vector<LoopProfile> loops_of(const Method* method) {
  const MethodData* data = method->data.load(std::memory_order_acquire);
  return data == nullptr ? std::vector<LoopProfile>() : interpreter::loops_of(*data);
}

const MethodCode* body_of(const Method* method) { return method->body.load(std::memory_order_acquire); }

}  // namespace

i32 loop_seen_most(const Method* method, std::span<const u32> bcis) {
  std::vector<LoopProfile> loops = loops_of(method);
  std::vector<usize> seen(loops.size());
  const MethodCode* body = body_of(method);
  for (u32 bci : bcis) {
    u32 instruction = static_cast<u32>(body->instruction_at(bci) - body->instructions());
    usize innermost = loops.size();
    for (usize i = 0; i < loops.size(); ++i) {
      if (instruction < loops[i].header || instruction > loops[i].last) continue;
      auto length = [&](usize loop) { return loops[loop].last - loops[loop].header; };
      if (innermost == loops.size() || length(i) < length(innermost)) innermost = i;
    }
    if (innermost != loops.size()) ++seen[innermost];
  }
  auto most = std::ranges::max_element(seen);
  if (most == seen.end() || *most == 0) return CompileRequest::no_loop;
  return body->bcis[loops[static_cast<usize>(most - seen.begin())].header];
}

i32 loop_run_most(const Method* method) {
  std::vector<LoopProfile> loops = loops_of(method);
  auto most = std::ranges::max_element(loops, {}, &LoopProfile::back_edges);
  return most == loops.end() ? CompileRequest::no_loop : body_of(method)->bcis[most->header];
}

bool has_gone_round(const Method* method, i32 header) {
  const MethodCode* body = body_of(method);
  return std::ranges::any_of(loops_of(method), [&](const LoopProfile& loop) {
    return body->bcis[loop.header] == header && loop.back_edges > 0;
  });
}

}  // namespace keyhole::tiers
