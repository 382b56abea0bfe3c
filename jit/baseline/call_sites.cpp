// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits calls, and lists them.
#include "jit/baseline/call_sites.h"

#include <algorithm>

#include "jit/code/entry_stubs.h"

namespace keyhole::baseline {

using namespace interpreter;

void CallSites::begin(const Call& call, u32 appended) {
  locals_.write_back_all();
  sites_.push_back({call.instruction, a_.newLabel(), call.word});
  a_.lea(x86::rdi, x86::ptr(sites_.back().instructions));
  a_.mov(frame_.field(offsetof(Frame, pc)), x86::rdi);
  a_.lea(x86::r13, frame_.address_of_stack_slot(call.depth + appended - 1));
  a_.lea(x86::rdi, frame_.field(0));
}

void CallSites::call_known(const Call& call, const Method* target) {
  a_.load_address(x86::rdx, target);
  if (target == instructions_.method() && own_entry_.isValid()) return call_code(call, own_entry_);
  uptr stub = entry_stubs::of(target);
  if (stub != 0) call_code(call, imm(stub));
  else call_method_in_rdx(call);
}

void CallSites::call_method_in_rdx(const Call& call) {
  call_code(call, x86::qword_ptr(x86::rdx, offsetof(Method, entry_from_code)));
}

void CallSites::call_code(const Call& call, const asmjit::Operand& target) {
  i32 top_of_result = frame_.stack_slot_distance(static_cast<i32>(call.receiver_slot() + call.result_slots()) - 1);
  a_.sub(x86::rsp, imm(call_record_bytes - sizeof(uptr)));
  u32 begin = static_cast<u32>(a_.offset());
  a_.emit(Inst::kIdCall, target);
  a_.lea(locals_register, x86::ptr(x86::rcx, -top_of_result));
  // the instruction after the call is overwritten when the code becomes obsolete (obsolete_code.h)
  returns_.push_back(static_cast<u32>(a_.offset()));
  a_.add(x86::rsp, imm(call_record_bytes - sizeof(uptr)));
  unwind_ranges_.push_back({begin, static_cast<u32>(a_.offset())});
#if KEYHOLE_DEBUG
  Label returned = a_.newLabel();  // S1 of jit/code/registers.h
  a_.test(x86::eax, x86::eax);
  a_.jz(returned);
  a_.ud2();
  a_.bind(returned);
#endif
}

void CallSites::emit_sites() {
  if (sites_.empty()) return;
  a_.align(asmjit::AlignMode::kData, alignof(CompiledCallSite));
  for (const Site& site : sites_) {
    CompiledCallSite pair{
        __builtin_bit_cast(Instruction, site.word),
        __builtin_bit_cast(Instruction, make_instruction(Operation::resume_compiled, site.instruction))};
    a_.bind(site.instructions);
    if (a_.is_listing()) a_.commentf("; call site, bci %u", instructions_.bci(site.instruction));
    asmjit::Logger* logger = a_.code()->logger();
    a_.code()->setLogger(nullptr);  // the pairs are not listed, because they contain addresses
    a_.embed(&pair, sizeof(pair));
    a_.code()->setLogger(logger);
  }
}

void CallSites::describe(CompiledCode& code, uptr address, const asmjit::CodeHolder& holder) {
  code.sites.count = static_cast<u32>(sites_.size());
  if (!sites_.empty()) {
    code.sites.call_sites =
        reinterpret_cast<const CompiledCallSite*>(address + holder.labelOffset(sites_[0].instructions));
  }
  std::sort(returns_.begin(), returns_.end());
  u32* returns = new u32[returns_.size()];
  std::copy(returns_.begin(), returns_.end(), returns);
  code.sites.returns = returns;
  code.sites.return_count = static_cast<u32>(returns_.size());
}

}  // namespace keyhole::baseline
