// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs finished code as the newest code of its method. Makes the CompiledCode that the interpreter, stack walks and
// the sweeper use.
#pragma once

#include <optional>
#include <vector>

#include "jit/code/compile_queue.h"
#include "jit/code/compiler_lock.h"
#include "jit/graph/lower/lower.h"
#include "jit/llvm/plugin.h"
#include "vm/code/compiled_code.h"

namespace keyhole::optimised {

struct Installation {
  const tiers::CompileTask& task;
  const graph::Lowered& lowered;
  const llvm_plugin::Result& result;
  // index of the loop header at which frames enter OSR code; none: code for the method's entry
  std::optional<u32> loop_instruction;
  const std::vector<Method*>& inlined;
};
// Installs the code. If an assumption of the code does not hold any more, installs nothing and returns null. Called on
// a managed thread. Reaches no safepoint.
CompiledCode* install(const Installation& what) REQUIRES(compiler_lock);

}  // namespace keyhole::optimised
