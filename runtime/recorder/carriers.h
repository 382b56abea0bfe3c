// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Carriers: the thread that an event is about. A carrier's ring has the events of all virtual threads that it carries:
//
//     ring of carrier C    lock_enter   mounted V   lock_enter   lock_exit   unmounted V   lock_exit
//     acting thread        C            C           V            V           C             C
//
// Mounts may nest.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/recorder/event.h"

namespace keyhole::recorder {

class Carriers {
 public:
  // Returns the thread that an event is about. `thread` is the owner of the ring. The caller passes the events of a
  // ring in the order of time. `mounted` and `unmounted` are events of the carrier.
  u32 who_acts(u32 thread, const Event& event) {
    Kind kind = static_cast<Kind>(event.kind);
    if (kind != Kind::mounted && kind != Kind::unmounted && mounted_.empty()) return thread;
    std::vector<u32>& mounted = mounted_[thread];
    if (kind == Kind::unmounted && !mounted.empty() && mounted.back() == event.a) mounted.pop_back();
    u32 actor = mounted.empty() ? thread : mounted.back();
    if (kind == Kind::mounted) mounted.push_back(event.a);
    return actor;
  }

 private:
  std::unordered_map<u32, std::vector<u32>> mounted_;  // by carrier, innermost last
};

}  // namespace keyhole::recorder
