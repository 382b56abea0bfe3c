// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finished code becomes its method's newest: what the interpreter, the walkers and the sweeper know of it.
#pragma once

#include "jit/code/compile_queue.h"
#include "jit/code/compiler_lock.h"
#include "jit/graph/lower.h"
#include "jit/llvm/plugin.h"
#include "vm/interpreter/compiled_code.h"

namespace keyhole::optimised {

// Managed thread; reaches no safepoint.
const CompiledCode* install(const tiers::CompileTask& task, const graph::Lowered& lowered,
                            const llvm_plugin::Result& result) REQUIRES(compiler_lock);

}  // namespace keyhole::optimised
