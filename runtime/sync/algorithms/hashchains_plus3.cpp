// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The row of hashchains+3.
#include "runtime/sync/algorithms/hashchains_plus3.h"

#include "runtime/sync/algorithms/chain_rows.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static HashChainsPlus3Of<SyncWorld> hashchains_plus3;
static_assert(LockProtocol<HashChainsPlus3Of<SyncWorld>, SyncWorld>);

extern const Algorithm hashchains_plus3_algorithm;
constinit const Algorithm hashchains_plus3_algorithm =
    chain_algorithm<hashchains_plus3>(algorithm_over<hashchains_plus3>(
        "hashchains+3", -1, "a header bit says locked, a second one that threads queue; only those are on the chains",
        {
            .header_bits = 2,
            .idle_bytes = 0,
            .held_bytes = 0,
            .contended_bytes = 0,
            .fairness = "FIFO, direct hand-over",
            .recursion = "each level's lock record",
            .displacing = "",
            .traces = {.alone = "", .contended = "SKBH", .hashed = ""},
        },
        &fast_path_rows::hashchains_plus3));

}  // namespace keyhole::sync
