// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listener receives the steps that locks report (runtime/sync/picture/notes.h), and the beginnings and ends of
// operations. A recording has these as events.
#pragma once

#include "runtime/sync/picture/step.h"

namespace keyhole::model {

// An object is passed as its number; a thread or a subject is passed as its id.
class Listener {
 public:
  virtual ~Listener() = default;
  // begins: the thread's operation on the object begins. changed: the operation has made a step. operated: the
  // operation has ended successfully.
  virtual void begins(u32 object, u32 thread) = 0;
  virtual void changed(u32 object, u32 thread, sync::picture::Change change, u32 subject, bool in_snippet) = 0;
  enum class Operation { entered, exited, waits, waited, hashed };
  virtual void operated(u32 object, Operation operation, u32 thread) = 0;
  virtual void died(u32 object) = 0;
};

}  // namespace keyhole::model
