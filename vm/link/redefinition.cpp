// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parsing the new class files, comparing them with the classes, and the exchange.
#include "vm/link/redefinition.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <unordered_set>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/exceptions.h"
#include "vm/link/execution_engine.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_definition.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/loading/metadata_limit.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/verification.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

std::atomic<bool> are_expected{false};

struct Redefinition {
  explicit Redefinition(InstanceKlass* klass) : klass(klass) {}
  InstanceKlass* const klass;
  ParsedClass parsed;
  std::vector<Method*> methods;  // methods of the new file, in the order of klass->methods

  InstanceKlass& draft() { return parsed.klass(); }
};

Thrown throw_unsupported(JavaThread* thread, const char* what) MAY_SAFEPOINT {
  return throw_new(thread, Symbol::intern("java/lang/UnsupportedOperationException"),
                   "class redefinition failed: attempted to {}", what);
}

// --- comparing ----------------------------------------------------------------------------------------------------

// Do two lists of constant-pool indices stand for the same names?
bool same_names(const ConstantPool& old_pool, std::span<const u16> old_indices, const ConstantPool& new_pool,
                std::span<const u16> new_indices) {
  auto same = [&](u16 old_index, u16 new_index) {
    return old_pool.class_name(old_index) == new_pool.class_name(new_index);
  };
  return std::equal(old_indices.begin(), old_indices.end(), new_indices.begin(), new_indices.end(), same);
}

bool same_supertypes(const InstanceKlass& klass, const ParsedClass& parsed, const InstanceKlass& draft) {
  const Symbol* super = klass.super == nullptr ? nullptr : klass.super->name;
  if (super != parsed.super_name || klass.interface_count != draft.interface_count) return false;
  for (u32 i = 0; i < klass.interface_count; ++i) {
    if (klass.interfaces[i]->name != draft.constants->class_name(parsed.interface_indices[i])) return false;
  }
  return true;
}

bool same_relations(const InstanceKlass& klass, const InstanceKlass& draft) {
  const ConstantPool &old_pool = *klass.constants, &new_pool = *draft.constants;
  auto one_or_none = [](const u16& index) { return std::span(&index, index == 0 ? 0 : 1); };
  auto same = [&](std::span<const u16> a, std::span<const u16> b) { return same_names(old_pool, a, new_pool, b); };
  if (!same(one_or_none(klass.nest_host_index), one_or_none(draft.nest_host_index))) return false;
  if (!same({klass.nest_members, klass.nest_member_count}, {draft.nest_members, draft.nest_member_count})) return false;
  if (klass.is_sealed != draft.is_sealed || klass.is_record != draft.is_record) return false;
  if (!same({klass.permitted_subclasses, klass.permitted_subclass_count},
            {draft.permitted_subclasses, draft.permitted_subclass_count}))
    return false;
  std::span old_components(klass.record_components, klass.record_component_count);
  std::span new_components(draft.record_components, draft.record_component_count);
  return std::equal(old_components.begin(), old_components.end(), new_components.begin(), new_components.end(),
                    [](const RecordComponent& a, const RecordComponent& b) {
                      return a.name == b.name && a.descriptor == b.descriptor &&
                             a.generic_signature == b.generic_signature;
                    });
}

bool same_fields(const InstanceKlass& klass, const InstanceKlass& draft) {
  auto same = [](const Field& a, const Field& b) {
    return a.name == b.name && a.descriptor == b.descriptor && a.access_flags == b.access_flags;
  };
  return std::equal(klass.fields, klass.fields + klass.field_count, draft.fields, draft.fields + draft.field_count,
                    same);
}

// False: an exception is pending.
bool compare(JavaThread* thread, Redefinition& redefinition) MAY_SAFEPOINT {
  InstanceKlass &klass = *redefinition.klass, &draft = redefinition.draft();
  auto refuse = [&](const char* what) MAY_SAFEPOINT { return throw_unsupported(thread, what); };
  if (!same_supertypes(klass, redefinition.parsed, draft)) return refuse("change superclass or interfaces");
  if (!same_relations(klass, draft)) {
    return refuse("change the class NestHost, NestMembers, Record, or PermittedSubclasses attribute");
  }
  if (klass.access_flags != draft.access_flags) return refuse("change the class modifiers");
  if (!same_fields(klass, draft)) return refuse("change the schema (add/remove fields)");
  redefinition.methods.resize(klass.method_count);
  for (u32 i = 0; i < draft.method_count; ++i) {
    Method* method = draft.methods[i];
    Method* known = klass.find_declared_method(method->name, method->descriptor);
    if (known == nullptr || redefinition.methods[known->method_index] != nullptr) return refuse("add a method");
    redefinition.methods[known->method_index] = method;
  }
  for (u32 i = 0; i < klass.method_count; ++i) {
    const Method* method = redefinition.methods[i];
    if (method == nullptr) return refuse("delete a method");
    // `native` may be added or removed, for agents that wrap native methods.
    u32 changed = method->access_flags ^ klass.methods[i]->access_flags;
    if ((changed & ~access::Native) != 0) return refuse("change method modifiers");
  }
  return true;
}

// --- parsing ------------------------------------------------------------------------------------------------------

Thrown throw_class_file_error(JavaThread* thread, ClassFileError::Kind kind) MAY_SAFEPOINT {
  switch (kind) {
    case ClassFileError::Kind::UnsupportedVersion:
      return throw_message(thread, names::java_lang_UnsupportedClassVersionError, nullptr);
    case ClassFileError::Kind::NoClassDefFound:
      return throw_message(thread, names::java_lang_NoClassDefFoundError, "class names don't match");
    default: return throw_message(thread, names::java_lang_ClassFormatError, nullptr);
  }
}

// False: an exception is pending.
bool parse(JavaThread* thread, Redefinition& redefinition, std::span<const u8> bytes, ClassFileUse use) MAY_SAFEPOINT {
  InstanceKlass& klass = *redefinition.klass;
  RewrittenClassFile rewritten;
  if (ClassFileHook hook = class_file_hook.load(std::memory_order_acquire)) {
    hook(thread, {use, klass.name, klass.loader, {}, &klass, bytes}, rewritten);
  }
  if (!make_room_for_metadata(thread)) return false;
  ClassFileError error;
  {
    MutexLock guard(klass.loader->mutex);
    Arena& arena = klass.unit->arena;
    ParseOptions options;
    options.release_name_rules = release::release_name_rules();
    options.expected_name = klass.name;
    options.trusted = klass.is_boot && !flags::BytecodeVerificationLocal;
    if (klass.unit->is_mortal) options.pools = &klass.unit->pools;
    std::span<const u8> file = !rewritten.retransformed.empty() ? keep_class_file(arena, rewritten.retransformed)
                               : use == ClassFileUse::Redefine  ? keep_class_file(arena, bytes)
                                                                : bytes;
    bytes = rewritten.bytes.empty() ? file : keep_class_file(arena, rewritten.bytes);
    error = parse_class_file(bytes, options, arena, redefinition.parsed);
    redefinition.draft().class_file = file.data();
    redefinition.draft().class_file_bytes = static_cast<u32>(file.size());
  }
  if (error) return throw_class_file_error(thread, error.kind);
  InstanceKlass& draft = redefinition.draft();
  draft.constants->holder = &klass;
  std::atomic<u64>& itself = draft.constants->resolved[redefinition.parsed.this_index];
  itself.store(reinterpret_cast<u64>(static_cast<Klass*>(&klass)), std::memory_order_relaxed);
  for (u32 i = 0; i < draft.method_count; ++i) draft.methods[i]->holder = &klass;
  return true;
}

// False: an exception is pending.
bool verify(JavaThread* thread, Redefinition& redefinition) MAY_SAFEPOINT {
  if (!needs_verification(redefinition.klass)) return true;
  u16 version = redefinition.draft().major_version;
  Rejection rejection = verifier().verify_methods(thread, redefinition.klass, redefinition.methods, version);
  if (!rejection && !has_exception(thread)) return true;
  if (has_exception(thread)) take_exception(thread);
  KEYHOLE_LOG(info, class_init, "redefinition of {} refused: {}", external_name(redefinition.klass), rejection.text);
  return throw_message(thread, names::java_lang_VerifyError, nullptr);
}

// --- the exchange; world stopped ----------------------------------------------------------------------------------

// Gives `method` the data of the new file. Its places in the class's tables stay.
void exchange_method(Method* method, Method* parsed, Arena& arena) {
  void* memory = arena.allocate(sizeof(Method), alignof(Method));
  memcpy(memory, static_cast<const void*>(method), sizeof(Method));
  Method* copy = static_cast<Method*>(memory);
  memcpy(static_cast<void*>(method), static_cast<const void*>(parsed), sizeof(Method));
  method->holder = copy->holder;
  method->vtable_index = copy->vtable_index;
  method->itable_index = copy->itable_index;
  method->method_index = copy->method_index;
  method->hidden_frame |= copy->hidden_frame;
  method->version = static_cast<u16>(copy->version + 1);
  method->replaced = copy;
  execution_engine().move_body(method, copy);
}

void exchange_fields(InstanceKlass& klass, const InstanceKlass& draft) {
  for (u32 i = 0; i < klass.field_count; ++i) {
    Field& field = klass.fields[i];
    const Field& parsed = draft.fields[i];
    field.generic_signature = parsed.generic_signature;
    field.constant_value_index = parsed.constant_value_index;
    field.annotations = parsed.annotations, field.annotations_length = parsed.annotations_length;
    field.type_annotations = parsed.type_annotations, field.type_annotations_length = parsed.type_annotations_length;
  }
}

// Exchanges the attributes of the class, because they refer to the new constant pool.
void exchange_attributes(InstanceKlass& klass, const InstanceKlass& draft) {
  draft.constants->replaced = klass.constants;
  klass.constants = draft.constants;
  klass.major_version = draft.major_version;
  klass.source_file = draft.source_file;
  klass.generic_signature = draft.generic_signature;
  klass.inner_class_count = draft.inner_class_count, klass.inner_classes = draft.inner_classes;
  klass.enclosing_class_index = draft.enclosing_class_index;
  klass.enclosing_method_index = draft.enclosing_method_index;
  klass.nest_host_index = draft.nest_host_index;
  klass.nest_member_count = draft.nest_member_count, klass.nest_members = draft.nest_members;
  klass.permitted_subclass_count = draft.permitted_subclass_count;
  klass.permitted_subclasses = draft.permitted_subclasses;
  klass.record_component_count = draft.record_component_count, klass.record_components = draft.record_components;
  klass.annotations = draft.annotations, klass.annotations_length = draft.annotations_length;
  klass.type_annotations = draft.type_annotations, klass.type_annotations_length = draft.type_annotations_length;
  klass.modifiers = draft.modifiers;
  klass.class_file = draft.class_file, klass.class_file_bytes = draft.class_file_bytes;
}

// Clears the reflection data that java.lang.Class caches, of this class and of its subclasses.
void count_redefinition(const InstanceKlass& klass) {
  for_each_klass([&](Klass* each) TOUCHES_OBJECTS {
    if (each->mirror == nullptr || !each->is_subtype_of(&klass)) return;
    i32 count = each->mirror->get<i32>(well_known::Class_class_redefined_count);
    each->mirror->set<i32>(well_known::Class_class_redefined_count, count + 1);
  });
}

void exchange(std::span<const std::unique_ptr<Redefinition>> all) {
  std::vector<Method*> methods;
  for (const auto& each : all) {
    methods.insert(methods.end(), each->klass->methods, each->klass->methods + each->klass->method_count);
  }
  execution_engine().forget_code_of(methods);
  for (const auto& each : all) {
    InstanceKlass& klass = *each->klass;
    for (u32 i = 0; i < klass.method_count; ++i) exchange_method(klass.methods[i], each->methods[i], klass.unit->arena);
    exchange_fields(klass, each->draft());
    exchange_attributes(klass, each->draft());
    count_redefinition(klass);
    KEYHOLE_LOG(info, class_load, "redefined {}", external_name(&klass));
  }
  move_frames(methods);
}

}  // namespace

void expect_redefinitions(JavaThread* thread) {
  if (are_expected.exchange(true, std::memory_order_seq_cst)) return;
  auto retire = [] { execution_engine().retire_unchecked_code(); };
  safepoint::run(thread, "ExpectRedefinitions", retire);
}

void move_frames(std::span<Method* const> methods) {
  std::unordered_set<const Method*> redefined(methods.begin(), methods.end());
  threads::for_each([&](JavaThread* thread) {
    for (const VirtualFrame& activation : virtual_frames(thread)) {
      if (redefined.contains(activation.method())) activation.set_method(activation.method()->replaced);
    }
  });
}

bool are_redefinitions_expected() { return are_expected.load(std::memory_order_relaxed); }

bool redefine_classes(JavaThread* thread, std::span<const NewClassFile> files, ClassFileUse use) {
  std::vector<std::unique_ptr<Redefinition>> all;
  for (const NewClassFile& file : files) {
    all.push_back(std::make_unique<Redefinition>(file.klass));
    std::span<const u8> bytes(file.klass->class_file, file.klass->class_file_bytes);
    if (use == ClassFileUse::Redefine) bytes = file.bytes;
    if (!parse(thread, *all.back(), bytes, use)) return false;
    if (!link_class(thread, file.klass)) {
      take_exception(thread);
      return throw_message(thread, names::java_lang_InternalError, nullptr);
    }
    if (!compare(thread, *all.back()) || !verify(thread, *all.back())) return false;
  }
  auto operation = [&] { exchange(all); };
  if (!all.empty()) safepoint::run(thread, "RedefineClasses", operation);
  return true;
}

}  // namespace keyhole
