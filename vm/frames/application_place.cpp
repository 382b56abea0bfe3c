// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks the thread's frames to the first one of the program.
#include "vm/frames/application_place.h"

#include <fmt/format.h>

#include "vm/frames/layout/virtual_frame.h"
#include "vm/metadata/external_names.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole {

std::string place_text(const Method* method, i32 bci) {
  const InstanceKlass* holder = method->holder;
  std::string file = holder->source_file != nullptr ? std::string(holder->source_file->text()) : holder->name->dotted();
  i32 line = bci < 0 ? -1 : method->line_of(static_cast<u32>(bci));
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string site_text(const Method* method, i32 bci) {
  i32 line = method->line_of(static_cast<u32>(bci));
  const Symbol* file = method->holder->source_file;
  std::string place = file == nullptr ? "Unknown Source" : file->string();
  if (file != nullptr && line >= 0) place += fmt::format(":{}", line);
  return fmt::format("{}.{}({}) bci {}", external_name(method->holder), method->name->text(), place, bci);
}

std::string application_place(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (method->holder->is_boot || method->hidden_frame) continue;
    return place_text(method, activation.bci());
  }
  return {};
}

}  // namespace keyhole
