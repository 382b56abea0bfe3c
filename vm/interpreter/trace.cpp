// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+TraceBytecodes: a second table in which every operation prints itself and then runs the plain handler.
//
//   [3] int java.lang.String.length()    4  arraylength                  depth 1 top 0x10004a2b8
// A thread takes the selected table at its first call into Java. Handlers do not know which table it is.
#include <cstdio>

#include "runtime/base/flags.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

Handler tracing_table[operation_count];

namespace {

[[gnu::noinline]] void print(JavaThread* thread, Frame* frame, const Instruction* pc, const Slot* sp, Slot tos,
                             u64 word) {
  if (frame->kind == FrameKind::Entry) return;
  const Method* method = frame->method;
  u32 bci = method->body.load(std::memory_order_relaxed)->bci_of(pc);
  std::string line = fmt::format("[{}] {} {:4}  {:<28} depth {} top {:#x}\n", thread->id, method->external_name(), bci,
                                 name_of(operation_of(word)), sp - &frame->below_stack, tos);
  fwrite(line.data(), 1, line.size(), stdout);
  fflush(stdout);  // else parts of lines would appear among the program's output
}

KEYHOLE_PRESERVE_NONE void trace_and_run(HANDLER_PARAMETERS) {
  print(thread, frame, pc, sp, tos, word);
  if (flags::GCStressSafepointInterval != 0) safepoint::arm_stress(thread);
  GO((plain_table[word & 0xFFFF]));
}

}  // namespace

void fill_tracing_table() {
  for (Handler& handler : tracing_table) handler = trace_and_run;
}

}  // namespace keyhole::interpreter
