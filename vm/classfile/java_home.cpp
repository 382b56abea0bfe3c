// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the library, and makes homes of links to it.
//
// A home is filled under a temporary name and then renamed, so that VMs that start at the same time never see an
// incomplete one.
#include "vm/classfile/java_home.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "runtime/base/fnv_hash.h"
#include "runtime/base/process/executable.h"

namespace keyhole {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual_place = "/usr/lib/jvm";
constexpr const char* beside_home = "../../keyhole";  // the executable's path relative to the home's bin
constexpr const char* invocation_variable = "KEYHOLE_INVOKED_AS";
constexpr std::string_view own_tools[] = {"java", "jshell"};

// The value of an environment variable. "" when it is unset, or when the process runs with other rights than its user's
// (setuid), because that user must not choose what is loaded.
std::string variable(const char* name) {
  const char* value = secure_getenv(name);
  return value == nullptr ? "" : value;
}

bool is_file(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string parent_of(const std::string& path) {
  usize slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string resolved_path(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) == nullptr ? std::string() : std::string(buffer);
}

// Returns the target of a symbolic link, or an empty text if `path` is not a symbolic link.
std::string link_text(const std::string& path) {
  char buffer[PATH_MAX];
  ssize_t length = readlink(path.c_str(), buffer, sizeof buffer);
  return length <= 0 ? std::string() : std::string(buffer, static_cast<usize>(length));
}

// Returns the home of the first `java` on PATH whose path is <home>/bin/java. If there is none, the home of the first
// such javac.
std::string home_from_path() {
  const char* path = secure_getenv("PATH");
  if (path == nullptr) return {};
  for (const char* tool : {"java", "javac"}) {
    std::string_view rest(path);
    while (!rest.empty()) {
      usize colon = rest.find(':');
      std::string found = resolved_path(fmt::format("{}/{}", rest.substr(0, colon), tool));
      if (!found.empty()) {
        std::string home = parent_of(parent_of(found));
        if (has_image(home)) return home;
      }
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  return {};
}

// Returns the library of a home. In a home of Keyhole, `lib` is a link into the library. Any other folder is itself the
// library.
std::string library_of(const std::string& home) {
  std::string lib = link_text(home + "/lib");
  return lib.ends_with("/lib") && has_image(parent_of(lib)) ? parent_of(lib) : home;
}

bool is_supported(u32 release) { return is_file(find_overlay(release)); }

// The library to use when none was requested. If its release is not supported, the error will say so.
std::string default_library() {
  std::string first = library_of(home_from_path());
  for (const std::string& home : {first, library_of(variable("JAVA_HOME"))}) {
    if (has_image(home) && is_supported(release_of(home))) return home;
  }
  std::vector<Library> all = installed_libraries();
  return all.empty() ? first : all.front().home;
}

struct Invocation {
  std::string home, tool;  // the home from which the executable was started; empty if it was not started from a home
};

// Follows the links from the path that was executed to the executable: one of them may lie in a home's bin folder.
const Invocation& invocation() {
  static const Invocation found = [] {
    std::string path = getauxval(AT_SECURE) == 0 ? path_of_invocation() : executable_path();
    for (int links = 0; links < 40; ++links) {
      std::string folder = parent_of(path), name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
      std::string target = link_text(path);
      if (target.empty()) break;  // the executable itself lies in no home
      if (std::string whole = resolved_path(folder); whole.ends_with("/bin")) {
        std::string home = parent_of(whole);
        if (library_of(home) != home) return Invocation{home, name};
      }
      path = target.front() == '/' ? target : folder + "/" + target;
    }
    return Invocation{};
  }();
  return found;
}

bool is_home_over(const std::string& home, const std::string& library) {
  return link_text(home + "/lib") == library + "/lib";
}

// Returns whether the folder `home` may be made for this library. The folder is for the default library, or for any
// library if there is no default.
bool deserves_first_home(const std::string& library) {
  std::string usual = default_library();
  return usual.empty() || resolved_path(usual) == library;
}

// Returns whether the folder is a home of Keyhole whose library no longer exists.
bool is_dead_home(const std::string& home) { return link_text(home + "/bin/java") == beside_home && !has_image(home); }

bool make_home(const std::string& home, const std::string& library, const std::string& executable) {
  std::error_code error;
  fs::path work = fmt::format("{}.{}", home, getpid());
  if (!fs::create_directories(work / "bin", error)) return false;
  for (const fs::directory_entry& entry : fs::directory_iterator(library, error)) {
    if (entry.path().filename() != "bin") fs::create_symlink(entry.path(), work / entry.path().filename(), error);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(library + "/bin", error)) {
    fs::create_symlink(entry.path(), work / "bin" / entry.path().filename(), error);
  }
  // The link is relative if possible, so that the home stays valid when the tree is moved or installed via another
  // folder.
  fs::path target = parent_of(home) == parent_of(executable) ? fs::path(beside_home) : fs::path(executable);
  for (std::string_view tool : own_tools) {
    fs::remove(work / "bin" / tool, error);
    fs::create_symlink(target, work / "bin" / tool, error);
  }
  fs::rename(work, home, error);
  if (error) fs::remove_all(work, error);  // another VM was faster
  return is_home_over(home, library);
}

}  // namespace

std::string cache_folder() {
  if (std::string folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder + "/keyhole";
  std::string home = variable("HOME");
  return home.empty() ? home : home + "/.cache/keyhole";
}

bool has_image(const std::string& home) { return is_file(home + "/lib/modules"); }

const std::string& path_of_invocation() {
  static const std::string path = [] {
    // Removes the variable, because programs that this VM starts must not see it.
    if (const char* handed_on = getenv(invocation_variable); handed_on != nullptr) {
      std::string copy(handed_on);
      unsetenv(invocation_variable);
      return copy;
    }
    const char* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    return std::string(executed == nullptr ? "" : executed);
  }();
  return path;
}

void hand_on_invocation() { setenv(invocation_variable, path_of_invocation().c_str(), 1); }

std::string invoked_tool() { return invocation().tool; }

u32 release_of(const std::string& home) {
  std::ifstream file(home + "/release");
  constexpr std::string_view key = "JAVA_VERSION=\"";
  u32 release = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) std::from_chars(line.data() + key.size(), line.data() + line.size(), release);
  }
  return release;
}

std::string fetched_libraries() { return parent_of(executable_folder()) + "/libraries"; }

std::vector<Library> installed_libraries() {
  std::vector<Library> found;
  std::error_code none;
  for (const std::string& place : {std::string(usual_place), fetched_libraries()}) {
    std::set<std::string> homes;
    for (const fs::directory_entry& entry : fs::directory_iterator(place, none)) homes.insert(entry.path().string());
    for (const std::string& home : homes) {
      u32 release = link_text(home).empty() && has_image(home) ? release_of(home) : 0;
      if (release == 0 || !is_supported(release)) continue;
      auto is_older = [&](const Library& other) { return std::cmp_less(other.release, release); };
      found.insert(std::ranges::find_if(found, is_older), Library{release, home});
    }
  }
  return found;
}

std::string find_library(const std::string& wanted) {
  if (!wanted.empty()) return library_of(wanted);
  if (!invocation().home.empty()) return library_of(invocation().home);
  if (std::string named = variable("KEYHOLE_JAVA_HOME"); !named.empty()) return library_of(named);
  return default_library();
}

std::string find_overlay(u32 release) {
  if (std::string named = variable("KEYHOLE_OVERLAY"); !named.empty()) return named;
  const std::string& folder = executable_folder();
  std::string name = fmt::format("/keyhole-overlay-{}.jar", release);
  for (const std::string& candidate : {folder + name, parent_of(folder) + name}) {
    if (is_file(candidate)) return candidate;
  }
  return folder + name;
}

std::string home_over(const std::string& library) {
  std::string first = executable_folder() + "/home";
  if (is_home_over(first, library)) return first;  // the usual case, which costs one system call
  // this executable finds and starts those of the other header layouts
  std::string executable = executable_folder() + "/keyhole";
  std::string whole = resolved_path(library);
  if (whole.empty() || !is_file(executable)) return library;
  if (is_home_over(first, whole)) return first;
  std::error_code ignored;
  if (is_dead_home(first)) fs::remove_all(first, ignored);  // removes only links and the folders that contain them
  bool is_free = ::access(first.c_str(), F_OK) != 0;
  if (is_free && deserves_first_home(whole) && make_home(first, whole, executable)) return first;
  std::string name = fmt::format("home-{:016x}", fnv_hash(whole + ":" + executable));
  for (const std::string& folder : {executable_folder(), cache_folder()}) {
    if (folder.empty()) continue;
    std::string home = folder + "/" + name;
    if (is_home_over(home, whole) || make_home(home, whole, executable)) return home;
  }
  return library;
}

}  // namespace keyhole
