// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.TimeZone: the machine's time zone. $TZ, else /etc/timezone, else the target of /etc/localtime, else the
// zone file with equal contents.
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"

namespace keyhole::natives {

namespace {

constexpr const char* zone_folder = "/usr/share/zoneinfo";
constexpr const char* local_time_file = "/etc/localtime";

// The zone's name in a path: "/usr/share/zoneinfo/Europe/Vienna" -> "Europe/Vienna".
std::string zone_of_path(const std::string& path) {
  usize at = path.find("zoneinfo/");
  return at == std::string::npos ? std::string() : path.substr(at + 9);
}

std::string zone_with_contents(const std::string& wanted) {
  std::error_code ignored;
  for (const char* common : {"UTC", "GMT"})
    if (file_contents(std::string(zone_folder) + "/" + common) == wanted) return common;
  for (std::filesystem::recursive_directory_iterator entry(zone_folder, ignored), end; entry != end;
       entry.increment(ignored)) {
    std::string name = entry->path().filename();
    if (entry->is_directory(ignored)) {
      if (name == "posix" || name == "right") entry.disable_recursion_pending();
      continue;
    }
    if (name == "ROC" || name == "posixrules" || name == "localtime") continue;
    if (entry->file_size(ignored) == wanted.size() && file_contents(entry->path()) == wanted)
      return zone_of_path(entry->path());
  }
  return {};
}

std::string platform_zone() {
  std::string named = file_contents("/etc/timezone");
  named = named.substr(0, named.find('\n'));
  if (!named.empty()) return named;
  struct stat status;
  if (lstat(local_time_file, &status) != 0) return {};
  if (S_ISLNK(status.st_mode)) {
    char target[PATH_MAX];
    ssize_t length = readlink(local_time_file, target, sizeof target);
    if (length <= 0) return {};
    if (std::string zone = zone_of_path({target, static_cast<usize>(length)}); !zone.empty()) return zone;
  }
  std::string local = file_contents(local_time_file);
  return local.empty() ? std::string() : zone_with_contents(local);
}

std::string system_zone() {
  const char* variable = getenv("TZ");
  std::string zone = variable == nullptr || *variable == 0 ? platform_zone() : variable;
  if (zone.starts_with(':')) zone.erase(0, 1);
  if (zone == "localtime") zone = platform_zone();
  if (zone.starts_with("posix/")) zone.erase(0, 6);
  return zone;
}

}  // namespace

// Null: the zone is not known, and Java takes GMT.
Object* TimeZone_getSystemTimeZoneID(JavaThread* thread, Handle) {
  std::string zone = system_zone();
  return zone.empty() ? nullptr : make_string_utf8(thread, zone);
}

// Returns the offset, for example "GMT+01:00".
Object* TimeZone_getSystemGMTOffsetID(JavaThread* thread) {
  time_t now = time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  i64 minutes = local.tm_gmtoff / 60;
  if (minutes == 0) return make_string(thread, "GMT");
  i64 size = minutes < 0 ? -minutes : minutes;
  return make_string_utf8(thread, fmt::format("GMT{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60));
}

}  // namespace keyhole::natives
