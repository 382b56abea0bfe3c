// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names in a recording: each text is written once, with a number that events use.
//
// In a file, texts may come after the events that use them; readers look them up after they have read the whole file.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"
#include "runtime/recorder/ring.h"

namespace keyhole::recorder {

// Returns the number of a text. Equal texts have the same number for the life of the process; 0 is the empty text.
u32 text(std::string_view text);

u32 look_up_site(const void* instruction, std::string (*describe)(const void* context), const void* context);
// The number of the text of an instruction. describe() makes the text once; it is cached until sites are forgotten.
inline u32 site(const void* instruction, std::string (*describe)(const void* context), const void* context) {
  if (Ring* ring = own_ring) [[likely]] {
    if (const u32* known = ring->sites.find(instruction)) [[likely]]
      return *known;
  }
  return look_up_site(instruction, describe, context);
}
// Forgets all sites: instructions may be freed from now on, and their addresses reused. World stopped.
void forget_sites();

namespace texts {
// Returns the names that no frame holds yet, in the file's form (file.h), and counts them as written.
std::string take_unwritten();
// Called when a new file begins: all names count as unwritten again.
void rewind();
void add_thread_name(u32 id, std::string_view name);
// The names that are not written yet, read without a lock, for a dying process.
std::string_view unwritten_at_crash();
}  // namespace texts

}  // namespace keyhole::recorder
