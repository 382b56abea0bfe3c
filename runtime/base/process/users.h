// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Users of the machine by user id.
#pragma once

#include <sys/types.h>

#include <string>

namespace keyhole {

// A user. Both members are empty for an unknown one.
struct User {
  std::string name;
  std::string home;
};

// Looks up a user; called by any thread. Caches the last user, because a start looks up its own user twice, and each
// look-up reads files.
User user_of(uid_t number);

}  // namespace keyhole
