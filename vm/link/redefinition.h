// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Redefinition: a class that exists gets another class file (JVMTI's RedefineClasses and RetransformClasses). What may
// differ is what its methods do, and what the attributes say; members, supertypes and modifiers are the same, so
// layout, tables and inline caches stay as they are.
//
// A Method is what everybody refers to: vtables, cells, code, reflection, method handles. It stays, and gets another
// body; the body it had moves to a copy.
//
//    vtable, cells, code ---> Method  (version 1) ---> new bytecode, pool, no cells yet   entered from now on
//                                |
//                             replaced
//                                v
//    frames made before ----> Method' (version 0) ---> old bytecode, pool, cells, maps    until its last frame leaves
//
//    bytes ---> transformers ---> parsed ---> compared ---> verified ---> exchanged     all classes have come so far
//    first
//               Java may run                  Java may run (class loaders)   world stopped
//
// R1: bodies are exchanged at a safepoint. All frames of the class's methods belong to the copies then; C++ code that
//     names a method by its address and may reach a safepoint takes it from its frame again afterwards
//     (JavaThread::top_frame).
// R2: the copy is complete: bytecode, constant pool, cells, compiled code, frame maps, profile. What runs on it needs
//     nothing of the new body.
// R3: cells and code name methods, never bodies. Compiled code that has a redefined method in place of a call, or is
//     its own, is obsolete (vm/interpreter/compiled_code.h): nobody enters it, and frames in it go on in the
//     interpreter when the call that they are in returns.
// R4: slots of reflection (Method::method_index, Field::field_index) stay, in whatever order the new file has the
//     members.
// R5: copies, their pools and class files are freed with the class's unit. References in a copy's constant pool are
//     roots until then.
#pragma once

#include <span>
#include <vector>

#include "vm/link/class_file_hook.h"

namespace keyhole {

struct NewClassFile {
  InstanceKlass* klass;        // kept alive by the caller
  std::vector<u8> bytes;       // Retransform: ignored
};

// All of them or none. Redefine: the bytes given pass all transformers; Retransform: the file that the class had
// without those that can retransform passes these. False: java.lang.instrument's exception is pending.
[[nodiscard]] bool redefine_classes(JavaThread* thread, std::span<const NewClassFile> files, ClassFileUse use)
    MAY_SAFEPOINT;

// Implemented by vm/interpreter. World stopped.
namespace interpreter {
// Before the exchange: code that depends on these methods becomes obsolete.
void forget_code_of(std::span<Method* const> methods);
// `method` has just got another body; `copy` has the one it had.
void move_body(Method* method, Method* copy);
// All frames: those of a redefined method belong to its copy, Method::replaced.
void move_frames(std::span<Method* const> methods);
}  // namespace interpreter

}  // namespace keyhole
