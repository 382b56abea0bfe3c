// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks stacks for execution samples.
#include "vm/frames/execution_sample.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/stacks.h"
#include "runtime/recorder/texts.h"
#include "runtime/threads/safepoint.h"
#include "vm/frames/application_place.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/metadata/external_names.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::interpreter {

namespace {

struct Place {
  const Method* method;
  i32 bci;
};

// The recording's number of the site. Its cache needs an address for each site: that of the bytecode, or for a native
// method, which has no bytecode, the address of a field of the method.
u32 number_of(const Place& place) {
  auto describe = [](const void* context) {
    const Place& its = *static_cast<const Place*>(context);
    if (its.bci >= 0) return site_text(its.method, its.bci);
    return fmt::format("{}.{}(Native Method)", external_name(its.method->holder), its.method->name->text());
  };
  const void* address = &place.method->native;
  if (place.bci >= 0) address = place.method->code + place.bci;
  return recorder::site(address, describe, &place);
}

void record(JavaThread* thread, const Method* entered) {
  if (!recorder::is_on(recorder::Family::samples)) return;
  std::array<u32, recorder::most_sites> sites;
  usize count = 0;
  if (entered != nullptr && !entered->hidden_frame) sites[count++] = number_of({entered, 0});
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (activation.method()->hidden_frame) continue;
    if (count == sites.size()) {
      sites.back() = recorder::text(recorder::truncated_site);
      break;
    }
    sites[count++] = number_of({activation.method(), activation.bci()});
  }
  recorder::record(recorder::Kind::execution_sample, recorder::stack({sites.data(), count}));
}

}  // namespace

void record_execution_sample(JavaThread* thread) { record(thread, nullptr); }
void record_execution_sample_at_entry(JavaThread* thread, Method* method) { record(thread, method); }

void record_execution_sample_in_code(JavaThread* thread, Frame* caller, Method* method, const Instruction* site) {
  if (!safepoint::take_execution_sample_request(thread)) return;
  // X2: a frame for the walk alone. The walk reads methods and bcis, which are in the debug info of the site, and no
  // slots.
  Frame frame{};
  frame.caller = caller;
  frame.method = method;
  frame.pc = site;
  frame.kind = FrameKind::Inlining;
  Frame* before = std::exchange(thread->top_frame, &frame);
  record(thread, nullptr);
  thread->top_frame = before;
}

}  // namespace keyhole::interpreter
