// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads the lock that -XX:LockingMode=./mylock.h or ./mylock.so names, before the VM starts.
//
// To load a lock is to run code from a file. So a value without a slash is always the name of an algorithm, there is no
// search path, and the file must be trusted (jit/image/trusted_file.h).
#pragma once

#include <string>

namespace keyhole::lab {

// Loads the lock that -XX:LockingMode= names by its file. Does nothing if the flag names an algorithm of the VM.
// Returns the empty string, or why the lock was not loaded.
std::string load_lock();

}  // namespace keyhole::lab
