// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Rehearsal: the VM's own work that each schedule would do again after a rollback is done once, before the program.
//
//   first VM    runs the default schedule; at its end list(): classes of the boot loader, methods with instructions
//   next VMs    prepare(), before the program: load and link these classes, decode these methods
//
// R1: neither changes what the program sees. No initialiser runs, no code of the program and of its class loaders runs,
//     and loading by the boot loader is no event.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::explore {

// In shared memory.
struct Rehearsal {
  static constexpr u32 max_words = 1u << 18;
  bool is_listing = false;  // the next execution is listed at its end
  u32 word_count = 0;
  u32 classes = 0;
  // For each class: bytes of its name, number of methods, the name, the methods' indices.
  u16 words[max_words];

  void list();
  void prepare() const;
};

}  // namespace keyhole::explore
