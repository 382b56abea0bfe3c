// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the interpreter. How it works: vm/interpreter/README.md.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::interpreter {

// Fills the handler tables and registers the threads' roots. Called once, after sync::initialize().
void initialize();

// The entries of a method that has not been executed: these entries decode the method, link its native body, or throw.
MethodEntry first_entry(const Method* method);
MethodEntry first_entry_from_code();  // null without a compiler

// Switches the recording of loop entries on or off in fallback_table. Called before Java runs, or while the world is
// stopped.
void record_entries_of_loops(bool on);

}  // namespace keyhole::interpreter
