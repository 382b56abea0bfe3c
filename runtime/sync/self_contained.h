// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of protocols whose constructors take no arguments: SELF_CONTAINED_PROTOCOL(name of -XX:LockingMode=,
// template over a World). From this list the model checker (tests/model/subject_self_contained.cpp) and the simulated
// machine (bench/mutexbench/simulated_rows.h) make instances. The checker and the simulated machine each have a list of
// their own for protocols with settings.
#pragma once

#include "runtime/sync/algorithms/pthread_lock.h"

// clang-format off
#define SELF_CONTAINED_PROTOCOLS(SELF_CONTAINED_PROTOCOL) \
  SELF_CONTAINED_PROTOCOL("pthread", PthreadLockOf)
// clang-format on
