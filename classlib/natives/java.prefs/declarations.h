// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.util.prefs; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.util.prefs.FileSystemPreferences
Object* FileSystemPreferences_lockFile0(JavaThread*, Handle, i32, bool) MAY_SAFEPOINT;
i32 FileSystemPreferences_unlockFile0(JavaThread*, i32);
i32 FileSystemPreferences_chmod(JavaThread*, Handle, i32) TOUCHES_OBJECTS;

}  // namespace keyhole::natives
