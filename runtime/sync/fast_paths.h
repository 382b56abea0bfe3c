// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// All snippets over the VM's world, named as in fast_paths.def. protocol.h defines a snippet (FastPath).
#pragma once

#include "runtime/sync/algorithms/cjm_by_fast_path.h"
#include "runtime/sync/algorithms/hashchains_plus3_fast_path.h"
#include "runtime/sync/algorithms/legacy_fast_path.h"
#include "runtime/sync/algorithms/lightweight_monitor_fast_path.h"
#include "runtime/sync/algorithms/monitor_table_fast_path.h"
#include "runtime/sync/algorithms/no_lock.h"
#include "runtime/sync/monitor/monitor_fast_path.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/recording/recorded_fast_path.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync::fast_paths {

using none = NoFastPath<SyncWorld>;
// If a snippet needs headers that the VM's layout does not have, `none` takes its place.
inline constexpr bool in_place = true, displaces = layout::can_displace;
#define FAST_PATH(name, snippet, header) using name = std::conditional_t<header, snippet<SyncWorld>, none>;
#define RECORDED_FAST_PATH(name, plain) using name = RecordedFastPath<plain>;
#include "runtime/sync/fast_paths.def"

}  // namespace keyhole::sync::fast_paths
