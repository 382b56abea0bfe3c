// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the classes of one VM, and prepares them in the next VMs. Rules: rehearsal.h.
#include "vm/tools/explore/rehearsal.h"

#include <algorithm>
#include <cstring>

#include "runtime/threads/threads.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/link/linker.h"
#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"

namespace keyhole::explore {

// Runs in a signal handler at the end of the execution, so this function must not allocate.
void Rehearsal::list() {
  word_count = classes = 0;
  for_each_klass([this](Klass* klass) {
    if (klass->is_array() || klass->kind == KlassKind::Primitive) return;
    const InstanceKlass* instance = klass->as_instance();
    if (!instance->is_boot || instance->is_hidden) return;
    std::string_view name = instance->name->text();
    u32 name_words = static_cast<u32>(name.size() + 1) / 2;
    if (word_count + 2 + name_words + instance->method_count > max_words) return;
    words[word_count] = static_cast<u16>(name.size());
    u16& methods = words[word_count + 1];
    methods = 0;
    memcpy(&words[word_count + 2], name.data(), name.size());
    word_count += 2 + name_words;
    for (u16 i = 0; i < instance->method_count; ++i) {
      if (instance->methods[i]->body.load(std::memory_order_relaxed) == nullptr) continue;
      words[word_count++] = i;
      ++methods;
    }
    ++classes;
  });
}

// Not subject to the thread-safety analysis: the caller is the launcher, which runs in managed state.
void Rehearsal::prepare() const NO_THREAD_SAFETY_ANALYSIS {
  JavaThread* thread = threads::current_or_null();
  if (thread == nullptr) return;
  const u16* at = words;
  for (u32 i = 0; i < classes; ++i) {
    std::string_view name(reinterpret_cast<const char*>(at + 2), at[0]);
    const u16* methods = at + 2 + (at[0] + 1) / 2;
    u32 count = at[1];
    at = methods + count;
    Klass* klass = find_boot_class_or_null(thread, Symbol::intern(name));
    if (klass == nullptr || !link_class(thread, klass->as_instance())) {
      thread->pending_exception = nullptr;
      continue;
    }
    InstanceKlass* instance = klass->as_instance();
    for (u32 j = 0; j < count; ++j) {
      Method* method = methods[j] < instance->method_count ? instance->methods[methods[j]] : nullptr;
      if (method == nullptr || method->code == nullptr) continue;
      interpreter::prepare_bytecode(method);
      interpreter::prepare_place(method);
    }
  }
}

}  // namespace keyhole::explore
