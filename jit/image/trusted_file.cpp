// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the owners and modes of files; reads and replaces files.
#include "jit/image/trusted_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace keyhole::image {
namespace {

constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() {
    int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

bool is_owner_trusted(const struct stat& status) { return status.st_uid == geteuid() || status.st_uid == 0; }

std::string unreadable() { return fmt::format("it cannot be read: {}", strerror(errno)); }

// Checks the folders on the path to the file. Returns a description of the first problem, or an empty string.
std::string problem_of_folders(const std::string& path) {
  usize slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  char resolved[PATH_MAX];
  if (realpath(folder.c_str(), resolved) == nullptr) return errno == ENOENT ? std::string() : unreadable();
  for (std::string each = resolved;; each.resize(std::max<usize>(each.rfind('/'), 1))) {
    struct stat status;
    if (stat(each.c_str(), &status) != 0) return unreadable();
    if (!is_owner_trusted(status)) return fmt::format("its folder {} belongs to another user", each);
    if ((status.st_mode & writable_by_others) != 0 && (status.st_mode & S_ISVTX) == 0)
      return fmt::format("others may write its folder {} (mode {:04o})", each, status.st_mode & 07777);
    if (each == "/") return {};
  }
}

std::string problem_of_file(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return "it is not a code image";
  if (!is_owner_trusted(status)) return "it belongs to another user";
  if ((status.st_mode & writable_by_others) != 0)
    return fmt::format("others may write it (mode {:04o})", status.st_mode & 07777);
  return {};
}

std::string read_all(int file, usize size, std::string& bytes) {
  bytes.resize(size);
  usize filled = 0;
  while (filled < size) {
    ssize_t count = read(file, bytes.data() + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable();
    if (count == 0) return "it is damaged";  // the file has become shorter
    filled += static_cast<usize>(count);
  }
  return {};
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<usize>(count));
  }
  return true;
}

}  // namespace

TrustedContent read_trusted(const std::string& path, usize most_bytes) {
  TrustedContent content;
  content.problem = problem_of_folders(path);
  if (!content.problem.empty()) return content;
  // If the file is a pipe, O_NONBLOCK keeps open() from blocking. The pipe is refused afterwards.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) {
    if (errno == ELOOP) content.problem = "it is a symbolic link";
    else if (errno != ENOENT) content.problem = unreadable();
    return content;
  }
  content.exists = true;
  struct stat status;
  if (fstat(file.number(), &status) != 0) content.problem = unreadable();
  else content.problem = problem_of_file(status);
  if (!content.problem.empty()) return content;
  if (static_cast<u64>(status.st_size) > most_bytes) content.problem = "it is too large";
  else content.problem = read_all(file.number(), static_cast<usize>(status.st_size), content.bytes);
  return content;
}

std::string write_trusted(const std::string& path, std::string_view head, std::string_view content) {
  std::string work = fmt::format("{}.{}", path, getpid());
  constexpr mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
  unlink(work.c_str());  // an earlier process with this process id may have left a file of this name
  Descriptor file(open(work.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.is_open() && write_all(file.number(), head) && write_all(file.number(), content) && file.close() &&
      rename(work.c_str(), path.c_str()) == 0)
    return {};
  std::string problem = fmt::format("it cannot be written: {}", strerror(errno));
  unlink(work.c_str());
  return problem;
}

}  // namespace keyhole::image
