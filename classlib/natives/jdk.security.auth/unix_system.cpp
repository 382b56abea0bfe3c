// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// com.sun.security.auth.module.UnixSystem: the user and the groups of the process.
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::natives {
namespace {

constinit const io::JavaField username("username", "Ljava/lang/String;"), user_id("uid", "J"), group_id("gid", "J"),
    supplementary_groups("groups", "[J");

struct User {
  bool is_known = false;  // has an entry in the user database
  std::string name;
  uid_t id = getuid();
  gid_t group = getgid();
};

// Finds the user. This reads files, and may query servers.
User current_user(JavaThread* thread) MAY_SAFEPOINT {
  NativeScope native(thread);
  User user;
  passwd entry;
  passwd* found = nullptr;
  std::vector<char> texts(1024);
  while (getpwuid_r(user.id, &entry, texts.data(), texts.size(), &found) == ERANGE) texts.resize(texts.size() * 2);
  if (found != nullptr) user = {true, entry.pw_name, entry.pw_uid, entry.pw_gid};
  return user;
}

}  // namespace

void UnixSystem_getUnixInfo(JavaThread* thread, Handle self) {
  int count = getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<usize>(std::max(count, 0)));
  if (count < 0 || (count = getgroups(count, groups.data())) < 0) {
    io::throw_named(thread, "java/lang/RuntimeException", io::error_text(errno));
    return;
  }
  User user = current_user(thread);
  if (!user.is_known && !release::knows_users_without_entry()) return;
  HandleScope scope(thread);
  Handle numbers = scope.make(new_primitive_array(thread, BasicType::Long, count));
  if (numbers.is_null()) return;
  for (i32 i = 0; i < count; ++i) numbers->elements<i64>()[i] = groups[static_cast<usize>(i)];
  if (user.is_known) {
    Object* name = make_string_utf8(thread, user.name);
    if (name == nullptr) return;
    username.set_reference(self.get(), name);
  }
  user_id.set<i64>(self.get(), user.id);
  group_id.set<i64>(self.get(), user.group);
  supplementary_groups.set_reference(self.get(), numbers.get());
}

}  // namespace keyhole::natives
