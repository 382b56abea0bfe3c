// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CompiledCode from what the plug-in has made.
#include "jit/optimised/installation.h"

#include <algorithm>
#include <limits>

#include "jit/code/gdb_interface.h"
#include "jit/code/method_codes.h"
#include "jit/code/print_compilation.h"
#include "jit/code/sweeper.h"
#include "runtime/base/flags.h"
#include "vm/link/instance_klass.h"

namespace keyhole::optimised {
namespace {

// Null when nothing is inlined.
CallSiteViews* views_of(const graph::Lowered& lowered) {
  auto is_inlining = [](const CallSiteViews& site) { return !site.views.empty(); };
  if (std::ranges::none_of(lowered.views, is_inlining)) return nullptr;
  auto* views = new CallSiteViews[lowered.views.size()];
  std::ranges::copy(lowered.views, views);
  return views;
}

CompiledCode* describe(const tiers::CompileTask& task, const graph::Lowered& lowered,
                       const llvm_plugin::Result& result) {
  Method* method = task.method();
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  auto* code = new CompiledCode{};
  code->method = method;
  code->has_entry = true;
  code->level = optimised_level;
  code->number = task.request().number;
  code->entries = new u32[body->cell_count + 1]{};   // frames that continue at a loop do so in baseline code
  code->sites.cells = reinterpret_cast<const CompiledCallSite*>(result.sites);
  code->sites.count = static_cast<u32>(lowered.function.sites.size());
  code->sites.views = views_of(lowered);
  code->entry = static_cast<u32>(result.entry);
  code->begin = static_cast<u32>(result.begin);
  code->code_bytes = static_cast<u32>(result.bytes);
  code->resource = result.resource;
  code->unresolved_left.store(std::numeric_limits<i32>::max(), std::memory_order_relaxed);
  return code;
}

CompiledCode* optimised_code_in_use(const MethodCode* body) {
  CompiledCode* newest = newest_in_use(body);
  return newest != nullptr && newest->level == optimised_level ? newest : nullptr;
}

}  // namespace

const CompiledCode* install(const tiers::CompileTask& task, const graph::Lowered& lowered,
                            const llvm_plugin::Result& result) {
  CompiledCode* code = describe(task, lowered, result);
  CompiledCode* current = optimised_code_in_use(code->method->body.load(std::memory_order_acquire));
  sweeper::add(code);
  if (flags::UseGdbJitInterface) {
    const Method* method = code->method;
    gdb::add(code->begin, code->code_bytes, dotted(method->holder->name) + "." + std::string(method->name->text()),
             {});
  }
  method_codes::install(code);
  if (current != nullptr) method_codes::retire(current, Retired::Replaced);
  if (flags::UseCodeCacheFlushing) sweeper::ask_when_filled();
  return code;
}

}  // namespace keyhole::optimised
