// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's calls of the detector of data races (runtime/threads/races/races.h), and the words of a race.
//
//   handlers_watched.cpp: a table of handlers       before_watched_access: which object, which offset?
//     getfield, putfield, iaload ...  ----------->    plain, in code of the program: access()
//     then the plain handler                          volatile, in any code: acquire or release
//
// P1: plain accesses are checked in code of the program, that is, outside the JDK's packages. In the JDK's code only
//     those of collections without synchronisation are (ArrayList, HashMap, StringBuilder ...), if the program called
//     the collection directly. They count as accesses at the program's line.
// P2: the program reaches what a static initialiser did by a static field, a static call or `new` of the class. The
//     first time that a thread executes such an instruction, it acquires the class's initialisation.
// P3: in java.util.concurrent, plain reads of links that are written by compare-and-set order like volatile ones.
#pragma once

#include "vm/interpreter/heap_access.h"

namespace keyhole::interpreter {

extern Handler watched_table[operation_count];  // handlers/handlers_watched.cpp
void fill_watched_table();
// Installs the detector's hooks. Called while the VM starts.
void initialize_race_points();

// Called before the handler of an access to a field or an array, with the thread's state saved. If the handler will
// throw, the function has no effect.
void before_watched_access(JavaThread* thread, const Frame* frame, u64 word);
// Called before `new` and invokestatic, with the thread's state saved (P2).
void before_watched_use(JavaThread* thread, const Frame* frame, u64 word);
// Called before a method returns nothing: a constructor of the program ends.
void before_watched_return(JavaThread* thread, const Frame* frame);

}  // namespace keyhole::interpreter
