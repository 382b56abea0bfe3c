// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Rehearsal: before the program starts, it does the class loading and decoding that otherwise each schedule would
// repeat after a rollback.
//
//   first VM    runs the default schedule; at its end list(): classes of the boot loader, methods with instructions
//   next VMs    prepare(), before the program: load and link these classes, decode these methods
//
// R1: neither list() nor prepare() changes what the program can observe. They run no class initialiser and no code of
//     the program or its class loaders, and loading by the boot loader is no event.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::explore {

// In shared memory.
struct Rehearsal {
  static constexpr u32 max_words = 1u << 18;
  bool is_listing = false;  // at its end, the next execution calls list(), which fills `words`
  u32 word_count = 0;
  u32 classes = 0;
  // For each class that later VMs prepare: the length of its name in bytes, the number of methods, the name, and the
  // methods' indices.
  u16 words[max_words];

  void list();
  void prepare() const;
};

}  // namespace keyhole::explore
