// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the debug info of the call that a frame is in.
#include "vm/frames/layout/virtual_frame.h"

#include "vm/code/compiled_code.h"

namespace keyhole {

DebugInfo* debug_info_of(const Frame* frame) {
  // During a redefinition the method's frames still name it, but its body, to which the pc belongs, is with the copy.
  for (const Method* method = frame->method; method != nullptr; method = method->replaced) {
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    if (body == nullptr) continue;
    if (interpreter::FoundSite site = interpreter::find_site(body, frame->pc); site.code != nullptr)
      return &site.code->sites.debug_info[site.index];
  }
  KEYHOLE_FATAL("no call site of {}: {}", frame->method->external_name(), static_cast<const void*>(frame->pc));
}

}  // namespace keyhole
