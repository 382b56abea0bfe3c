// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The actions, besides the throw, when the heap, class metadata or class ids are exhausted for the first time:
// -XX:+HeapDumpOnOutOfMemoryError, -XX:OnOutOfMemoryError=, -XX:+CrashOnOutOfMemoryError, -XX:+ExitOnOutOfMemoryError,
// in this order and with HotSpot's texts.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

inline constexpr const char* metadata_exhausted_message = "Metaspace";
inline constexpr const char* class_ids_exhausted_message = "Compressed class space";

// Runs the actions at the first call only. Exhausted native memory, and threads that the OS refuses, do not count.
void report_out_of_memory(JavaThread* thread, const char* message) MAY_SAFEPOINT;

}  // namespace keyhole
