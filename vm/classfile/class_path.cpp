// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements class path entries (directories and jars), lists of entries, and the application's class path.
#include "vm/classfile/class_path.h"

#include <dirent.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "runtime/base/mutex.h"
#include "vm/classfile/jar_manifest.h"
#include "vm/classfile/opened_file.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

// Returns the absolute path without symbolic links if it exists; else the path unchanged.
std::string absolute_path(const std::string& path) {
  char* resolved = realpath(path.empty() ? "." : path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result(resolved);
  free(resolved);
  return result;
}

// Returns "file:" and the path, with those characters escaped that a URL must not contain.
std::string file_url(std::string_view path) {
  std::string url = "file:";
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 std::string_view("/-_.!~*'()$&+,:@=;").find(c) != std::string_view::npos;
    if (plain) url += c;
    else url += fmt::format("%{:02X}", static_cast<u8>(c));
  }
  return url;
}

class Directory final : public ClassPathEntry {
 public:
  explicit Directory(std::string path)
      : path_(std::move(path)), absolute_(absolute_path(path_)), location_(file_url(absolute_ + "/")) {}

  std::optional<Resource> find(std::string_view name, u64 largest_bytes) override {
    if (name.empty() || !stays_inside(name)) return std::nullopt;
    OpenedFile file;
    if (!file.open(fmt::format("{}/{}", absolute_, name)).empty()) return std::nullopt;
    if (file.size() > largest_bytes)
      return Resource{.bytes = {}, .location = location_, .owner = nullptr, .is_too_large = true};
    auto bytes = std::make_shared<std::vector<u8>>(file.size());
    if (!file.read(0, *bytes)) return std::nullopt;
    return Resource{.bytes = *bytes, .location = location_, .owner = bytes};
  }
  std::optional<Place> locate(std::string_view name) override {
    if (!stays_inside(name)) return std::nullopt;
    std::string file = fmt::format("{}/{}", absolute_, name);
    // like java.io.File, ignores a final slash: "X.class/" names the file X.class
    while (file.ends_with('/')) file.pop_back();
    struct stat status;
    if (stat(file.c_str(), &status) != 0) return std::nullopt;
    return Place{location_, std::string(name)};
  }
  const std::string& path() const override { return path_; }
  const std::string& absolute() const override { return absolute_; }

 private:
  // Returns whether a URL below the directory can have this name.
  bool stays_inside(std::string_view name) const {
    if (name.starts_with('/') || name.find('\0') != std::string_view::npos) return false;
    return name.find("..") == std::string_view::npos ||
           absolute_path(fmt::format("{}/{}", absolute_, name)).starts_with(absolute_);
  }

  std::string path_, absolute_, location_;
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

// Returns whether the name is that of a signature file, or of a signature block file.
bool is_of_signature(std::string_view name) {
  constexpr std::string_view folder = "META-INF/";
  if (name.size() <= folder.size() || (name.front() != 'M' && name.front() != 'm')) return false;
  std::string lower = lower_case(name);
  if (!lower.starts_with("meta-inf/")) return false;
  return lower.ends_with(".sf") || lower.ends_with(".dsa") || lower.ends_with(".rsa") || lower.ends_with(".ec");
}

// the last release whose library uses jar indexes, among the releases that Keyhole supports
constexpr u32 last_release_with_indexes = 17;

constexpr std::string_view versions_folder = "META-INF/versions/";

// The releases for which a jar has separate entries, the newest first, without those that are newer than the library.
std::vector<u32> versions_of(const ZipArchive& archive, const JarManifest& manifest) {
  std::vector<u32> versions;
  for (const ZipEntry& entry : archive.entries()) {
    std::string_view name = entry.name;
    u32 version = 0;
    if (!name.starts_with(versions_folder)) continue;
    std::string_view rest = name.substr(versions_folder.size());
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), version);
    constexpr u32 first_version = 9;
    if (error != std::errc() || end == rest.data() + rest.size() || *end != '/' || version < first_version) continue;
    if (library_is_within(version, ~0u) && std::find(versions.begin(), versions.end(), version) == versions.end())
      versions.push_back(version);
  }
  if (versions.empty()) return versions;
  if (lower_case(manifest.value("multi-release")) != "true") versions.clear();
  std::sort(versions.rbegin(), versions.rend());
  return versions;
}

// A jar on the class path. The first look-up opens it and reads its directory.
class Jar final : public ClassPathEntry {
 public:
  explicit Jar(std::string path)
      : path_(std::move(path)), absolute_(absolute_path(path_)), location_(file_url(absolute_)) {}

  std::optional<Resource> find(std::string_view name, u64 largest_bytes) override {
    if (!open()) return std::nullopt;
    return resource(archive_.find(name_here(name), largest_bytes));
  }
  std::optional<Resource> read_stored(std::string_view name) override {
    if (!open()) return std::nullopt;
    return resource(archive_.read_stored(name_here(name)));
  }
  std::optional<Place> locate(std::string_view name) override {
    if (!open()) return std::nullopt;
    std::string here = name_here(name);
    // In a jar, the name of a directory ends in '/'.
    if (!archive_.has(here) && !archive_.has(fmt::format("{}/", here))) return std::nullopt;
    return Place{location_, std::move(here)};
  }
  const std::string& path() const override { return path_; }
  const std::string& absolute() const override { return absolute_; }

  std::vector<std::string> followers() override {
    if (!open()) return {};
    return manifest_.class_path(path_);
  }
  bool has_index() override {
    return open() && archive_.has("META-INF/INDEX.LIST") && library_is_within(0, last_release_with_indexes);
  }

 private:
  // Returns the resource of a jar's entry. The resource needs no owner, because entries of a class path live as long as
  // the process.
  std::optional<Resource> resource(std::optional<ZipArchive::Entry> entry) const {
    if (!entry) return std::nullopt;
    return Resource{.bytes = entry->bytes,
                    .location = location_,
                    .owner = entry->owner,
                    .in_archive = true,
                    .is_too_large = entry->is_too_large,
                    .is_damaged = entry->is_damaged,
                    .needs_checks = needs_checks_};
  }
  bool open() {
    std::call_once(opened_, [this] {
      usable_ = archive_.open(absolute_, ZipArchive::Access::read).empty() &&
                !(archive_.has_odd_field() && library_is_within(first_strict_release, ~0u));
      if (!usable_) return;
      manifest_ = JarManifest::of(archive_);
      // java looks for Class-Path when it opens a jar, and skips a jar whose manifest it cannot read at that moment.
      usable_ = !manifest_.is_damaged() && !(manifest_.is_malformed() && !manifest_.value("class-path").empty());
      versions_ = versions_of(archive_, manifest_);
      needs_checks_ = manifest_.mentions_sealing() || manifest_.is_malformed() || manifest_.has_wrong_size() ||
                      std::ranges::any_of(archive_.entries(), is_of_signature, &ZipEntry::name);
    });
    return usable_;
  }
  // Returns the name of the entry that a multi-release jar has for the release of this library.
  std::string name_here(std::string_view name) const {
    if (!versions_.empty() && !name.starts_with("META-INF/")) {
      for (u32 version : versions_) {
        std::string versioned = fmt::format("{}{}/{}", versions_folder, version, name);
        if (archive_.has(versioned)) return versioned;
      }
    }
    return std::string(name);
  }

  std::string path_, absolute_, location_;
  std::once_flag opened_;
  bool usable_ = false, needs_checks_ = false;
  ZipArchive archive_;
  JarManifest manifest_;
  std::vector<u32> versions_;
};

std::vector<std::string> jars_of_directory(const std::string& directory) {
  std::vector<std::string> jars;
  DIR* handle = opendir(directory.c_str());
  if (handle == nullptr) return jars;
  while (dirent* entry = readdir(handle)) {
    std::string_view name(entry->d_name);
    if (name.ends_with(".jar") || name.ends_with(".JAR")) jars.push_back(directory + "/" + entry->d_name);
  }
  closedir(handle);
  std::sort(jars.begin(), jars.end());
  return jars;
}

std::unique_ptr<ClassPathEntry> open_entry(const std::string& path) {
  struct stat status;
  if (stat(path.empty() ? "." : path.c_str(), &status) != 0) return nullptr;
  if (S_ISDIR(status.st_mode)) return std::make_unique<Directory>(path.empty() ? "." : path);
  return std::make_unique<Jar>(path);
}

}  // namespace

void ClassPath::append(std::string_view path) {
  MutexLock guard(mutex_);
  if (!text_.empty()) text_ += ':';
  text_ += path;
  while (true) {
    usize colon = path.find(':');
    std::string part(path.substr(0, colon));
    if (part == "*" || part.ends_with("/*")) {
      std::string directory = part == "*" ? "." : part.substr(0, part.size() - 2);
      for (const std::string& jar : jars_of_directory(directory)) entries_.push_back(std::make_unique<Jar>(jar));
    } else if (auto entry = open_entry(part)) {
      entries_.push_back(std::move(entry));
    }
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
}

ClassPathEntry* ClassPath::at(usize index) {
  MutexLock guard(mutex_);
  if (index >= entries_.size()) return nullptr;
  if (index == reached_) {
    insert_followers(index);
    ++reached_;
  }
  return entries_[index].get();
}

void ClassPath::insert_followers(usize index) {
  usize place = index + 1;
  for (const std::string& file : entries_[index]->followers()) {
    std::unique_ptr<ClassPathEntry> follower = open_entry(file);
    if (follower == nullptr) continue;
    auto same = [&](const auto& entry) { return entry->absolute() == follower->absolute(); };
    auto open = entries_.begin() + static_cast<i64>(place);
    if (std::any_of(entries_.begin(), open, same)) continue;
    // Removes the file from the rest of the list, where it would be a duplicate.
    entries_.erase(std::remove_if(open, entries_.end(), same), entries_.end());
    entries_.insert(entries_.begin() + static_cast<i64>(place++), std::move(follower));
  }
}

std::optional<Resource> ClassPath::find(std::string_view name, u64 largest_bytes) {
  for (usize i = 0; ClassPathEntry* entry = at(i); ++i) {
    if (entry->has_index()) return Resource{.bytes = {}, .location = {}, .owner = nullptr, .is_indexed = true};
    if (auto found = entry->find(name, largest_bytes)) return found;
  }
  return std::nullopt;
}

std::vector<Resource> ClassPath::find_all(std::string_view name) {
  std::vector<Resource> result;
  for (usize i = 0; ClassPathEntry* entry = at(i); ++i)
    if (auto found = entry->read_stored(name)) result.push_back(std::move(*found));
  return result;
}

std::optional<Place> ClassPath::locate(std::string_view name) {
  for (usize i = 0; ClassPathEntry* entry = at(i); ++i) {
    if (entry->has_index()) return Place{{}, {}, true};
    if (auto place = entry->locate(name)) return place;
  }
  return std::nullopt;
}

std::vector<Place> ClassPath::locate_all(std::string_view name) {
  std::vector<Place> result;
  for (usize i = 0; ClassPathEntry* entry = at(i); ++i) {
    if (entry->has_index()) return {Place{{}, {}, true}};
    if (auto place = entry->locate(name)) result.push_back(std::move(*place));
  }
  return result;
}

std::string ClassPath::text() const {
  MutexLock guard(mutex_);
  return text_;
}

ClassPath& application_class_path() {
  static ClassPath* instance = new ClassPath();  // outlives every static destructor
  return *instance;
}

}  // namespace keyhole
