// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared objects of programs, for those who call C through java.lang.foreign.
#pragma once

#include <string>

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// The file has functions that only JNI would call: JNI_OnLoad, Java_... False for what is no shared object.
bool serves_jni(const std::string& path);

// As dlopen knows the name; null, with the reason in `failure`, when it cannot be opened. Runs the initialisers of the
// file: the thread is InNative meanwhile.
void* open_shared_object(JavaThread* thread, const std::string& name, std::string& failure) MAY_SAFEPOINT;
void close_shared_object(JavaThread* thread, void* object) MAY_SAFEPOINT;

}  // namespace keyhole::natives
