// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocols that are made without arguments and settings: SELF_CONTAINED_PROTOCOL(name of -XX:LockingMode=,
// template over a World). The model checker (tests/model/subject_self_contained.cpp) and the simulated machine
// (bench/mutexbench/simulated_rows.h) make their instances from this list. Both list the protocols with settings
// themselves.
#pragma once

#include "runtime/sync/algorithms/pthread_lock.h"

// clang-format off
#define SELF_CONTAINED_PROTOCOLS(SELF_CONTAINED_PROTOCOL) \
  SELF_CONTAINED_PROTOCOL("pthread", PthreadLockOf)
// clang-format on
