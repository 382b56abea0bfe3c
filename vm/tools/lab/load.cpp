// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the shared object of a lock, and adds the lock to the table of locking algorithms.
#include "vm/tools/lab/load.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/image/trusted_file.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/lab/plugin.h"
#include "runtime/sync/synchronizer.h"
#include "vm/tools/lab/compile.h"

namespace keyhole::lab {

namespace {

constexpr usize most_bytes = usize{64} << 20;  // of an object

// Opens a copy of the file in memory, so that the code that runs is the code that was checked.
void* open_copy(const std::string& bytes, std::string& problem) {
  int copy = memfd_create("lock", MFD_CLOEXEC);
  usize written = 0;
  while (copy >= 0 && written < bytes.size()) {
    ssize_t part = write(copy, bytes.data() + written, bytes.size() - written);
    if (part <= 0) break;
    written += static_cast<usize>(part);
  }
  void* library = nullptr;
  if (copy < 0 || written < bytes.size()) problem = "there is no memory for a copy of it";
  else if (library = dlopen(fmt::format("/proc/self/fd/{}", copy).c_str(), RTLD_NOW | RTLD_LOCAL); library == nullptr)
    problem = dlerror();
  if (copy >= 0) close(copy);
  return library;
}

}  // namespace

std::string load_lock() {
  const std::string& value = flags::LockingMode;
  if (!value.contains('/')) return {};
  std::string object = value;
  if (value.ends_with(".h")) {
    Compiled compiled = compile(value, World::vm);
    if (!compiled.complaint.empty()) return compiled.complaint;
    object = compiled.object;
  } else if (!value.ends_with(".so")) {
    return fmt::format("LockingMode={} is neither a .h file nor the .so that `keyhole lock build` makes of one.",
                       value);
  }
  image::TrustedContent content = image::read_trusted(object, most_bytes);
  if (!content.exists && content.problem.empty()) return fmt::format("There is no file {}.", object);
  if (!content.problem.empty())
    return fmt::format("{}: a lock is code that runs in this process, and {}.", object, content.problem);
  // Searches the object's bytes for the build's name before opening it. An object of another build may need functions
  // that this VM lacks; then dlopen would fail with a message that does not help.
  if (!content.bytes.contains(build_of_vm()))
    return fmt::format("{} was made for another build of Keyhole: make it again by `keyhole lock build`.", value);
  std::string problem;
  void* library = open_copy(content.bytes, problem);
  if (library == nullptr) return fmt::format("{} cannot be opened: {}.", value, problem);
  const auto* plugin = static_cast<const Plugin*>(dlsym(library, "keyhole_lock"));
  if (plugin == nullptr || plugin->interface_version != interface_version || plugin->build != build_of_vm())
    return fmt::format("{} is no lock for this build of Keyhole.", value);
  if (std::string refusal = sync::add_algorithm(*plugin->algorithm); !refusal.empty()) return refusal;
  KEYHOLE_LOG(info, locking, "loaded the lock {} from {}", plugin->algorithm->name, value);
  return {};
}

}  // namespace keyhole::lab
