// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Linking (JVMS 5.4): supertypes first, then publishing with interface tables (class_hierarchy.h), verification,
// preparation of constant statics, loading constraints. During verification class loaders run, which are Java code.
//
//   Loaded -> Linking (by one thread) -> Linked          failure: back to Loaded, the next attempt fails again
//
// A class loader may run during verification and meet a class that its own thread is linking: it then uses the class
// unlinked.
#include "gc/barrier.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "vm/link/class_state.h"
#include "vm/link/debugger.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_hierarchy.h"
#include "vm/link/loading/loader_constraints.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/reflection_accessors.h"
#include "vm/link/verification.h"

namespace keyhole {

bool needs_verification(const InstanceKlass* klass) {
  if (is_reflection_accessor(klass)) return false;
  // As in HotSpot, the flag for boot classes applies to all.
  return flags::BytecodeVerificationLocal || (!klass->is_boot && flags::BytecodeVerificationRemote);
}

namespace {

bool verify(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  KEYHOLE_LOG(info, class_init, "Start class verification for: {}", external_name(klass));
  Rejection rejection = verifier().verify_class(thread, klass);
  if (has_exception(thread)) return false;
  KEYHOLE_LOG(info, class_init, "End class verification for: {}", external_name(klass));
  if (!rejection) return true;
  bool is_format = rejection.kind == Rejection::Kind::ClassFormat;
  return throw_message(thread, is_format ? names::java_lang_ClassFormatError : names::java_lang_VerifyError,
                       rejection.text);
}

// Sets constant statics (JVMS 5.5 step 6) while linking, which is earlier than specified but not observable.
bool set_constant_statics(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  for (u32 i = 0; i < klass->field_count; ++i) {
    const Field& field = klass->fields[i];
    if (field.constant_value_index == 0 || !field.is_static()) continue;
    const ConstantPool& constants = *klass->constants;
    u32 index = field.constant_value_index;
    switch (field.type) {
      case BasicType::Boolean:
        klass->mirror->set<u8>(field.offset, static_cast<u8>(constants.integer(index) & 1));
        break;
      case BasicType::Byte: klass->mirror->set<i8>(field.offset, static_cast<i8>(constants.integer(index))); break;
      case BasicType::Char:
      case BasicType::Short: klass->mirror->set<i16>(field.offset, static_cast<i16>(constants.integer(index))); break;
      case BasicType::Int:
      case BasicType::Float: klass->mirror->set<i32>(field.offset, constants.integer(index)); break;
      case BasicType::Long:
      case BasicType::Double: klass->mirror->set<i64>(field.offset, constants.long_value(index)); break;
      default: {
        Object* text = intern_symbol(thread, constants.string_text(index));
        if (text == nullptr) return false;
        barrier::store(klass->mirror, field.offset, text);
      }
    }
  }
  return true;
}

bool link_in_order(JavaThread* thread, InstanceKlass* klass) MAY_SAFEPOINT {
  if (klass->super != nullptr && !link_class(thread, klass->super->as_instance())) return false;
  for (u32 i = 0; i < klass->interface_count; ++i)
    if (!link_class(thread, klass->interfaces[i])) return false;
  publish_class(thread, klass);
  if (needs_verification(klass) && !verify(thread, klass)) return false;
  if (!set_constant_statics(thread, klass)) return false;
  return check_inherited_constraints(thread, klass);
}

}  // namespace

bool link_class(JavaThread* thread, InstanceKlass* klass) {
  if (klass->is_linked()) [[likely]]
    return true;
  {
    ClassStateLock lock(thread);
    while (true) {
      ClassState state = klass->state.load(std::memory_order_relaxed);
      if (state >= ClassState::Linked) return true;
      if (state == ClassState::Loaded) break;
      if (klass->initializing_thread == thread) return true;
      lock.wait();
    }
    klass->initializing_thread = thread;
    klass->state.store(ClassState::Linking, std::memory_order_release);
  }
  bool linked = link_in_order(thread, klass);
  {
    ClassStateLock lock(thread);
    klass->initializing_thread = nullptr;
    klass->state.store(linked ? ClassState::Linked : ClassState::Loaded, std::memory_order_release);
    lock.notify_all();
  }
  const DebuggerHooks* hooks = debugger.load(std::memory_order_acquire);
  if (hooks != nullptr && linked) [[unlikely]]
    hooks->class_prepared(thread, klass);
  return linked;
}

}  // namespace keyhole
