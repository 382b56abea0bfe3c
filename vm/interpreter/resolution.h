// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolving instructions: from a pool index to the word of a quick instruction.
// Each function gets the method, the instruction and its unresolved word. The caller has saved the state, because each
// function can run Java code (handlers.h H2). It returns the quick word, or 0 with an exception pending.
// If the quick word is valid for every thread from now on, the function publishes it in the instruction. Otherwise this
// thread is still initialising the class: the caller executes the quick word once, and the next execution resolves
// again. Quick instructions do not check whether a class is initialised, so resolution is the only class initialisation
// barrier.
#pragma once

#include "vm/code/instruction.h"

namespace keyhole {
struct Field;
}

namespace keyhole::interpreter {

u64 resolve_getfield(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_putfield(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_getstatic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_putstatic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_ldc(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_new(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_anewarray(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_checkcast(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_instanceof(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
// Resolves invokevirtual, invokespecial, invokestatic and invokeinterface.
u64 resolve_invoke(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;
u64 resolve_invokedynamic(JavaThread* thread, Method* method, const Instruction* pc, u64 word) MAY_SAFEPOINT;

// --- C++ functions of quick instructions ----------------------------------------------------------------------------
// Returns the instruction word of a quick getfield or putfield for a static field. The receiver of that instruction is
// the class's mirror, because the mirror holds the static fields.
u64 far_static_word(const Field* field, bool is_put);
// Allocates an array of arrays. `lengths`: one int per dimension, innermost last, each in its own slot of the operand
// stack. Returns null with an exception pending if it fails.
Object* allocate_multi_array(JavaThread* thread, Klass* klass, u32 dimensions, const Slot* lengths) MAY_SAFEPOINT;
// Calls java.lang.ref.Finalizer.register(object). Returns false if an exception is pending.
[[nodiscard]] bool register_finalizable(JavaThread* thread, Object* object) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
