// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread dumps and deadlocks, in HotSpot 17's format.
#pragma once

#include <string>

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole {

// Returns the text of "Full thread dump ...", taken at one safepoint. With `with_synchronizers`, the text lists the
// java.util.concurrent locks that each thread holds.
std::string thread_dump(JavaThread* thread, bool with_synchronizers = false) MAY_SAFEPOINT;
// Returns "Found one Java-level deadlock: ..." for each cycle of threads that wait for each other's monitors or locks.
// Empty if there is no deadlock.
std::string find_deadlocks(JavaThread* thread) MAY_SAFEPOINT;

// Adds Thread.print and VM.version to the diagnostic commands of java.lang.management. Called while the VM starts.
void add_diagnostic_commands();

// With -XX:+DetectDeadlocks, prints deadlocks to stdout when the VM ends.
void report_deadlocks_at_exit(JavaThread* thread) MAY_SAFEPOINT;
// Waits until all other non-daemon threads have ended. With -XX:+DetectDeadlocks, looks for deadlocks while it waits,
// because deadlocked threads never end.
void wait_for_non_daemon_threads(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
