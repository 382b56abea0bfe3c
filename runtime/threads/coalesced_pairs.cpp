// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table shared by all threads that coalesce no lock events.
#include "runtime/threads/coalesced_pairs.h"

namespace keyhole {

CoalescedPairs no_coalesced_pairs[coalesced_pairs_count];

}  // namespace keyhole
