// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System.exit and Runtime.halt end the process at once; the launcher registers its last steps here.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

// Runs on the halting thread (InVM) after the shutdown hooks, before the process ends. Null: there is nothing to do.
extern void (*before_halt)(JavaThread* thread);

}  // namespace keyhole::natives
