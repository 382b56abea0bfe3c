// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of threads that have no runs.
#include "runtime/threads/lock_run.h"

namespace keyhole {

LockRun no_lock_runs[lock_run_count];

}  // namespace keyhole
