// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The places in methods at which events happen, as texts: "Bank.pay(Bank.java:12) bci 4".
//
// All functions require that the thread is the caller, or is stopped.
#pragma once

#include <string>

#include "runtime/sync/recording/recorded.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::recording {

// Finds the innermost activation that runs bytecode. For Object.wait and hashCode this is their caller, even in
// libraries that implement these methods in Java.
VirtualFrame innermost_bytecode(const JavaThread* thread);
// Finds the innermost activation of a class outside java.lang, java.util.concurrent and jdk.internal. The code of these
// packages waits on behalf of its callers.
VirtualFrame innermost_caller(const JavaThread* thread);
// Returns the place in the program at which the activation is: method, source line and bytecode index. Empty if the
// activation does not exist.
std::string describe(const VirtualFrame& activation);

// The functions by which the recorder finds the sites of events.
extern const sync::recorded::SiteNames names_of_sites;

}  // namespace keyhole::recording
