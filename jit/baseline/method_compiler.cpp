// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the compiler's pass over the bytecodes of a method.
#include "jit/baseline/method_compiler.h"

#include <algorithm>
#include <memory>

#include "runtime/base/flags.h"
#include "vm/verify/frame_map.h"

namespace keyhole::baseline {

using namespace interpreter;

MethodCompiler::Buffer::Buffer(uptr address, bool is_listed) : holder(address) {
  if (!is_listed) return;
  logger.addFlags(asmjit::FormatFlags::kMachineCode);
  holder.setLogger(&logger);
}

MethodCompiler::MethodCompiler(Method* method, const MethodCode* body, const Stubs& stubs, Profiling profiling,
                               const code_cache::Room& room, std::string* listing)
    : room_(room), listing_(listing), buffer_(room.address, listing != nullptr),
      compilation_(method, body, stubs, buffer_.holder, profiling), emitters_(compilation_) {}

MethodCompiler::Result MethodCompiler::compile() {
  Compilation& c = compilation_;
  if (c.instructions->has_subroutines()) return {.reason = "subroutines"};
  auto code = std::make_unique<CompiledCode>();
  c.locals.choose(*c.instructions);
  c.locals.find_dirty_at_starts(*c.instructions, c.blocks);
  emit_entry();
  for (c.instruction = 0; c.instruction < c.instructions->count() && !c.registers.has_failed(); ++c.instruction) {
    if (c.blocks.starts(c.instruction)) start_block();
    if (c.is_reachable) emit_instruction();
  }
  Result result{.reason = "out of registers"};
  if (!c.registers.has_failed()) {
    emit_after_code(*code);
    result = link(*code);
  }
  if (listing_ != nullptr) *listing_ = buffer_.logger.data();
  if (result.code != nullptr) code.release();
  return result;
}

// Emits the method's entry. If the interpreter locks a synchronized method (always, or only when the thread must wait),
// it continues at the entry of the first bytecode afterwards.
void MethodCompiler::emit_entry() {
  Compilation& c = compilation_;
  bool is_entered_inline = LockEmitter::is_entered_inline(c.instructions->method());
  if (is_entered_inline) emitters_.entry.emit();
  if (!c.instructions->method()->is_synchronized()) return;
  if (c.blocks.starts(0)) {
    c.blocks.reach(0, 0);
    c.is_reachable = is_entered_inline;
  } else {
    c.a.bind(c.blocks.make_entry(0));
    MethodData* data = emitters_.profile.data();
    if (!is_entered_inline && data != nullptr) {
      emitters_.profile.count(&data->calls, x86::rax);
      emitters_.entry.count_down_calls(/*is_caller_known=*/false);
    }
  }
  c.locals.forget();
}

void MethodCompiler::start_block() {
  Compilation& c = compilation_;
  Block& block = c.blocks[c.instruction];
  if (c.is_reachable && !emitters_.returns.emit_in_place(c.instruction)) {
    c.blocks.reach(c.instruction, c.stack.depth());
    c.stack.flush();
    c.locals.load_all();
    c.locals.write_back_for(block);
  } else if (block.depth < 0 && block.is_backward_target) {
    block.depth = operand_depth_if_reachable(c.instructions->method(), c.instructions->bci(c.instruction));
  }
  c.is_reachable = block.depth >= 0;
  if (!c.is_reachable) return;
  c.a.bind(block.label);
  c.stack.reset(static_cast<u32>(block.depth));
  c.locals.start_block(block);
  c.blocks.make_entry(c.instruction);
}

void MethodCompiler::emit_instruction() {
  Compilation& c = compilation_;
  c.begin_instruction(c.instruction);
  u64 word = c.instructions->word(c.instruction);
  Operation operation = operation_of(word);
  bool is_stressed = flags::GCStressSafepointInterval != 0;
  if (is_stressed && BranchEmitter::polls(operation, word)) emitters_.branches.interpret_poll(operation);
  else if (emitters_.branches.emit_fused(operation)) return;  // both bytecodes are done
  else emitters_.emit(operation, word);
  if (c.is_reachable) finish_instruction();
}

// Makes the entry at which the frame returns to the code after the interpreter has executed the bytecode.
void MethodCompiler::finish_instruction() {
  Compilation& c = compilation_;
  u32 next = c.instruction + 1;
  bool is_last = next >= c.instructions->count(), is_before_block = is_last || c.blocks.starts(next);
  if (c.slow_paths.is_always_interpreted()) {
    if (!is_before_block) return c.a.bind(c.blocks.make_entry(next)), void();
    if (!is_last) c.blocks.reach(next, c.stack.depth());
    c.is_reachable = false;
  } else if (c.slow_paths.has_fallback() && !is_before_block) {
    Label again = c.a.newLabel();
    c.a.bind(again);
    c.slow_paths.resume_fallback_here(again, c.blocks.make_entry(next));
  }
}

void MethodCompiler::emit_after_code(const CompiledCode& code) {
  Compilation& c = compilation_;
  c.slow_paths.emit(code.unresolved_left);
  for (u32 instruction = 0; instruction < c.instructions->count(); ++instruction) {
    if (!c.blocks.starts(instruction) || !c.blocks.entry(instruction).isValid()) continue;
    if (c.a.is_listing()) c.a.commentf("; entry at bci %u", c.instructions->bci(instruction));
    c.a.bind(c.blocks.entry(instruction));
    c.locals.set_good(0);
    c.locals.load_all();
    c.a.jmp(c.blocks.label(instruction));
  }
  c.calls.emit_sites();
}

MethodCompiler::Result MethodCompiler::link(CompiledCode& code) {
  asmjit::CodeHolder& holder = buffer_.holder;
  holder.flatten();
  holder.resolveUnresolvedLinks();
  holder.relocateToBase(room_.address);
  usize bytes = holder.codeSize();
  if (bytes > room_.bytes) {
    return {.bytes = static_cast<u32>(bytes), .reason = "code cache is full", .is_cache_full = true};
  }
  if (holder.hasUnresolvedLinks()) return {.reason = "a label is not bound"};
  holder.copyFlattenedData(code_cache::writable(room_.address), bytes);
  install(code, bytes);
  return {.code = &code, .bytes = static_cast<u32>(bytes)};
}

void MethodCompiler::install(CompiledCode& code, usize bytes) {
  Compilation& c = compilation_;
  u32* entries = new u32[c.instructions->count() + 1]{};
  for (u32 instruction = 0; instruction <= c.instructions->count(); ++instruction) {
    const Label& entry = c.blocks.entry(instruction);
    if (!entry.isValid() || !buffer_.holder.isLabelBound(entry)) continue;
    entries[instruction] = static_cast<u32>(room_.address + buffer_.holder.labelOffset(entry));
  }
  code.entries = entries;
  Method** inlined = new Method*[c.inlined.size()];
  std::copy(c.inlined.begin(), c.inlined.end(), inlined);
  code.inlined = inlined;
  code.inlined_count = static_cast<u32>(c.inlined.size());
  code.method = c.instructions->method();
  code.has_entry = LockEmitter::is_entered_inline(code.method);
  code.is_profiled = c.profiling == Profiling::ForInterval;
  code.entry = code.begin = static_cast<u32>(room_.address);
  code.code_bytes = static_cast<u32>(bytes);
  c.null_checks.install(room_.address, buffer_.holder);
  c.calls.describe(code, room_.address, buffer_.holder);
}

}  // namespace keyhole::baseline
