// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listener receives the steps that locks report (runtime/sync/picture/notes.h), and the ends of operations. A recording
// has them as events.
#pragma once

#include "runtime/sync/picture/step.h"

namespace keyhole::model {

// Objects are given by number, threads and subjects by id.
class Listener {
 public:
  virtual ~Listener() = default;
  // The thread's operation on the object begins; a step within it; the operation has ended successfully.
  virtual void begins(u32 object, u32 thread) = 0;
  virtual void changed(u32 object, u32 thread, sync::picture::Change change, u32 subject, bool in_snippet) = 0;
  enum class Operation { entered, exited, waits, waited, hashed };
  virtual void operated(u32 object, Operation operation, u32 thread) = 0;
  virtual void died(u32 object) = 0;
};

}  // namespace keyhole::model
