// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that all threads share which coalesce no lock events.
#include "runtime/threads/coalesced_pairs.h"

namespace keyhole {

CoalescedPairs no_coalesced_pairs[coalesced_pairs_count];

}  // namespace keyhole
