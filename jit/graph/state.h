// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// States: the interpreter's frames at a point of a graph, as values.
//
//   frame of the inlined method      method, bci | locals | operands | locks held
//     outer: its caller              the same, with its call's arguments still among its operands
//       outer ...
//
// S1: a state describes the frame before the cell at `bci`: who leaves with it executes that cell again. So nothing
//     that the cell does has been done, and everything before it has.
// S2: slots are those of a frame (runtime/threads/frame.h): the value of a long or a double is in the upper one, the
//     lower one is null. A local that is dead is null, too. What the frame maps call a live reference is not null.
// S3: callers and outer locks are shared between states, and never change but by Graph::resolve_replacements.
#pragma once

#include <span>

#include "vm/link/method.h"

namespace keyhole::graph {

struct Node;

// Innermost first.
struct HeldLock {
  Node* object;
  HeldLock* outer;
};

struct State {
  State* outer;          // of the caller; null: the method that is compiled
  Method* method;
  u32 cell, bci;
  std::span<Node*> locals, operands;
  HeldLock* locks;       // of this method
};

}  // namespace keyhole::graph
