// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// OwnThreads: tells the threads of the program from those that the VM and the class library have made for themselves.
//
// O1: collector threads, threads without a name, and threads with a name of the list in own_threads.cpp are not the
//     program's.
// O2: a virtual thread is the program's, with or without a name; its carriers are not.
#pragma once

#include <unordered_set>

#include "runtime/recorder/recording.h"

namespace keyhole::recording {

class OwnThreads {
 public:
  explicit OwnThreads(const recorder::Recording& recording);
  bool has(u32 thread) const;
  bool has_virtual(u32 thread) const { return virtual_.contains(thread); }

 private:
  const recorder::Recording& recording_;
  std::unordered_set<u32> virtual_, carriers_;
};

}  // namespace keyhole::recording
