// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the process's control group, and reads its quota.
#include "runtime/base/platform/control_group.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace keyhole {
namespace {

// The file's text; empty if it cannot be read. Files of /proc and of control groups have no size before they are read.
std::string text_of(const std::string& path) {
  std::string text;
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t count; (count = read(file, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<usize>(count));
  close(file);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    usize end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool names_cpu(std::string_view controllers) { return std::ranges::count(split(controllers, ','), "cpu") != 0; }

std::optional<i64> number_in(std::string_view text) {
  i64 value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// The group's path from the line "NUMBER:CONTROLLERS:PATH" of the version.
std::optional<std::string> path_of_group(const std::string& text, bool is_version_1) {
  for (std::string_view line : split(text, '\n')) {
    usize first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1);
    bool is_wanted = is_version_1 ? names_cpu(controllers) : line.starts_with("0:") && controllers.empty();
    if (is_wanted) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

struct Mount {
  std::string group;   // the group that the folder shows: "/" unless a container sees only its own part
  std::string folder;  // where
};

// The mount that has the groups. A line is "ID PARENT DEVICE GROUP FOLDER OPTIONS ... - TYPE SOURCE CONTROLLERS". If
// several mounts show them, the one in /sys/fs/cgroup is taken.
std::optional<Mount> mount_of_groups(const std::string& text, bool is_version_1) {
  std::optional<Mount> found;
  for (std::string_view line : split(text, '\n')) {
    usize dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    std::vector<std::string_view> before = split(line.substr(0, dash), ' '), after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3 || after[0] != (is_version_1 ? "cgroup" : "cgroup2")) continue;
    if (is_version_1 && !names_cpu(after[2])) continue;
    if (found && found->folder.starts_with("/sys/fs/cgroup")) continue;
    found = {std::string(before[3]), std::string(before[4])};
  }
  return found;
}

// The group's folder, relative to that of the mount. A process of another namespace may be outside the mounted part;
// then the mount's own group is the nearest that can be read.
std::string path_below_mount(const Mount& mount, const std::string& group) {
  if (group.find("/..") != std::string::npos || group == "/") return {};
  if (mount.group == "/") return group;
  bool is_below = group.starts_with(mount.group + "/");
  return is_below ? group.substr(mount.group.size()) : std::string();
}

}  // namespace

ControlGroup ControlGroup::of_process(const std::string& root) {
  ControlGroup found;
  std::string groups = text_of(root + "/proc/self/cgroup");
  std::optional<std::string> group = path_of_group(groups, true);
  found.is_version_1_ = group.has_value();
  if (!group) group = path_of_group(groups, false);
  if (!group) return found;
  std::optional<Mount> mount = mount_of_groups(text_of(root + "/proc/self/mountinfo"), found.is_version_1_);
  if (!mount) return found;
  std::string folder = root + mount->folder, path = path_below_mount(*mount, *group);
  while (!path.empty()) {
    found.folders_.push_back(folder + path);
    path.resize(path.rfind('/'));
  }
  found.folders_.push_back(folder);
  return found;
}

u32 ControlGroup::quota_in_processors() const {
  i64 fewest = 0;
  for (const std::string& folder : folders_) {
    std::optional<i64> quota, period;
    if (is_version_1_) {
      quota = number_in(text_of(folder + "/cpu.cfs_quota_us"));
      if (quota && *quota > 0) period = number_in(text_of(folder + "/cpu.cfs_period_us"));
    } else {
      std::string text = text_of(folder + "/cpu.max");
      quota = number_in(text);
      if (usize space = text.find(' '); space != std::string::npos) period = number_in(text.substr(space + 1));
    }
    if (!quota || *quota <= 0 || !period || *period <= 0) continue;
    i64 processors = (*quota + *period - 1) / *period;
    if (fewest == 0 || processors < fewest) fewest = processors;
  }
  return static_cast<u32>(std::min<i64>(fewest, UINT32_MAX));
}

}  // namespace keyhole
