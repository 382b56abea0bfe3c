// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the JDK's modules from lib/modules.
#include "classlib/natives/java.base/loader/system_modules.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "classlib/natives/java.base/loader/module_info.h"
#include "runtime/base/mutex.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/jimage.h"

namespace keyhole::system_modules {
namespace {

const JImage& image() {
  static const JImage* opened = [] {
    auto* made = new JImage();  // lives as long as the process
    made->open(java_home() + "/lib/modules");
    return made;
  }();
  return *opened;
}

std::vector<std::string> find_names() {
  std::vector<std::string> result;
  // The names come from the JDK's `release` file: MODULES="java.base java.compiler ...". Names that the image lacks are
  // dropped.
  std::ifstream release(java_home() + "/release");
  for (std::string line; std::getline(release, line);) {
    if (!line.starts_with("MODULES=\"")) continue;
    usize start = 9;
    while (start < line.size()) {
      usize end = line.find_first_of(" \"", start);
      if (end == std::string::npos) end = line.size();
      std::string name = line.substr(start, end - start);
      if (!name.empty() && !resource(name, "module-info.class").empty()) result.push_back(std::move(name));
      start = end + 1;
    }
  }
  if (result.empty()) {
    image().for_each([&](std::string_view module, const std::string& name, std::span<const u8>) {
      if (name == "module-info.class") result.emplace_back(module);
    });
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The contents of a module's module-info; only for modules of the image.
const ModuleInfo& info(std::string_view module) {
  static Mutex mutex{LockRank::system_modules};
  // Each module-info is read once and kept.
  static std::map<std::string, ModuleInfo, std::less<>>* known POINTEE_GUARDED_BY(mutex) =
      new std::map<std::string, ModuleInfo, std::less<>>;
  MutexLock guard(mutex);
  auto [entry, is_new] = known->try_emplace(std::string(module));
  if (is_new) entry->second = read_module_info(resource(module, "module-info.class"));
  return entry->second;
}

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string>* found = new std::vector<std::string>(find_names());
  return *found;
}

std::span<const u8> resource(std::string_view module, std::string_view name) {
  auto bytes = image().find(module, name);
  return bytes ? *bytes : std::span<const u8>();
}

std::vector<Provider> providers(std::string_view service) {
  std::string internal(service);
  std::replace(internal.begin(), internal.end(), '.', '/');
  std::vector<Provider> result;
  for (const std::string& module : names()) {
    for (const ModuleInfo::Provided& provided : info(module).provides) {
      if (provided.service != internal) continue;
      for (std::string_view each : provided.providers) {
        std::string dotted(each);
        std::replace(dotted.begin(), dotted.end(), '/', '.');
        result.push_back({module, std::move(dotted)});
      }
    }
  }
  return result;
}

bool uses(std::string_view module, std::string_view service) {
  std::string internal(service);
  std::replace(internal.begin(), internal.end(), '.', '/');
  const ModuleInfo& about = info(module);
  return std::find(about.uses.begin(), about.uses.end(), internal) != about.uses.end();
}

namespace {

// Resolves the module graph of a class path program. Its roots are the modules with an unqualified export. The graph
// adds modules that its members require, and modules that provide a service used by a member.
std::vector<std::string> resolve_default() {
  std::set<std::string_view> graph, used;
  std::vector<std::string_view> fresh;
  auto add = [&](std::string_view module) {
    if (graph.insert(module).second) fresh.push_back(module);
  };
  for (const std::string& name : names())
    if (info(name).exports_to_all && info(name).resolved_by_default) add(name);
  while (!fresh.empty()) {
    while (!fresh.empty()) {
      const ModuleInfo& about = info(fresh.back());
      fresh.pop_back();
      used.insert(about.uses.begin(), about.uses.end());
      for (const ModuleInfo::Required& each : about.required)
        if (!each.only_to_compile) add(each.module);
    }
    for (const std::string& name : names()) {
      for (const ModuleInfo::Provided& each : info(name).provides)
        if (used.contains(each.service)) add(name);
    }
  }
  return {graph.begin(), graph.end()};
}

}  // namespace

const std::vector<std::string>& default_names() {
  static const std::vector<std::string>* found = new std::vector<std::string>(resolve_default());
  return *found;
}

}  // namespace keyhole::system_modules
