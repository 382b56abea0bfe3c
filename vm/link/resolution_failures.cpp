// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of failures beside the constant pools; programs without failures never touch it.
#include "vm/link/resolution_failures.h"

#include <atomic>
#include <map>
#include <string>

#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_unloading.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

struct Failure {
  const InstanceKlass* holder;  // the class of the constant pool or instruction
  const Symbol* exception;
  bool has_message;
  std::string message;
  const Symbol* cause = nullptr;  // null: none
  bool cause_has_message = false;
  std::string cause_message;
};

using Key = std::pair<const void*, u32>;  // constant pool and index, or instruction and 0
std::atomic<bool> any_failure;
Mutex failures_mutex{LockRank::resolution_failures};
std::map<Key, Failure>& failures() REQUIRES(failures_mutex) {
  static auto* instance = new std::map<Key, Failure>();  // outlives every static destructor
  return *instance;
}

bool is_linkage_error(const Object* exception) TOUCHES_OBJECTS {
  for (const Klass* klass = exception->klass(); klass != nullptr; klass = klass->super) {
    if (klass->name == names::java_lang_LinkageError && klass->loader->is_boot()) return true;
  }
  return false;
}

bool message_of(const Object* exception, std::string& message) TOUCHES_OBJECTS {
  Object* text = exception->get_reference(well_known::Throwable_detail_message);
  if (text != nullptr) message = string_to_utf8(text);
  return text != nullptr;
}

bool rethrow(JavaThread* thread, Key key) MAY_SAFEPOINT {
  if (!any_failure.load(std::memory_order_acquire)) [[likely]]
    return false;
  Failure failure;
  {
    MutexLock guard(failures_mutex);
    auto found = failures().find(key);
    if (found == failures().end()) return false;
    failure = found->second;
  }
  HandleScope scope(thread);
  Handle cause;
  if (failure.cause != nullptr) {
    throw_message(thread, failure.cause, failure.cause_has_message ? failure.cause_message.c_str() : nullptr);
    cause = scope.make(take_exception(thread));
  }
  throw_message(thread, failure.exception, failure.has_message ? failure.message.c_str() : nullptr, cause);
  return true;
}

void remember(JavaThread* thread, Key key, const InstanceKlass* holder, bool with_cause) TOUCHES_OBJECTS {
  Object* exception = thread->pending_exception;
  if (exception == nullptr || !is_linkage_error(exception) || !exception->klass()->loader->is_boot()) return;
  Failure failure;
  failure.holder = holder;
  failure.exception = exception->klass()->name;
  failure.has_message = message_of(exception, failure.message);
  Object* cause = with_cause ? exception->get_reference(well_known::Throwable_cause) : nullptr;
  if (cause != nullptr && cause != exception && cause->klass()->loader->is_boot()) {
    failure.cause = cause->klass()->name;
    failure.cause_has_message = message_of(cause, failure.cause_message);
  }
  MutexLock guard(failures_mutex);
  failures().try_emplace(key, std::move(failure));
  any_failure.store(true, std::memory_order_release);
}

}  // namespace

void forget_failures_of_dead_classes() {
  safepoint::assert_holds(failures_mutex);
  std::erase_if(failures(), [](const auto& entry) { return is_dead(entry.second.holder); });
}

bool rethrow_resolution_failure(JavaThread* thread, const ConstantPool* constants, u32 index) {
  return rethrow(thread, {constants, index});
}
void remember_resolution_failure(JavaThread* thread, const ConstantPool* constants, u32 index) {
  remember(thread, {constants, index}, constants->holder, true);
}
bool rethrow_call_site_failure(JavaThread* thread, const u8* instruction) { return rethrow(thread, {instruction, 0}); }
void remember_call_site_failure(JavaThread* thread, const u8* instruction, const InstanceKlass* caller) {
  remember(thread, {instruction, 0}, caller, false);
}

}  // namespace keyhole
