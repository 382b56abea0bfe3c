// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared objects of programs that call C through java.lang.foreign.
#pragma once

#include <string>

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// Does the file have functions that only JNI calls, such as JNI_OnLoad and Java_...? False if it is no shared object.
bool serves_jni(const std::string& path);

// Opens a shared object by a name that dlopen knows. Null: it cannot be opened, and `failure` has the reason. The
// file's initialisers run; the thread is InNative meanwhile.
void* open_shared_object(JavaThread* thread, const std::string& name, std::string& failure) MAY_SAFEPOINT;
void close_shared_object(JavaThread* thread, void* object) MAY_SAFEPOINT;

}  // namespace keyhole::natives
