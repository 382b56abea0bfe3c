// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a CompiledCode from the back end's result, and installs it.
#include "jit/optimised/installation.h"

#include <algorithm>
#include <limits>

#include "jit/code/assumptions.h"
#include "jit/code/code_cache.h"
#include "jit/code/gdb_interface.h"
#include "jit/code/method_codes.h"
#include "jit/code/print_compilation.h"
#include "jit/code/sweeper.h"
#include "runtime/base/flags.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::optimised {
namespace {

// Returns the debug information of the code's call sites, or null if the code has no inlined calls.
DebugInfo* debug_info_of(const graph::Lowered& lowered) {
  auto is_inlining = [](const DebugInfo& site) { return !site.activations.empty(); };
  if (std::ranges::none_of(lowered.debug_info, is_inlining)) return nullptr;
  auto* all = new DebugInfo[lowered.debug_info.size()];
  std::ranges::copy(lowered.debug_info, all);
  return all;
}

CompiledCode* describe(const Installation& what) {
  const graph::Lowered& lowered = what.lowered;
  const llvm_plugin::Result& result = what.result;
  Method* method = what.task.method();
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  auto* code = new CompiledCode{};
  code->method = method;
  code->has_entry = !what.loop_instruction;
  code->is_of_loop = what.loop_instruction.has_value();
  code->level = what.task.request().level;
  code->number = what.task.request().number;
  code->entries = new u32[body->instruction_count + 1]{};
  if (what.loop_instruction) code->entries[*what.loop_instruction] = static_cast<u32>(result.entry);
  auto* inlined = new Method*[what.inlined.size()];
  std::ranges::copy(what.inlined, inlined);
  code->inlined = inlined;
  code->inlined_count = static_cast<u32>(what.inlined.size());
  code->sites.call_sites = reinterpret_cast<const CompiledCallSite*>(result.sites);
  code->sites.count = static_cast<u32>(lowered.function.sites.size());
  code->sites.debug_info = debug_info_of(lowered);
  code->entry = static_cast<u32>(result.entry);
  code->begin = static_cast<u32>(result.begin);
  code->code_bytes = static_cast<u32>(result.bytes);
  code->looks_whether_obsolete = lowered.looks_whether_obsolete;
  if (lowered.obsolete_site && result.sites != 0)
    code->obsolete = static_cast<u32*>(code_cache::writable(result.sites + *lowered.obsolete_site * sizeof(low::Site)));
  code->resource = result.resource;
  code->unresolved_left.store(std::numeric_limits<i32>::max(), std::memory_order_relaxed);
  return code;
}

// Returns the optimised code that the new code replaces, or null if there is none. OSR code replaces OSR code for the
// same loop. Code for the method's entry replaces code for the entry.
CompiledCode* code_before(const Installation& what) {
  const MethodCode* body = what.task.method()->body.load(std::memory_order_acquire);
  for (CompiledCode* code = first_in_use(body); code != nullptr; code = in_use(previous_of(code))) {
    if (!code->is_optimised() || code->is_of_loop != what.loop_instruction.has_value()) continue;
    if (!what.loop_instruction || code->entries[*what.loop_instruction] != 0) return code;
  }
  return nullptr;
}

}  // namespace

CompiledCode* install(const Installation& what) {
  CompiledCode *code = describe(what), *current = code_before(what);
  if (!assumptions::add(code, what.lowered.assumptions)) {
    delete code;
    return nullptr;
  }
  sweeper::add(code);
  if (flags::UseGdbJitInterface) {
    const Method* method = code->method;
    gdb::add(code->begin, code->code_bytes, dotted(method->holder->name) + "." + std::string(method->name->text()), {});
  }
  method_codes::install(code);
  if (current != nullptr) method_codes::retire(current, Retired::Replaced);
  if (flags::UseCodeCacheFlushing) sweeper::watch_when_filled();
  return code;
}

}  // namespace keyhole::optimised
