// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the interpreter. How it works: vm/interpreter/README.md.
#pragma once

#include "gc/roots.h"
#include "vm/metadata/method.h"

namespace keyhole::interpreter {

// Fills the handler tables and registers the threads' roots; call once, after sync::initialize().
void initialize();

// Reports every live reference in the thread's frames, by frame maps. World stopped, or own thread.
void visit_stack_roots(JavaThread* thread, gc::RootVisitor& visitor);

}  // namespace keyhole::interpreter
