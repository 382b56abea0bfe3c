// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads the lock that -XX:LockingMode=./mylock.h or ./mylock.so names, before the VM starts.
//
// Loading a lock is loading code. So a value without a slash is always the name of an algorithm, there is no search
// path, and the file must be trusted (jit/image/trusted_file.h).
#pragma once

#include <string>

namespace keyhole::lab {

// Does nothing if the flag names no file. Returns the empty string, or the reason for a refusal.
std::string load_lock();

}  // namespace keyhole::lab
