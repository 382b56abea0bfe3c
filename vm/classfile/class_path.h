// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sources of classes and resources: the boot path (overlay, then the JDK's image) and the application's class path.
//
//   boot_find("java/lang/Object.class")                   overlay first, then lib/modules; mapped bytes, never copied
//   application_class_path().find("com/example/Main.class")
//
// Names have '/' between their parts and no leading '/'. Any thread may look up.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/types.h"
#include "vm/classfile/java_home.h"

namespace keyhole {

struct Resource {
  std::span<const u8> bytes;
  // The code source: "jrt:/java.base", "file:/home/u/classes/" (a directory ends in '/') or "file:/home/u/x.jar".
  std::string location;
  // Keeps `bytes` alive. Null: they stay mapped for the life of the process.
  std::shared_ptr<const void> owner;
  // the resource is in a jar: its URL is "jar:" + location + "!/" + name; otherwise location + name
  bool in_archive = false;
  bool is_too_large = false;  // the resource is larger than the caller's limit, so `bytes` is empty
  bool is_damaged = false;    // the jar's entry cannot be read, so `bytes` is empty
  // the library must define the class, because its jar is signed, seals packages, or has an unusual manifest
  bool needs_checks = false;
  // the library must search the resource, because the search has reached a jar with an index
  bool is_indexed = false;
};

// The place where a resource was found. In a multi-release jar, the resource's name may differ from the name that was
// looked up.
struct Place {
  std::string location;
  std::string name;
  bool is_indexed = false;  // the library must search it
};

// A directory or jar of a class path. In a jar with `Multi-Release: true`, entries below META-INF/versions/N replace
// the others if the library's release is N or later.
class ClassPathEntry {
 public:
  virtual ~ClassPathEntry() = default;
  virtual std::optional<Resource> find(std::string_view name, u64 largest_bytes) = 0;
  // Finds a resource, with as many bytes as are stored (ZipArchive::read_stored).
  virtual std::optional<Resource> read_stored(std::string_view name) { return find(name, ~u64{0}); }
  // Finds a resource's place. The name may be a directory ("" is the entry itself, if it is a directory).
  virtual std::optional<Place> locate(std::string_view name) = 0;
  virtual const std::string& path() const = 0;      // as given
  virtual const std::string& absolute() const = 0;  // the canonical path, which is the same for two names of one file
  // Returns the files that the manifest of the jar (Class-Path) inserts after this entry. Opens the jar.
  virtual std::vector<std::string> followers() { return {}; }
  // Returns whether the jar has an index (META-INF/INDEX.LIST, which lists the packages of several jars) that the
  // library uses. Opens the jar.
  virtual bool has_index() { return false; }
};

// A list of directories and jars. Missing or unreadable ones count as empty, as in java. A jar's Class-Path is read
// when a search first reaches the jar. A file that is already in the list is not added again. A search ends at a jar
// with an index, because jdk.internal.loader.URLClassPath knows the rules of indexes.
class ClassPath {
 public:
  ClassPath() = default;
  explicit ClassPath(std::string_view path) { append(path); }  // ':'-separated; "" is "."; "dir/*" is every jar of dir
  void append(std::string_view path);

  // Returns the first match in the order of the list.
  std::optional<Resource> find(std::string_view name, u64 largest_bytes = ~u64{0});
  // Returns all matches in the order of the list, each with as many bytes as are stored.
  std::vector<Resource> find_all(std::string_view name);
  // Does the same for a resource whose URL is wanted, perhaps without its bytes (ClassLoader.getResource,
  // getResources).
  std::optional<Place> locate(std::string_view name);
  std::vector<Place> locate_all(std::string_view name);

  // Returns the list as the text of the property java.class.path.
  std::string text() const;

 private:
  // The entry at an index; null after the last. Searches use 0, 1, 2 ...; entries are only inserted after those that a
  // search has reached.
  ClassPathEntry* at(usize index);
  void insert_followers(usize index) REQUIRES(mutex_);

  mutable Mutex mutex_{LockRank::class_path};
  // Entries that a search has reached live for ever.
  std::vector<std::unique_ptr<ClassPathEntry>> entries_ GUARDED_BY(mutex_);
  usize reached_ GUARDED_BY(mutex_) = 0;  // entries [0, reached_) have inserted their followers
  std::string text_ GUARDED_BY(mutex_);
};

ClassPath& application_class_path();

struct BootPathOptions {
  std::string java_home;         // empty: found (java_home.h)
  std::string overlay = {};      // empty: found (java_home.h)
  bool without_overlay = false;  // only the plain image: for tools and tests that only read classes
  std::vector<std::pair<std::string, std::string>> patches = {};  // --patch-module: module, class path in front of it
};
// Opens the overlay and the image. Returns an empty string, or the error: no JDK found, not a supported JDK, or an
// unreadable image.
std::string initialize_boot_path(const BootPathOptions& options);
bool boot_path_ready();

std::optional<Resource> boot_find(std::string_view name);
// Finds a resource only in the files that --patch-module puts in front of a module of the image.
std::optional<Resource> boot_find_in_patch(std::string_view module, std::string_view name);
// Adds a directory or jar to the end of the boot path, for classes without a module.
void append_to_boot_path(std::string_view path);
// Returns whether --patch-module patches the module of the image that has the package.
bool boot_patches_package(std::string_view package);
// The module that holds a package ("java/lang") of the image, or of a patch whose classes were found; empty when no
// module has it.
std::string_view boot_module_of_package(std::string_view package);
const std::string& java_home();
// The release of the library (17, 25), which its classes carry as their version; 0 before the boot path is open.
u32 library_release();
// Returns the newest library on this machine, if it is newer than the library in use.
std::optional<Library> newer_library();
// The functions below return whether the release of the library is between two releases: of the library in use, and of
// a library that will be used. Tables use them for rows that only some libraries have. No other C++ code tests the
// release.
bool library_is_within(u32 first_release, u32 last_release);
bool home_is_within(const std::string& home, u32 first_release, u32 last_release);

}  // namespace keyhole
