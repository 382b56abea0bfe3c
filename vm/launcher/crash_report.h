// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The crash report of a fatal error or a fatal signal, on stderr and in keyhole_err_pid<N>.log.
//
//   the error and its place; native and Java frames of the thread; all threads with their states and held locks; the
//   region table; the last events
//
// The report takes no locks and trusts no data: a section that faults is cut off, and the next one is written.
#pragma once

#include <string>

namespace keyhole {

// Makes the VM end as java does when the C++ library has no memory: with a text and exit code 1. main calls it first.
void report_exhausted_memory();

// Catches SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT, and becomes the hook of fatal(). The commands are those of
// -XX:OnError= (error_commands.h).
void install_crash_report(const std::string& commands_on_error);

}  // namespace keyhole
