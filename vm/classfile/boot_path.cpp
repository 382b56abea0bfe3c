// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The boot path: patches of modules, the overlay's classes, the JDK's image, then appended entries.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/process/executable.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/classfile/jimage.h"
#include "vm/classfile/zip.h"

namespace keyhole {
namespace {

// The release of the library for which this VM was first made. classlib/README.md lists the other supported releases.
constexpr u32 base_release = 17;
constexpr u16 class_file_version_of_release_0 = 44;

// A patch: classes and resources that replace or extend those of a module.
struct Patch {
  std::string module;
  ClassPath files;
  Mutex mutex{LockRank::boot_patches};
  // packages that the patch adds to the image's module
  std::set<std::string, std::less<>> new_packages GUARDED_BY(mutex);
};

// Written once by initialize_boot_path, before other threads start. Never freed, because classes point into the
// mappings.
struct BootPath {
  std::string home;
  u32 release = 0;
  JImage image;
  ZipArchive overlay;
  bool has_overlay = false;
  std::vector<std::unique_ptr<Patch>> patches;
};
BootPath* boot_path = nullptr;

ClassPath& appended_path() {
  static auto* path = new ClassPath();  // never freed: classes point into its mappings
  return *path;
}

}  // namespace

std::string initialize_boot_path(const BootPathOptions& options) {
  if (boot_path != nullptr) return {};
  auto path = std::make_unique<BootPath>();
  path->home = find_library(options.java_home);
  if (path->home.empty())
    return "No JDK 17, 21 or 25 found: install openjdk-17-jdk-headless, or name one with KEYHOLE_JAVA_HOME or "
           "-Djava.home";
  std::string modules = path->home + "/lib/modules";
  if (std::string problem = path->image.open(modules); !problem.empty()) {
    return fmt::format("{} is not the home of a JDK 17: {}", path->home, problem);
  }
  // Derives the release from the class file version of a JDK class: javac gives the JDK's classes the version of that
  // JDK.
  auto object = path->image.find("java.base", "java/lang/Object.class");
  if (!object || object->size() < 8) return fmt::format("{} holds no java.lang.Object", modules);
  path->release = static_cast<u32>((*object)[6] << 8 | (*object)[7]) - class_file_version_of_release_0;
  if (options.overlay.empty() && executable_path().empty())
    return "Keyhole cannot find its own executable, beside which its part of the class library lies: is /proc mounted?";
  std::string overlay = options.overlay.empty() ? find_overlay(path->release) : options.overlay;
  if (path->release != base_release && ::access(overlay.c_str(), R_OK) != 0) {
    std::vector<u32> releases;
    for (u32 release : {17, 21, 25})
      if (::access(find_overlay(release).c_str(), R_OK) == 0) releases.push_back(release);
    if (releases.empty()) releases.push_back(base_release);  // no overlay at all: the one of base_release is missing
    return fmt::format("{} is a JDK {}; this Keyhole has been built for the class library of JDK {}", path->home,
                       path->release, fmt::join(releases, ", "));
  }
  if (!options.without_overlay) {
    if (std::string problem = path->overlay.open(overlay, ZipArchive::Access::mapped); !problem.empty()) {
      return fmt::format("cannot read Keyhole's part of the class library, {}: {}", overlay, problem);
    }
    path->has_overlay = true;
  }
  for (const auto& [module, files] : options.patches) {
    if (!path->image.find(module, "module-info.class")) continue;  // the image does not have this module
    auto patch = std::make_unique<Patch>();
    patch->module = module;
    patch->files.append(files);
    path->patches.push_back(std::move(patch));
  }
  boot_path = path.release();
  return {};
}

bool boot_path_ready() { return boot_path != nullptr; }

std::optional<Resource> boot_find_in_patch(std::string_view module, std::string_view name) {
  for (const auto& patch : boot_path->patches) {
    if (patch->module != module || name == "module-info.class") continue;
    std::optional<Resource> found = patch->files.find(name);
    if (!found || found->is_damaged) continue;
    found->location = "jrt:/" + patch->module;
    return found;
  }
  return std::nullopt;
}

namespace {

std::optional<Resource> find_in_patches(std::string_view name) {
  usize slash = name.rfind('/');
  std::string_view package = slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
  std::string_view owner = boot_module_of_package(package);
  for (const auto& patch : boot_path->patches) {
    if (!owner.empty() && owner != patch->module) continue;
    std::optional<Resource> found = boot_find_in_patch(patch->module, name);
    if (!found) continue;
    if (owner.empty()) {
      MutexLock guard(patch->mutex);
      patch->new_packages.emplace(package);
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Resource> boot_find(std::string_view name) {
  if (boot_path == nullptr) return std::nullopt;
  if (!boot_path->patches.empty()) {
    if (std::optional<Resource> found = find_in_patches(name)) return found;
  }
  if (boot_path->has_overlay) {
    if (auto entry = boot_path->overlay.find(name); entry && !entry->is_damaged)
      return Resource{entry->bytes, "jrt:/java.base", entry->owner, false};
  }
  if (auto bytes = boot_path->image.find("java.base", name)) return Resource{*bytes, "jrt:/java.base", nullptr, false};
  usize slash = name.rfind('/');
  std::string_view module =
      slash == std::string_view::npos ? std::string_view() : boot_module_of_package(name.substr(0, slash));
  if (module.empty()) {
    std::optional<Resource> found = appended_path().find(name);
    return found && !found->is_damaged ? found : std::nullopt;
  }
  if (module == "java.base") return std::nullopt;
  if (auto bytes = boot_path->image.find(module, name))
    return Resource{*bytes, fmt::format("jrt:/{}", module), nullptr, false};
  return std::nullopt;
}

void append_to_boot_path(std::string_view path) { appended_path().append(path); }

std::string_view boot_module_of_package(std::string_view package) {
  if (boot_path == nullptr) return {};
  std::string dotted(package);
  for (char& c : dotted)
    if (c == '/') c = '.';
  std::string_view owner = boot_path->image.module_of_package(dotted);
  if (!owner.empty()) return owner;
  for (const auto& patch : boot_path->patches) {
    MutexLock guard(patch->mutex);
    if (patch->new_packages.contains(package)) return patch->module;
  }
  return {};
}

bool boot_patches_package(std::string_view package) {
  if (boot_path == nullptr || boot_path->patches.empty()) return false;
  std::string_view module = boot_module_of_package(package);
  return std::any_of(boot_path->patches.begin(), boot_path->patches.end(),
                     [&](const auto& patch) { return patch->module == module; });
}

const std::string& java_home() {
  static const std::string none;
  return boot_path == nullptr ? none : boot_path->home;
}

u32 library_release() { return boot_path == nullptr ? 0 : boot_path->release; }
std::optional<Library> newer_library() {
  std::vector<Library> all = installed_libraries();
  if (all.empty() || all.front().release <= library_release()) return std::nullopt;
  return all.front();
}

bool library_is_within(u32 first_release, u32 last_release) {
  return library_release() >= first_release && library_release() <= last_release;
}
bool home_is_within(const std::string& home, u32 first_release, u32 last_release) {
  u32 release = release_of(home);
  return release >= first_release && release <= last_release;
}

}  // namespace keyhole
