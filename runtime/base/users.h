// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Users of the machine by number.
#pragma once

#include <sys/types.h>

#include <string>

namespace keyhole {

// Both empty: nobody knows the number.
struct User {
  std::string name;
  std::string home;
};

// From any thread. The last user asked for is remembered: a start asks for its own twice, and each look-up reads files.
User user_of(uid_t number);

}  // namespace keyhole
