// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the begin and the end of each compilation, and the reasons for refusals.
#pragma once

#include <string_view>

#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "vm/metadata/method.h"

namespace keyhole::recorded_compilation {

inline void record(recorder::Kind kind, const Method* method, std::string_view text, u32 level) {
  if (recorder::is_on(recorder::Family::code)) [[unlikely]]
    recorder::record(kind, recorder::text(method->external_name()), recorder::text(text), level);
}
// Records the begin of a compilation. Called on the compiling thread.
inline void begins(const Method* method, u32 level) { record(recorder::Kind::compile_begin, method, {}, level); }
// Records that the compilation is refused, and why. Another event records the end of the compilation.
inline void is_refused(const Method* method, std::string_view reason, u32 level) {
  record(recorder::Kind::compile_refused, method, reason, level);
}
inline void ends(const Method* method, std::string_view outcome, u32 level) {
  record(recorder::Kind::compile_end, method, outcome, level);
}

}  // namespace keyhole::recorded_compilation
