// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Building InstanceKlass objects.
#include "vm/link/loading/class_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "vm/link/execution_engine.h"
#include "vm/link/loading/field_layout.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/vtable.h"
#include "vm/link/well_known.h"
#include "vm/metadata/member_index.h"

namespace keyhole {
namespace {

// Fills the supertypes: superclasses up to depth 7 go to the display, interfaces and deeper superclasses to the
// secondary list.
void set_supers(InstanceKlass* klass, std::span<InstanceKlass* const> interfaces, Arena& arena) {
  Klass* super = klass->super;
  klass->depth = super == nullptr ? u16{0} : static_cast<u16>(super->depth + 1);
  if (super != nullptr) memcpy(klass->supers, super->supers, sizeof klass->supers);
  if (klass->depth < Klass::display_depth) klass->supers[klass->depth] = klass;

  bool adds_super = super != nullptr && super->depth >= Klass::display_depth;
  if (interfaces.empty() && !adds_super) {
    if (super != nullptr) klass->set_secondary_supers(super->secondary_supers, super->secondary_super_count);
    return;
  }
  std::vector<Klass*> all;
  if (super != nullptr) all.assign(super->secondary_supers, super->secondary_supers + super->secondary_super_count);
  auto add = [&all](Klass* one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  if (adds_super) add(super);
  for (InstanceKlass* interface : interfaces) {
    for (u32 i = 0; i < interface->secondary_super_count; ++i) add(interface->secondary_supers[i]);
    add(interface);
  }
  Klass** supers = arena.create_array<Klass*>(all.size());
  std::copy(all.begin(), all.end(), supers);
  klass->set_secondary_supers(supers, static_cast<u32>(all.size()));
}

void set_kind(InstanceKlass* klass) {
  std::string_view name = klass->name->text();
  klass->kind = KlassKind::Instance;
  if (klass->super != nullptr && klass->super->kind == KlassKind::Reference) {
    klass->kind = KlassKind::Reference;
    klass->strength = klass->super->strength;
  }
  if (!klass->loader->is_boot()) return;
  if (klass->name == names::java_lang_Class) klass->kind = KlassKind::Mirror;
  if (!name.starts_with("java/lang/ref/")) return;
  if (name == "java/lang/ref/Reference") klass->kind = KlassKind::Reference;
  else if (name == "java/lang/ref/SoftReference") klass->strength = ReferenceStrength::Soft;
  else if (name == "java/lang/ref/WeakReference") klass->strength = ReferenceStrength::Weak;
  else if (name == "java/lang/ref/FinalReference") klass->strength = ReferenceStrength::Final;
  else if (name == "java/lang/ref/PhantomReference") klass->strength = ReferenceStrength::Phantom;
}

}  // namespace

BuildResult build_class(ParsedClass& parsed, ClassUnit& unit, InstanceKlass* super,
                        std::span<InstanceKlass* const> interfaces, bool hidden) {
  InstanceKlass& draft = parsed.klass();
  Arena& arena = unit.arena;
  LoaderData* loader = unit.loader;
  draft.loader = loader;
  draft.super = super;
  for (u32 i = 0; i < draft.method_count; ++i) draft.methods[i]->holder = &draft;
  FinalOverride violation{};
  std::vector<Method*> table = make_vtable(&draft, violation);
  if (violation.own != nullptr) {
    return {nullptr, fmt::format("class {} overrides final method {}.{}{}", external_name(&draft),
                                 external_name(violation.overridden->holder), violation.overridden->name->text(),
                                 violation.overridden->descriptor->text())};
  }

  // The vtable lies before the klass and grows downwards.
  usize table_bytes = table.size() * sizeof(Method*);
  char* memory = static_cast<char*>(arena.allocate(table_bytes + sizeof(InstanceKlass), alignof(InstanceKlass)));
  InstanceKlass* klass = reinterpret_cast<InstanceKlass*>(memory + table_bytes);
  memcpy(static_cast<void*>(klass), static_cast<const void*>(&draft), sizeof(InstanceKlass));
  klass->vtable_length = static_cast<u32>(table.size());
  for (u32 slot = 0; slot < table.size(); ++slot)
    klass->vtable_entry(slot).store(table[slot], std::memory_order_relaxed);

  if (hidden) {
    // A hidden class is not in the dictionary: only its own constant-pool entry refers to it.
    ConstantPool& pool = *klass->constants;
    klass->name = pool.append_text(fmt::format("{}+0x{:016x}", klass->name->text(), reinterpret_cast<uptr>(klass)));
    klass->is_hidden = true;
    // The constant-pool entry of the class itself must show the new name, because no other entry refers to the class.
    pool.values[parsed.this_index] = pool.count;
  }
  klass->is_boot = loader->is_boot();
  klass->constants->holder = klass;
  klass->constants->resolved[parsed.this_index].store(reinterpret_cast<u64>(static_cast<Klass*>(klass)),
                                                      std::memory_order_relaxed);
  for (u32 i = 0; i < klass->method_count; ++i) {
    Method* method = klass->methods[i];
    method->holder = klass;
    if (hidden) method->hidden_frame = true;
    method->entry.store(execution_engine().first_entry(method), std::memory_order_relaxed);
    method->entry_from_code.store(execution_engine().first_entry_from_code(), std::memory_order_relaxed);
  }
  for (u32 i = 0; i < klass->field_count; ++i) klass->fields[i].holder = klass;
  klass->interfaces = arena.create_array<InstanceKlass*>(interfaces.size());
  std::copy(interfaces.begin(), interfaces.end(), klass->interfaces);

  index_members(klass, arena);
  set_supers(klass, interfaces, arena);
  set_kind(klass);
  if (super != nullptr && super->has_finalizer) klass->has_finalizer = true;
  for (InstanceKlass* interface : interfaces) klass->has_default_methods |= interface->has_default_methods;
  if (super != nullptr) klass->has_default_methods |= super->has_default_methods;
  if (klass->is_interface()) number_interface_methods(klass);

  layout_instance_fields(klass, arena);
  if (klass->kind == KlassKind::Mirror) layout_static_fields(klass, klass->instance_bytes);
  else if (well_known::Class_class != nullptr) layout_static_fields(klass, well_known::Class_class->instance_bytes);
  klass->state.store(ClassState::Loaded, std::memory_order_relaxed);
  return {klass, {}};
}

}  // namespace keyhole
