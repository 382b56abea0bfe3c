// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// The interpreter's calls of the detector of data races (runtime/threads/races/races.h), and the texts of its reports.
//
//   handlers_watched.cpp: a table of handlers       before_watched_access: which object, which offset?
//     getfield, putfield, iaload ...  ----------->    plain, in code of the program: access()
//     then the plain handler                          volatile, in any code: acquire or release
//
// P1: plain accesses are checked in code of the program, that is, outside the JDK's packages. Accesses by collections
//     of the JDK without synchronisation (ArrayList, HashMap, StringBuilder, Arrays ...), by arraycopy, by clone and by
//     VarHandles in plain mode are checked, too, if the program called them directly. They count as accesses at the
//     program's line. No other accesses by the JDK's code are checked.
// P2: a thread sees what a class's static initialiser did after it has accessed a static field, called a static method
//     or executed `new` of the class. So a thread acquires the class's initialisation when it first executes such an
//     instruction.
// P3: java.util.concurrent writes links between nodes by compare-and-set, and reads some of them by plain reads. Such a
//     plain read is treated as a volatile read.
#pragma once

#include "vm/interpreter/points/heap_access.h"

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
// Called before the return of a void method. If the method is a constructor of the program, tells the detector that it
// ends.
void before_watched_return(JavaThread* thread, const Frame* frame);

}  // namespace keyhole::interpreter
