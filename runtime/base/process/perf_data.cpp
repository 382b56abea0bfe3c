// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The file of this process, its entries, and the files of other processes.
#include "runtime/base/process/perf_data.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "runtime/base/mutex.h"
#include "runtime/base/process/users.h"

namespace keyhole::perf_data {

namespace {

struct Header {
  u8 magic[4] = {0xCA, 0xFE, 0xC0, 0xC0};
  u8 byte_order = 1;  // little-endian
  u8 major = 2, minor = 0;
  std::atomic<u8> accessible = 0;
  std::atomic<i32> used = sizeof(Header);
  std::atomic<i32> overflow_bytes = 0;
  std::atomic<i64> changed_nanoseconds = 0;
  i32 first_entry = sizeof(Header);
  std::atomic<i32> entry_count = 0;
};
static_assert(sizeof(Header) == 32);

struct Entry {
  i32 bytes;
  i32 name_offset;  // this and data_offset count from the entry's begin
  i32 elements;     // 0: one number
  char type;        // 'J' or 'B'
  u8 flags;
  u8 units;
  u8 variability;
  i32 data_offset;
};
static_assert(sizeof(Entry) == 20);

constexpr u8 flag_supported = 1;

Mutex lock{LockRank::perf_data};
alignas(64) u8 private_memory[file_bytes];  // used while there is no file; untouched pages cost nothing
constexpr u8 zeros[file_bytes] = {};
u8* memory GUARDED_BY(lock) = nullptr;
std::string own_path GUARDED_BY(lock);  // empty: no file
std::atomic<u8*> own_mapping{nullptr};  // read by a signal handler

i64 now_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return i64{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Header& header() REQUIRES(lock) {
  if (memory == nullptr) memory = reinterpret_cast<u8*>(new (private_memory) Header);
  return *reinterpret_cast<Header*>(memory);
}

std::string folder_of(std::string_view user) { return fmt::format("/tmp/hsperfdata_{}", user); }

// Opens a folder if it belongs to this user and no other user can write to it; otherwise returns -1.
int open_secure_folder(const std::string& path) {
  int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (folder < 0) return -1;
  if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return folder;
  close(folder);
  return -1;
}

// Removes the files of dead processes. Each VM holds a lock on its own file: a live VM with another process's number
// (in a container that shares this folder) keeps its file.
void remove_stale_files(int folder) {
  DIR* entries = fdopendir(dup(folder));
  if (entries == nullptr) return;
  while (dirent* entry = readdir(entries)) {
    std::string_view name = entry->d_name;
    pid_t process = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc() || end != name.data() + name.size() || process == getpid()) continue;
    if (kill(process, 0) == 0 || errno != ESRCH) continue;
    int file = openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, entry->d_name, 0);
    close(file);
  }
  closedir(entries);
}

// Creates and maps the file. Null: that failed.
u8* create_file(int folder, const char* name) {
  int file = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  struct stat status;
  bool own = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
             flock(file, LOCK_EX | LOCK_NB) == 0;
  // Reserves the space now: on a full disk a later write to the memory would be a SIGBUS. Written zeros reserve it;
  // fallocate would too, but ext4 then frees allocated blocks when the process ends, and waits for its journal (0.15 to
  // 4 ms).
  bool allocated = own && ftruncate(file, 0) == 0 && pwrite(file, zeros, sizeof zeros, 0) == sizeof zeros;
  void* mapped = allocated ? mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (mapped != MAP_FAILED) return static_cast<u8*>(mapped);  // the descriptor stays open, because it holds the lock
  if (own) unlinkat(folder, name, 0);
  close(file);
  return nullptr;
}

constexpr usize round_up(usize bytes) { return (bytes + 7) & ~usize{7}; }

bool exists(const Header& all, std::string_view name) REQUIRES(lock) {
  usize place = sizeof(Header);
  for (i32 i = 0; i < all.entry_count.load(std::memory_order_relaxed); ++i) {
    const auto* entry = reinterpret_cast<const Entry*>(memory + place);
    if (name == reinterpret_cast<const char*>(entry) + entry->name_offset) return true;
    place += static_cast<usize>(entry->bytes);
  }
  return false;
}

// Adds an entry, and returns its data, which are all 0.
u8* add(std::string_view name, char type, i32 elements, usize data_bytes, Units units, Variability variability,
        std::string_view initial) {
  MutexLock guard(lock);
  Header& all = header();
  if (exists(all, name)) return nullptr;
  usize data_offset = round_up(sizeof(Entry) + name.size() + 1), bytes = round_up(data_offset + data_bytes);
  auto used = static_cast<usize>(all.used.load(std::memory_order_relaxed));
  if (used + bytes > file_bytes) {
    all.overflow_bytes.fetch_add(static_cast<i32>(bytes), std::memory_order_relaxed);
    auto* data = static_cast<u8*>(calloc(1, round_up(data_bytes) + 8));
    memcpy(data, initial.data(), initial.size());
    return data;
  }
  bool is_public = name.starts_with("java.") || name.starts_with("com.sun.");
  u8* place = memory + used;
  new (place) Entry{.bytes = static_cast<i32>(bytes),
                    .name_offset = sizeof(Entry),
                    .elements = elements,
                    .type = type,
                    .flags = is_public ? flag_supported : u8{0},
                    .units = static_cast<u8>(units),
                    .variability = static_cast<u8>(variability),
                    .data_offset = static_cast<i32>(data_offset)};
  memcpy(place + sizeof(Entry), name.data(), name.size());
  memcpy(place + data_offset, initial.data(), initial.size());
  // Readers in other processes follow the count, so the entry is complete before it.
  all.used.store(static_cast<i32>(used + bytes), std::memory_order_release);
  all.entry_count.fetch_add(1, std::memory_order_release);
  all.changed_nanoseconds.store(now_nanoseconds(), std::memory_order_release);
  return place + data_offset;
}

}  // namespace

void open_file() {
  std::string user = user_of(geteuid()).name;
  if (user.empty()) return;
  std::string path = folder_of(user);
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return;
  int folder = open_secure_folder(path);
  if (folder < 0) return;
  remove_stale_files(folder);
  std::string name = std::to_string(getpid());
  MutexLock guard(lock);
  if (u8* mapped = create_file(folder, name.c_str())) {
    memory = reinterpret_cast<u8*>(new (mapped) Header);
    own_mapping.store(mapped, std::memory_order_release);
    own_path = path + "/" + name;
  }
  close(folder);
}

bool goes_on_without_file(uptr accessed) {
  u8* mapped = own_mapping.load(std::memory_order_acquire);
  if (mapped == nullptr || accessed - reinterpret_cast<uptr>(mapped) >= file_bytes) return false;
  if (mmap(mapped, file_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  new (mapped) Header;  // entries are added after the header
  return true;
}

void publish() {
  MutexLock guard(lock);
  header().changed_nanoseconds.store(now_nanoseconds(), std::memory_order_release);
  header().accessible.store(1, std::memory_order_release);
}

void remove_file() {
  MutexLock guard(lock);
  if (!own_path.empty()) unlink(own_path.c_str());
  own_path.clear();
}

i64* add_number(std::string_view name, Units units, Variability variability, i64 value) {
  std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof value);
  return reinterpret_cast<i64*>(add(name, 'J', 0, sizeof value, units, variability, bytes));
}

u8* add_text(std::string_view name, Variability variability, std::string_view text, usize capacity) {
  usize bytes = std::max(capacity, text.size() + 1);
  return add(name, 'B', static_cast<i32>(bytes), bytes, Units::string, variability, text);
}

Attached attach(i32 process_id, std::string_view user) {
  struct stat status;
  std::string process = fmt::format("/proc/{}", process_id);
  if (process_id <= 0 || stat(process.c_str(), &status) != 0) return {.problem = "Process not found"};
  std::string owner = user.empty() ? user_of(status.st_uid).name : std::string(user);
  // The other process may be in a container, with a /tmp of its own.
  std::string path;
  for (const std::string& root : {process + "/root", std::string()}) {
    path = fmt::format("{}{}/{}", root, folder_of(owner), process_id);
    int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    usize bytes = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? static_cast<usize>(status.st_size) : 0;
    void* mapped = bytes < sizeof(Header) ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return {.problem = "Invalid perf data file: " + path};
    return {.memory = mapped, .bytes = bytes, .problem = {}};
  }
  if (errno != ENOENT) return {.problem = fmt::format("Could not open {}: {}", path, strerror(errno))};
  return {.problem = user.empty() ? "Could not map vmid to user Name" : "Process not found"};
}

void detach(void* mapped, usize bytes) { munmap(mapped, bytes); }

}  // namespace keyhole::perf_data
