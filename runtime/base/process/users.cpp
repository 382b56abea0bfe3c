// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up users, and caches the last one.
#include "runtime/base/process/users.h"

#include <pwd.h>

#include <optional>

#include "runtime/base/mutex.h"

namespace keyhole {

User user_of(uid_t number) {
  static Mutex lock{LockRank::users};  // guards also getpwuid, whose answer lies in its own buffer
  static std::optional<uid_t> last_number;
  static User& last = *new User;
  MutexLock guard(lock);
  if (last_number != number) {
    const passwd* entry = getpwuid(number);
    auto text = [](const char* field) { return field == nullptr ? std::string() : std::string(field); };
    last = entry == nullptr ? User{} : User{text(entry->pw_name), text(entry->pw_dir)};
    last_number = number;
  }
  return last;
}

}  // namespace keyhole
