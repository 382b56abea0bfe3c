// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks stacks for the places of events.
#include "vm/tools/recording/sites.h"

#include <algorithm>

#include "vm/frames/application_place.h"
#include "vm/link/well_known.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::recording {

VirtualFrame innermost_bytecode(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (!activation.is_native() && activation.method()->holder != well_known::Object_class) return activation;
  }
  return {};
}

VirtualFrame innermost_caller(const JavaThread* thread) {
  constexpr std::string_view packages[] = {"java/util/concurrent/", "java/lang/", "jdk/internal/"};
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    std::string_view name = activation.method()->holder->name->text();
    if (std::ranges::none_of(packages, [&](std::string_view each) { return name.starts_with(each); }))
      return activation;
  }
  return {};
}

std::string describe(const VirtualFrame& activation) {
  if (!activation.exists()) return {};
  return site_text(activation.method(), activation.bci());
}

namespace {

const void* instruction_of(const JavaThread* thread) {
  VirtualFrame activation = innermost_bytecode(thread);
  return activation.exists() ? activation.frame()->pc : nullptr;
}

const void* caller_instruction_of(const JavaThread* thread) {
  VirtualFrame activation = innermost_caller(thread);
  return activation.exists() ? activation.frame()->pc : nullptr;
}

std::string describe_site(const void* thread) {
  return describe(innermost_bytecode(static_cast<const JavaThread*>(thread)));
}
std::string describe_caller(const void* thread) {
  return describe(innermost_caller(static_cast<const JavaThread*>(thread)));
}

}  // namespace

const sync::recorded::SiteNames names_of_sites = {instruction_of, describe_site, caller_instruction_of,
                                                  describe_caller};

}  // namespace keyhole::recording
