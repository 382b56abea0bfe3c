// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Redefinition: an existing class gets another class file (JVMTI's RedefineClasses and RetransformClasses). Bodies of
// methods and attributes may differ; members, supertypes and modifiers are the same, so layout, tables and inline
// caches stay as they are.
//
// Vtables, instructions, code, reflection and method handles refer to the Method. It stays, and gets another body; its
// old body moves to a copy.
//
//    vtable, body, code ---> Method  (version 1) ---> new bytecode, pool, not decoded yet   entered from now on
//                                |
//                             replaced
//                                v
//    frames made before ---> Method' (version 0) ---> old bytecode, pool, body, maps       until its last frame returns
//
//    bytes ---> transformers ---> parsed ---> compared ---> verified ---> exchanged     each step for all classes
//               Java may run                  Java may run (class loaders)   world stopped
//
// R1: bodies are exchanged at a safepoint. All frames of the class's methods belong to the copies then; C++ code that
//     holds a Method* and may reach a safepoint reads it from its frame again afterwards (JavaThread::top_frame).
// R2: the copy is complete: bytecode, constant pool, instructions, compiled code, frame maps, profile. Frames on it
//     need nothing of the new body.
// R3: instructions and code refer to methods, never to bodies. Compiled code of a redefined method, and code that has
//     inlined one, is obsolete (vm/code/compiled_code.h): it is not entered any more, and frames in it continue in the
//     interpreter when their current call returns.
//     Optimised code compares CompiledCode::obsolete after its calls. The comparison costs time, so code has it only
//     once redefinitions are expected. Code compiled before is retired at that moment, and frames that are in it
//     deoptimize at a poll.
// R4: slots of reflection (Method::method_index, Field::field_index) stay, independent of the order in the new file.
// R5: copies, their pools and class files are freed with the class's unit. References in a copy's constant pool are
//     roots until then.
#pragma once

#include <span>
#include <vector>

#include "vm/link/loading/class_file_hook.h"

namespace keyhole {

struct NewClassFile {
  InstanceKlass* klass;   // kept alive by the caller
  std::vector<u8> bytes;  // Retransform: ignored
};

// Redefines all of the classes or none. Redefine: the given bytes pass all transformers. Retransform: the class file as
// it was before retransforming transformers passes these. False: java.lang.instrument's exception is pending.
[[nodiscard]] bool redefine_classes(JavaThread* thread, std::span<const NewClassFile> files, ClassFileUse use)
    MAY_SAFEPOINT;

// Prepares for redefinitions. Called when the first agent or debugger appears that may redefine classes.
void expect_redefinitions(JavaThread* thread) MAY_SAFEPOINT;
bool are_redefinitions_expected();

// Moves all frames of a redefined method to its copy, Method::replaced. World stopped.
void move_frames(std::span<Method* const> methods);

}  // namespace keyhole
