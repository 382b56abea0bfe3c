// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Listener: hears what locks say of themselves (runtime/sync/picture/notes.h), and which operations have ended: what a
// recording has as events.
#pragma once

#include "runtime/sync/picture/step.h"

namespace keyhole::model {

// Objects are numbers, threads and subjects ids.
class Listener {
 public:
  virtual ~Listener() = default;
  // The thread's operation on the object begins; in the middle of it: a step; it has ended well.
  virtual void begins(u32 object, u32 thread) = 0;
  virtual void changed(u32 object, u32 thread, sync::picture::Change change, u32 subject, bool in_snippet) = 0;
  enum class Operation { entered, exited, waits, waited, hashed };
  virtual void operated(u32 object, Operation operation, u32 thread) = 0;
  virtual void died(u32 object) = 0;
};

}  // namespace keyhole::model
