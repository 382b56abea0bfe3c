// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests CPU quotas of control groups, read from folders that look like those of Linux.
#include "runtime/base/platform/control_group.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace keyhole {
namespace {

constexpr const char* mounts_of_version_1 =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup rw,cpu\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
constexpr const char* mounts_of_version_2 =
    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
    "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n";

class ControlGroups : public ::testing::Test {
 protected:
  ControlGroups() : root_(std::filesystem::temp_directory_path() / ("keyhole-groups-" + std::to_string(getpid()))) {}
  ~ControlGroups() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::path file = root_.string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void in_version_1(const std::string& group, const std::string& mounts = mounts_of_version_1) {
    write("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/other\n1:cpu,cpuacct:" + group + "\n0::/\n");
    write("/proc/self/mountinfo", mounts);
  }
  void quota_1(const std::string& folder, i64 quota, i64 period = 100'000) {
    write("/sys/fs/cgroup/cpu" + folder + "/cpu.cfs_quota_us", std::to_string(quota) + "\n");
    write("/sys/fs/cgroup/cpu" + folder + "/cpu.cfs_period_us", std::to_string(period) + "\n");
  }
  void in_version_2(const std::string& group, const std::string& mounts = mounts_of_version_2) {
    write("/proc/self/cgroup", "0::" + group + "\n");
    write("/proc/self/mountinfo", mounts);
  }
  void quota_2(const std::string& folder, const std::string& text) {
    write("/sys/fs/cgroup" + folder + "/cpu.max", text + "\n");
  }
  u32 quota() const { return ControlGroup::of_process(root_.string()).quota_in_processors(); }

  const std::filesystem::path root_;
};

TEST_F(ControlGroups, WithoutGroupsThereIsNoQuota) {
  EXPECT_EQ(quota(), 0u);
  write("/proc/self/cgroup", "rubbish\n::\n1:cpu\n");
  EXPECT_EQ(quota(), 0u);
  in_version_1("/", "rubbish - cgroup\n - \n");
  EXPECT_EQ(quota(), 0u);
}

TEST_F(ControlGroups, Version1RoundsUp) {
  in_version_1("/a");
  quota_1("/a", -1);
  EXPECT_EQ(quota(), 0u);
  quota_1("/a", 50'000);
  EXPECT_EQ(quota(), 1u);
  quota_1("/a", 100'000);
  EXPECT_EQ(quota(), 1u);
  quota_1("/a", 100'001);
  EXPECT_EQ(quota(), 2u);
  quota_1("/a", 30'000, 10'000);
  EXPECT_EQ(quota(), 3u);
  quota_1("/a", 30'000, 0);
  EXPECT_EQ(quota(), 0u);
}

TEST_F(ControlGroups, Version2RoundsUp) {
  in_version_2("/a");
  quota_2("/a", "max 100000");
  EXPECT_EQ(quota(), 0u);
  quota_2("/a", "50000 100000");
  EXPECT_EQ(quota(), 1u);
  quota_2("/a", "150000 100000");
  EXPECT_EQ(quota(), 2u);
  quota_2("/a", "");
  EXPECT_EQ(quota(), 0u);
}

TEST_F(ControlGroups, TheSmallestQuotaOfTheGroupsAroundCounts) {
  in_version_2("/slice/a/b");
  quota_2("/slice/a/b", "max 100000");
  quota_2("/slice/a", "400000 100000");
  quota_2("/slice", "200000 100000");
  EXPECT_EQ(quota(), 2u);
  quota_2("/slice/a/b", "100000 100000");
  EXPECT_EQ(quota(), 1u);
}

TEST_F(ControlGroups, AContainerSeesItsPartOfTheGroups) {
  // /proc names the process's group by its path on the host. The mount in the container shows only the part of the
  // group tree below /docker/12.
  in_version_1("/docker/12/inner", "32 31 0:29 /docker/12 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  quota_1("", 300'000);
  EXPECT_EQ(quota(), 3u);
  quota_1("/inner", 200'000);
  EXPECT_EQ(quota(), 2u);
  // The mount shows the group tree of another container. The process's group is not in that part of the tree, so the
  // nearest readable group is the one at the root of the mount.
  in_version_1("/docker/123", "32 31 0:29 /docker/12 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  EXPECT_EQ(quota(), 3u);
  // In a group namespace of its own, the process is in the group at the root of the mount.
  in_version_2("/");
  quota_2("", "100000 100000");
  EXPECT_EQ(quota(), 1u);
  in_version_2("/../other");
  EXPECT_EQ(quota(), 1u);
}

TEST_F(ControlGroups, TheMountOfTheUsualFolderIsTaken) {
  in_version_2("/a",
               "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n42 31 0:38 / /copy rw - cgroup2 cgroup2 rw\n");
  quota_2("/a", "100000 100000");
  write("/copy/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 1u);
  in_version_2("/a", "42 31 0:38 / /copy rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(quota(), 2u);
}

}  // namespace
}  // namespace keyhole
