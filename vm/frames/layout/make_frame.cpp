// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of Entry frames.
#include "vm/frames/layout/make_frame.h"

namespace keyhole::interpreter {

// The pc of every Entry frame is the first instruction. A return continues at the second.
static const Instruction of_entry_frames[2] = {{static_cast<u16>(Operation::nop), 0, 0},
                                               {static_cast<u16>(Operation::exit_to_vm), 0, 0}};

const Instruction* entry_instruction() { return of_entry_frames; }

}  // namespace keyhole::interpreter
