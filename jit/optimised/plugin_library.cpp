// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the plug-in by dlopen. KEYHOLE_BUILD is a hash of the plug-in interface with which this VM was built
// (jit/llvm/CMakeLists.txt).
#include "jit/optimised/plugin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "runtime/base/process/executable.h"

namespace keyhole::optimised {

std::string path_of_plugin() { return fmt::format("{}/{}", executable_folder(), llvm_plugin::file_name); }

llvm_plugin::Compiler* open_plugin(const std::string& path, llvm_plugin::Host* host, std::string* problem) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    *problem = dlerror();
    return nullptr;
  }
  auto entry_point = reinterpret_cast<llvm_plugin::EntryPoint>(dlsym(library, llvm_plugin::entry_point_name));
  if (entry_point == nullptr) {
    *problem = dlerror();
    return nullptr;
  }
  return entry_point(KEYHOLE_BUILD, host, problem);
}

}  // namespace keyhole::optimised
