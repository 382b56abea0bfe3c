// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The slow handlers that all categories share: polls, implicit exceptions, unwinding.
#include "runtime/base/flags.h"
#include "runtime/threads/asynchronous.h"
#include "vm/frames/execution_sample.h"
#include "vm/frames/unwind.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::interpreter {

SLOW_HANDLER(unwind) {
  Unwound unwound = unwind_to_handler(thread);
  frame = unwound.frame;
  pc = frame->pc;
  sp = frame->sp;
  locals = frame->locals;
  word = unwound.record_bytes;
  table = reinterpret_cast<const void*>(unwound.is_returned_into ? &return_exception : &resume_after_unwind);
  GO(drop_records_and_go);
}

// Executes the instruction at pc by its plain handler, with the stress poll disarmed (safepoint_stress.cpp).
static SLOW_HANDLER(again_unstressed) {
  safepoint::disarm_stress(thread);
  word = load_instruction(pc);
  GO(plain_table[word & 0xFFFF]);
}

SLOW_HANDLER(poll_and_retry) {
  SAVE_STATE();
  bool is_sampled = safepoint::take_sample_request(thread);
  if (safepoint::take_execution_sample_request(thread)) record_execution_sample(thread);
  safepoint::poll_slow(thread);
  if (asynchronous::answer(thread) || raise_memory_fault(thread)) GO(unwind);
  if (is_sampled) tier_policy()->note_sample(thread);
  RELOAD_TOS();
  if (flags::GCStressSafepointInterval != 0) [[unlikely]]
    GO(again_unstressed);
  AGAIN();
}

SLOW_HANDLER(raise_null_pointer) {
  SAVE_STATE();
  throw_null_pointer(thread);
  GO(unwind);
}

SLOW_HANDLER(raise_division_by_zero) {
  SAVE_STATE();
  throw_division_by_zero(thread);
  GO(unwind);
}

SLOW_HANDLER(raise_index_out_of_bounds) {
  SAVE_STATE();
  throw_index_out_of_bounds(thread, static_cast<i32>(word >> 32), static_cast<i32>(word));
  GO(unwind);
}

SLOW_HANDLER(raise_not_an_implementer) {
  SAVE_STATE();
  const Klass* klass = as_object(sp[1 - static_cast<i64>(operand_a(word))])->klass();
  throw_not_an_implementer(thread, klass, metadata_at<Method>(operand_b(word))->holder);
  GO(unwind);
}

SLOW_HANDLER(raise_wrong_special_receiver) {
  SAVE_STATE();
  const Klass* klass = as_object(sp[1 - static_cast<i64>(operand_a(word))])->klass();
  throw_wrong_special_receiver(thread, klass, metadata_at<SpecialCallSite>(operand_b(word))->interface);
  GO(unwind);
}

SLOW_HANDLER(raise_stack_overflow) {
  // This handler does not use SAVE_STATE, which would store tos as an operand: tos is the callee here. The arguments
  // are already in their stack slots.
  frame->pc = pc;
  frame->sp = sp;
  thread->top_frame = frame;
  throw_stack_overflow(thread);
  GO(unwind);
}

}  // namespace keyhole::interpreter
