// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets entry points when code is installed and when it retires.
#include "jit/code/method_codes.h"

#include "jit/code/code_cache.h"
#include "jit/code/entry_stubs.h"
#include "jit/code/policy.h"
#include "jit/code/print_compilation.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/locking_handlers.h"

namespace keyhole::method_codes {

using namespace interpreter;

namespace {

std::string_view text_of(Retired reason) {
  switch (reason) {
    case Retired::No: break;
    case Retired::Replaced: return "replaced";
    case Retired::Redefined: return "redefined";
    case Retired::Invalidated: return "class hierarchy changed";
    case Retired::Failing: return "deoptimizes too often";
    case Retired::Unused: return "not used";
  }
  return "";
}

}  // namespace

bool is_installed(const Method* method) {
  MethodEntry entry = method->entry.load(std::memory_order_relaxed);
  const LockingHandlers& locking = locking_handlers(sync::fast_path());
  return code_cache::contains(reinterpret_cast<uptr>(entry)) ||
         entry == as_method_entry(locking.entry_synchronized_compiled) ||
         entry == as_method_entry(locking.entry_synchronized_static_compiled);
}

void set_entry_point(const CompiledCode& code) {
  Method* method = code.method;
  if (!code.has_entry) {
    const LockingHandlers& locking = locking_handlers(sync::fast_path());
    Handler locks =
        method->is_static() ? locking.entry_synchronized_static_compiled : locking.entry_synchronized_compiled;
    method->entry.store(as_method_entry(locks), std::memory_order_release);
    return;
  }
  bool needs_no_frame = !is_installed(method) && !is_counting_entry(method->entry.load(std::memory_order_acquire));
  MethodEntry compiled_entry = as_method_entry(reinterpret_cast<Handler>(uptr{code.entry}));
  method->entry_from_code.store(compiled_entry, std::memory_order_release);
  entry_stubs::follow(method);
  if (!needs_no_frame) method->entry.store(linkage().entry_of_compiled, std::memory_order_release);
}

void count_calls(Method* method) {
  count_again(method);
  entry_stubs::follow(method);
}

void install(CompiledCode* code) {
  MethodCode* body = code->method->body.load(std::memory_order_acquire);
  CompiledCode* above = nullptr;
  for (CompiledCode* other = first_in_use(body); other != newest_of_baseline(body); other = in_use(previous_of(other)))
    if (!code->is_optimised()) above = other;
  std::atomic<CompiledCode*>& place = above == nullptr ? body->compiled : above->previous;
  code->previous.store(place.load(std::memory_order_relaxed), std::memory_order_relaxed);
  place.store(code, std::memory_order_release);
  if (recorder::is_on(recorder::Family::code)) [[unlikely]]
    recorder::record(recorder::Kind::compiled, recorder::text(code->method->external_name()), code->code_bytes,
                     code->level);
  if (const CompiledCode* newest = newest_in_use(body)) set_entry_point(*newest);
}

void retire(CompiledCode* code, Retired reason) {
  Method* method = code->method;
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  bool was_newest = newest_in_use(body) == code;
  if (code->retired.exchange(reason, std::memory_order_acq_rel) != Retired::No) return;
  KEYHOLE_LOG(debug, jit, "made not entrant: {} {}: {}", code->number, method->external_name(), text_of(reason));
  if (flags::PrintCompilation) print_compilation(*code, ' ', fmt::format("   made not entrant: {}", text_of(reason)));
  if (recorder::is_on(recorder::Family::code)) [[unlikely]]
    recorder::record(recorder::Kind::retired, recorder::text(method->external_name()), recorder::text(text_of(reason)),
                     code->level);
  if (code->is_optimised() && reason != Retired::Replaced) tiers::note_retirement(method, code->level);
  if (!was_newest) return;
  count_calls(method);
  if (const CompiledCode* older = newest_in_use(body)) set_entry_point(*older);
}

}  // namespace keyhole::method_codes
