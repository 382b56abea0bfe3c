// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method compiler: compiles one method, from its pre-decoded instructions to installed code.
//
//    instructions ──build──> graph ──optimise, lower──> function ──generate──> code ──> CompiledCode, installed
//    '────────────── managed, no safepoint ─────────────'  '─ native ─'         '─ managed, no safepoint ─'
//                                                                               under the compiler's lock
//
// N1: the thread reaches no safepoint between its check of is_cancelled() and the installation of the code
//     (jit/code/compile_queue_protocol.h Q5).
// N2: while the thread is native, the class units of all classes and methods that the graph refers to are pinned
//     (compile_queue_protocol.h Q4). So their addresses are valid when the code is installed. The addresses stay valid
//     afterwards, because code refers only to classes and methods that live at least as long as its own method.
#pragma once

#include "jit/code/compile_queue.h"
#include "jit/optimised/code_generator.h"
#include "jit/optimised/failed_speculations.h"

namespace keyhole::optimised {

// `image` is null if the VM has no code image.
tiers::OptimisingTier::Outcome compile_method(JavaThread* thread, tiers::CompileTask& task, CodeGenerator& generator,
                                              FailedSpeculations& speculations, image::CodeImage* image) MAY_SAFEPOINT;

}  // namespace keyhole::optimised
