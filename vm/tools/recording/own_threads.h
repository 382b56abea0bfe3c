// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// OwnThreads: distinguishes the program's threads from those that the VM and the class library create for their own
// use.
//
// O1: collector threads, threads without a name, and threads whose name is in the list of own_threads.cpp do not belong
//     to the program.
// O2: a virtual thread belongs to the program, with or without a name. The carriers of virtual threads do not.
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
