// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Method compiler: takes one method from its pre-decoded instructions to installed code.
//
//    instructions ──build──> graph ──optimise, lower──> function ──generate──> code ──> CompiledCode, installed
//    '────────────── managed, no safepoint ─────────────'  '─ native ─'         '─ managed, no safepoint ─'
//                                                                               under the compiler's lock
//
// N1: between is_cancelled() and the installation there is no safepoint (jit/code/compile_queue_protocol.h Q5).
// N2: the class units of all classes and methods that the graph names are pinned while the thread is native
//     (compile_queue_protocol.h Q4), so their addresses are valid when the code is installed. They stay valid
//     afterwards, because code names nothing that can die before its method.
#pragma once

#include "jit/code/compile_queue.h"
#include "jit/optimised/code_generator.h"
#include "jit/optimised/failed_speculations.h"

namespace keyhole::optimised {

// `image` is null if the VM has no code image.
tiers::OptimisingTier::Outcome compile_method(JavaThread* thread, tiers::CompileTask& task, CodeGenerator& generator,
                                              FailedSpeculations& speculations, image::CodeImage* image) MAY_SAFEPOINT;

}  // namespace keyhole::optimised
