// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One method from its cells to installed code.
//
//    cells ──build──> graph ──optimise, lower──> function ──generate──> code ──> CompiledCode, installed
//    '────────────── managed, no safepoint ─────────────'  '─ native ─'         '─ managed, no safepoint ─'
//                                                                               under the compiler's lock
//
// N1: between is_cancelled() and installing there is no safepoint (jit/code/compile_queue_protocol.h, Q5).
// N2: units of what the graph names are pinned while the thread is native (Q4), so addresses are good when the code is
//     installed. Afterwards they are because of what may be named: nothing that dies before the method.
#pragma once

#include "jit/code/compile_queue.h"
#include "jit/optimised/code_generator.h"
#include "jit/optimised/failed_speculations.h"

namespace keyhole::optimised {

// `image`: null when there is none.
tiers::OptimisingTier::Outcome compile_method(JavaThread* thread, tiers::CompileTask& task, CodeGenerator& generator,
                                              FailedSpeculations& speculations, image::CodeImage* image) MAY_SAFEPOINT;

}  // namespace keyhole::optimised
