// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the debug info of the call that a frame is in.
#include "vm/frames/layout/virtual_frame.h"

#include "vm/code/compiled_code.h"

namespace keyhole {

DebugInfo* debug_info_of(const Frame* frame) {
  // During a redefinition the method's frames still point to the method, but the old body, to which the pc belongs, is
  // at the copy of the method.
  for (const Method* method = frame->method; method != nullptr; method = method->replaced) {
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    if (body == nullptr) continue;
    if (interpreter::FoundSite site = interpreter::find_site(body, frame->pc); site.code != nullptr)
      return &site.code->sites.debug_info[site.index];
  }
  KEYHOLE_FATAL("no call site of {}: {}", frame->method->external_name(), static_cast<const void*>(frame->pc));
}

}  // namespace keyhole
