// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Users of the machine by user id.
#pragma once

#include <sys/types.h>

#include <string>

namespace keyhole {

// Both are empty for an unknown user.
struct User {
  std::string name;
  std::string home;
};

// From any thread. Caches the last user: a start looks up its own twice, and each look-up reads files.
User user_of(uid_t number);

}  // namespace keyhole
