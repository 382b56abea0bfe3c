// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Defining a class (JVMS 5.3.5):
//
//   1 parse                        loader's lock
//   2 load superclass, interfaces  Java code may run; the class is "in progress", so that a cycle is noticed
//   3 check them, build            loader's lock
//   4 make the mirror              may collect
//   5 publish in the dictionary    loader's lock; a second definition of the name fails here, and one that a loading
//                                  constraint forbids
//
// A class that does not reach step 5 has an id but cannot be found by name.
#include "vm/link/loading/class_definition.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gc/barrier.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/link/exceptions.h"
#include "vm/link/loading/class_builder.h"
#include "vm/link/loading/class_file_hook.h"
#include "vm/link/loading/loader_constraints.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/loading/metadata_limit.h"
#include "vm/link/loading/mirrors.h"
#include "vm/link/module_access.h"
#include "vm/link/reflection_accessors.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

Thrown throw_class_file_error(JavaThread* thread, const ClassFileError& error) MAY_SAFEPOINT {
  switch (error.kind) {
    case ClassFileError::Kind::UnsupportedVersion:
      return throw_message(thread, names::java_lang_UnsupportedClassVersionError, error.message);
    case ClassFileError::Kind::NoClassDefFound:
      return throw_message(thread, names::java_lang_NoClassDefFoundError, error.message);
    default: return throw_message(thread, names::java_lang_ClassFormatError, error.message);
  }
}

Thrown refuse_definition(JavaThread* thread, const std::string& message) MAY_SAFEPOINT {
  return throw_message(thread, names::java_lang_IncompatibleClassChangeError, message);
}

// The memory of a class that is being defined. If the definition fails before the class is built, it frees what it
// allocated in the unit's arena, unless something else was allocated since (while a supertype was loaded, or by another
// thread). A hidden class's own unit is freed with it, and is pinned until the class is complete.
class DraftMemory {
 public:
  DraftMemory(LoaderData* loader, const DefineOptions& options)
      : own_(options.hidden && options.unit == nullptr), unit_(own_                      ? make_hidden_unit(loader)
                                                               : options.unit != nullptr ? options.unit
                                                                                         : &loader->unit) {}
  ~DraftMemory() {
    if (own_) {
      if (kept_) unpin(unit_);
      else drop_unit(unit_);
      return;
    }
    if (kept_) return;
    MutexLock guard(unit_->loader->mutex);
    if (unit_->arena.mark() != end_) return;
    for (; unit_->pools != first_pool_; unit_->pools = unit_->pools->next) unit_->pools->release_symbols();
    unit_->arena.release_to(start_);
  }
  DraftMemory(const DraftMemory&) = delete;
  DraftMemory& operator=(const DraftMemory&) = delete;
  // Called under the loader's lock.
  void begin() {
    start_ = unit_->arena.mark();
    first_pool_ = unit_->pools;
  }
  void end() { end_ = unit_->arena.mark(); }
  void keep() { kept_ = true; }
  ClassUnit& unit() const { return *unit_; }

 private:
  const bool own_;
  ClassUnit* const unit_;
  Arena::Mark start_, end_;
  ConstantPool* first_pool_ = nullptr;  // at start_
  bool kept_ = false;
};

Thrown throw_duplicate(JavaThread* thread, LoaderData* loader, const InstanceKlass* klass, const InstanceKlass* known)
    MAY_SAFEPOINT {
  return throw_new(thread, names::java_lang_LinkageError, "loader {} attempted duplicate {} definition for {}. ({})",
                   loader_name_and_id(loader), external_kind(klass), external_name(klass),
                   class_in_module_of_loader(known, true, true));
}

// Lists `name` as in progress in its loader while its supertypes are loaded.
class InProgressScope {
 public:
  InProgressScope(JavaThread* thread, const Symbol* name, LoaderData* loader)
      : loader_(loader), entry_{name, thread, nullptr} {
    MutexLock guard(loader->mutex);
    entry_.previous = loader->in_progress;
    loader->in_progress = &entry_;
  }
  ~InProgressScope() {
    MutexLock guard(loader_->mutex);
    ClassInProgress** link = &loader_->in_progress;
    while (*link != &entry_) link = &(*link)->previous;
    *link = entry_.previous;
  }
  InProgressScope(const InProgressScope&) = delete;
  InProgressScope& operator=(const InProgressScope&) = delete;

 private:
  LoaderData* loader_;
  ClassInProgress entry_;
};

// Says why a sealed supertype does not permit `sub` (JVMS 5.3.5), in the words of later releases; empty if it does.
std::string refusal_by_sealed(const InstanceKlass* super, const InstanceKlass* sub) TOUCHES_OBJECTS {
  if (!super->is_sealed) return {};
  auto module_of = [](const InstanceKlass* klass) TOUCHES_OBJECTS {
    std::string name = module_name(klass);
    return name.empty() ? std::string("unnamed module") : name;
  };
  if (!same_module(super, sub)) {
    return fmt::format(
        "Failed same module check: subclass {} is in module '{}' with loader {}, and sealed class {} is "
        "in module '{}' with loader {}",
        external_name(sub), module_of(sub), loader_name_and_id(sub->loader), external_name(super), module_of(super),
        loader_name_and_id(super->loader));
  }
  if (module_name(super).empty() && (sub->access_flags & access::Public) == 0 && !same_package(super, sub)) {
    auto package = [](const InstanceKlass* klass) {
      return package_of(klass).empty() ? std::string_view("unnamed") : package_of(klass);
    };
    return fmt::format(
        "Failed same package check: non-public subclass {} is in package '{}' with classloader {}, and "
        "sealed class {} is in package '{}' with classloader {}",
        external_name(sub), package(sub), loader_name_and_id(sub->loader), external_name(super), package(super),
        loader_name_and_id(super->loader));
  }
  for (u32 i = 0; i < super->permitted_subclass_count; ++i) {
    if (super->constants->class_name(super->permitted_subclasses[i]) == sub->name) return {};
  }
  return fmt::format("Failed listed permitted subclass check: class {} is not a permitted subclass of {}",
                     external_name(sub), external_name(super));
}

bool check_module(JavaThread* thread, const char* what, const InstanceKlass* klass, const InstanceKlass* super)
    MAY_SAFEPOINT {
  std::string why;
  if (module_lets_see(thread, klass, super, why)) return true;
  if (has_exception(thread)) return false;
  return throw_new(thread, names::java_lang_IllegalAccessError, "{} access check failed: {}", what, why);
}

bool check_superclass(JavaThread* thread, const InstanceKlass* klass, const InstanceKlass* super) MAY_SAFEPOINT {
  if (super->is_interface()) {
    return refuse_definition(
        thread, fmt::format("class {} has interface {} as super class", external_name(klass), external_name(super)));
  }
  if ((super->access_flags & access::Final) != 0) {
    return refuse_definition(
        thread, fmt::format("class {} cannot inherit from final class {}", external_name(klass), external_name(super)));
  }
  if (std::string why = refusal_by_sealed(super, klass); !why.empty()) {
    return refuse_definition(thread, release::explains_sealed()
                                         ? why
                                         : fmt::format("class {} cannot inherit from sealed "
                                                       "class {}",
                                                       external_name(klass), external_name(super)));
  }
  if (!may_extend_accessor(klass->loader, super)) {
    return throw_new(thread, names::java_lang_IllegalAccessError,
                     "class {} loaded by {} cannot access jdk/internal/reflect superclass {}", external_name(klass),
                     loader_name_and_id(klass->loader), external_name(super));
  }
  // An accessor's superclass is accessible. can_access_class cannot tell, because the draft has no superclass yet.
  if (klass->loader->kind == LoaderKind::Accessor && is_reflection_accessor(super)) return true;
  if (!can_access_class(klass, super)) {
    return throw_new(thread, names::java_lang_IllegalAccessError, "class {} cannot access its {}superclass {} ({})",
                     external_name(klass), super->is_abstract() ? "abstract " : "", external_name(super),
                     both_in_module_of_loader(klass, super));
  }
  return check_module(thread, "superclass", klass, super);
}

bool check_interface(JavaThread* thread, const InstanceKlass* klass, const InstanceKlass* interface) MAY_SAFEPOINT {
  if (!interface->is_interface()) {
    return refuse_definition(
        thread, fmt::format("class {} can not implement {}, because it is not an interface ({})", external_name(klass),
                            external_name(interface), class_in_module_of_loader(interface)));
  }
  if (std::string why = refusal_by_sealed(interface, klass); !why.empty()) {
    return refuse_definition(
        thread, release::explains_sealed()
                    ? why
                    : fmt::format("class {} cannot {} sealed interface {}", external_name(klass),
                                  klass->is_interface() ? "extend" : "implement", external_name(interface)));
  }
  if (!can_access_class(klass, interface)) {
    return throw_new(thread, names::java_lang_IllegalAccessError, "{} {} cannot access its superinterface {} ({})",
                     external_kind(klass), external_name(klass), external_name(interface),
                     both_in_module_of_loader(klass, interface));
  }
  return check_module(thread, "superinterface", klass, interface);
}

bool load_supertypes(JavaThread* thread, ParsedClass& parsed, LoaderData* loader, InstanceKlass*& super,
                     std::vector<InstanceKlass*>& interfaces) MAY_SAFEPOINT {
  InstanceKlass& draft = parsed.klass();
  InProgressScope in_progress(thread, draft.name, loader);
  if (parsed.super_name != nullptr) {
    Klass* loaded = resolve_class(thread, parsed.super_name, loader);
    if (loaded == nullptr) return false;
    super = loaded->as_instance();
    if (!check_superclass(thread, &draft, super)) return false;
  }
  for (u32 i = 0; i < draft.interface_count; ++i) {
    Klass* loaded = resolve_class(thread, draft.constants->class_name(parsed.interface_indices[i]), loader);
    if (loaded == nullptr) return false;
    if (!check_interface(thread, &draft, loaded->as_instance())) return false;
    interfaces.push_back(loaded->as_instance());
  }
  for (auto later = interfaces.begin(); later != interfaces.end(); ++later) {
    if (std::find(interfaces.begin(), later, *later) == later) continue;
    return throw_message(
        thread, names::java_lang_ClassFormatError,
        fmt::format("Duplicate interface name \"{}\" in class file {}", (*later)->name->text(), draft.name->text()));
  }
  return true;
}

void log_loaded(const InstanceKlass* klass, const char* source) {
  bool is_recorded = recorder::is_on(recorder::Family::classes);
  if (!is_recorded && !log::enabled(log::TagSet::class_load, log::Level::info)) return;
  std::string where = source != nullptr ? source : klass->is_boot ? "jrt:/java.base" : "__JVM_DefineClass__";
  if (is_recorded)
    recorder::record(recorder::Kind::class_loaded, recorder::text(external_name(klass)), recorder::text(where));
  KEYHOLE_LOG(info, class_load, "{} source: {}", external_name(klass), where);
}

}  // namespace

std::span<const u8> keep_class_file(Arena& arena, std::span<const u8> bytes) {
  if (bytes.empty()) return bytes;
  u8* copy = static_cast<u8*>(arena.allocate(bytes.size(), 1));
  memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

InstanceKlass* define_class_from(JavaThread* thread, const Symbol* name_or_null, std::span<const u8> bytes,
                                 bool bytes_stay, LoaderData* loader, const DefineOptions& options) {
  ParsedClass parsed;
  ParseOptions parse_options;
  parse_options.release_name_rules = release::release_name_rules();
  parse_options.expected_name = name_or_null;
  parse_options.trusted =
      options.boot_trusted || ((loader->is_boot() || options.of_jdk) && !flags::BytecodeVerificationLocal);
  ClassFileError error;
  RewrittenClassFile rewritten;
  ClassFileHook hook =
      options.hidden || options.boot_trusted ? nullptr : class_file_hook.load(std::memory_order_acquire);
  if (hook != nullptr) [[unlikely]]
    hook(thread, {ClassFileUse::Define, name_or_null, loader, options.domain, nullptr, bytes}, rewritten);
  if (!make_room_for_metadata(thread)) return nullptr;
  DraftMemory memory(loader, options);
  {
    MutexLock guard(loader->mutex);
    memory.begin();
    Arena& arena = memory.unit().arena;
    if (memory.unit().is_mortal) parse_options.pools = &memory.unit().pools;
    // The arena gets a copy of the file, because the class uses bytecode and attributes in place and the caller may
    // free its bytes.
    std::span<const u8> file = !rewritten.retransformed.empty() ? keep_class_file(arena, rewritten.retransformed)
                               : bytes_stay                     ? bytes
                                                                : keep_class_file(arena, bytes);
    bytes = rewritten.bytes.empty() ? file : keep_class_file(arena, rewritten.bytes);
    parsed.klass().class_file = file.data();
    parsed.klass().class_file_bytes = static_cast<u32>(file.size());
    error = parse_class_file(bytes, parse_options, arena, parsed);
    memory.end();
  }
  if (error) return throw_class_file_error(thread, error);
  InstanceKlass& draft = parsed.klass();
  draft.loader = loader;
  if (draft.name->starts_with("java/") && !loader->is_boot() && !is_platform_loader(loader) && !options.boot_trusted &&
      !options.of_jdk) {
    std::string package = external_name(&draft);
    package.resize(package.rfind('.'));
    static const Symbol* security_exception = Symbol::intern("java/lang/SecurityException");
    // The VM itself defines classes of the class path. In HotSpot ClassLoader.defineClass does; this is its message.
    if (loader->kind == LoaderKind::Application)
      return throw_new(thread, security_exception, "Prohibited package name: {}", package);
    return throw_new(thread, security_exception,
                     "Class loader (instance of): {} tried to load prohibited package name: {}",
                     loader_name_and_id(loader), package);
  }

  InstanceKlass* super = nullptr;
  std::vector<InstanceKlass*> interfaces;
  if (!load_supertypes(thread, parsed, loader, super, interfaces)) return nullptr;

  BuildResult built;
  InstanceKlass* known = nullptr;
  {
    MutexLock guard(loader->mutex);
    auto entry = options.hidden ? loader->dictionary.end() : loader->dictionary.find(draft.name);
    if (entry != loader->dictionary.end()) known = entry->second->as_instance();
    else built = build_class(parsed, memory.unit(), super, interfaces, options.hidden);
  }
  if (known != nullptr) {
    if (loader->is_boot() || options.of_jdk) return known;
    return throw_duplicate(thread, loader, &draft, known);
  }
  if (built.klass == nullptr) return refuse_definition(thread, built.incompatible);
  if (!add_class(thread, memory.unit(), built.klass)) return nullptr;
  memory.keep();
  InstanceKlass* klass = built.klass;
  klass->nest_host = options.nest_host;
  if (klass->nest_host != nullptr) {
    MutexLock guard(loader->mutex);
    klass->unit->keep(klass->nest_host->unit);
  }
  klass->is_boot = loader->is_boot() || options.boot_trusted || options.of_jdk;
  if (!options.class_data.is_null()) klass->class_data = options.class_data.get();

  if (mirrors_can_be_made()) {
    if (!make_mirror(thread, klass, options.source)) return nullptr;
    if (klass->class_data != nullptr) barrier::store(klass->mirror, well_known::Class_class_data, klass->class_data);
  }
  if (!options.hidden) {
    RecordedClass recorded = record_class(loader, klass->name, klass);
    if (recorded.klass != klass) {
      klass->mirror = nullptr;  // nothing refers to the loser
      if (recorded.klass == nullptr) return throw_constraint_violation(thread, loader, klass, recorded.conflicting);
      InstanceKlass* winner = recorded.klass->as_instance();
      if (loader->is_boot() || options.of_jdk) return winner;
      return throw_duplicate(thread, loader, klass, winner);
    }
  }
  log_loaded(klass, options.source);
  return klass;
}

InstanceKlass* define_class(JavaThread* thread, const Symbol* name_or_null, std::span<const u8> bytes,
                            LoaderData* loader, const DefineOptions& options) {
  return define_class_from(thread, name_or_null, bytes, false, loader, options);
}

}  // namespace keyhole
