// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronized methods.
#include "jit/baseline/method_compiler.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/locking_handlers.h"

namespace keyhole::baseline {

using namespace interpreter;

// The frame is complete and empty. The interpreter's slow handler locks whatever the algorithm, and comes back at the first cell.
void MethodCompiler::start_synchronized() {
  load_address(x86::r12, body_->cells());
  a_.lea(x86::r13, x86::ptr(locals_register, home_distance(-1)));
  a_.lea(x86::rdi, frame_field(0));
  load_address(x86::rsi, step_table);
  load_address(x86::rax, reinterpret_cast<const void*>(&lock_and_start));
  a_.jmp(x86::rax);
  if (starts_block(0)) {
    note_target(0);
    reachable_ = false;
    return;
  }
  entries_[0] = a_.newLabel();
  a_.bind(entries_[0]);
  forget_pinned();
}

}  // namespace keyhole::baseline
