// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which instructions the detector of data races checks, and reports races to the log and the recording.
#include "vm/interpreter/points/race_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/threads/races/races.h"
#include "vm/frames/application_place.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/metadata/external_names.h"

namespace keyhole::interpreter {

namespace {

// --- which code ------------------------------------------------------------------------------------------------------

bool starts_with_any(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [name](std::string_view each) { return name.starts_with(each); });
}

bool is_library(const InstanceKlass* holder) {
  constexpr std::string_view packages[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
  return holder->is_boot || starts_with_any(holder->name->text(), packages);
}

// P1. Classes whose documentation asks the program to synchronise.
bool is_collection(const InstanceKlass* holder) {
  constexpr std::string_view classes[] = {
      "java/util/ArrayList",      "java/util/ArrayDeque",    "java/util/BitSet",
      "java/util/HashMap",        "java/util/IdentityHash",  "java/util/LinkedHash",
      "java/util/LinkedList",     "java/util/PriorityQueue", "java/util/TreeMap",
      "java/util/WeakHashMap",    "java/util/EnumMap",       "java/util/AbstractList",
      "java/lang/AbstractString", "java/util/Arrays",        "java/util/DualPivotQuicksort"};
  return holder->is_boot && starts_with_any(holder->name->text(), classes);
}
// Returns whether the program calls collections through code of this class: any class of the package java.util, or
// StringBuilder.
bool leads_to_collection(const InstanceKlass* holder) {
  std::string_view name = holder->name->text();
  if (name == "java/lang/StringBuilder" || is_collection(holder)) return true;
  constexpr std::string_view package = "java/util/";
  return holder->is_boot && name.starts_with(package) && !name.substr(package.size()).contains('/');
}
// Returns whether the field caches a view of a collection, made at the view's first use. Several threads may each make
// and store a view; this race is harmless, because all views show the same collection.
bool is_cached_view(const Field* field) {
  constexpr std::string_view views[] = {"keySet", "values", "entrySet", "navigableKeySet", "descendingMap"};
  return std::ranges::find(views, field->name->text()) != std::end(views);
}

// P3. java.util.concurrent links nodes by compare-and-set, and follows some links by plain reads
// (LinkedTransferQueue.next).
bool is_linked_by_updates(const Field* field) {
  return field->holder->name->text().starts_with("java/util/concurrent/") && field->descriptor->text()[0] == 'L';
}

// --- places ----------------------------------------------------------------------------------------------------------

Mutex places_mutex{LockRank::race_places};
struct Places {
  std::unordered_map<std::string, u32> numbers;
  std::vector<std::string> texts{""};  // by number
  std::unordered_map<u32, std::string> threads;
  std::set<std::string> reported;  // variables with pairs of lines
};
Places& places() REQUIRES(places_mutex) {
  static auto* made = new Places;
  return *made;
}

u32 place_of(const Method* method, i32 bci) {
  std::string text = site_text(method, bci);
  MutexLock guard(places_mutex);
  auto [at, is_new] = places().numbers.try_emplace(text, static_cast<u32>(places().texts.size()));
  if (is_new) places().texts.push_back(std::move(text));
  return at->second;
}
std::string line_of(const std::string& place) { return place.substr(0, place.rfind(" bci ")); }

// --- instructions ----------------------------------------------------------------------------------------------------

namespace trait {
enum : u32 { known = 1, checked = 2, in_collection = 4, is_final = 8, optimistic = 16, ordered = 32 };
}

u32 traits_of(const Frame* frame, const Field* field) {
  const InstanceKlass* holder = frame->method->holder;
  u32 traits = trait::known;
  if (field != nullptr && field->is_final()) {
    if (field->is_static()) return traits;  // the class's initialisation orders it
    traits |= trait::is_final;
  }
  if (!is_library(holder)) return traits | trait::checked;
  if (is_collection(holder)) {
    if (field == nullptr || !is_cached_view(field)) traits |= trait::in_collection;
  } else if (field != nullptr && !field->is_final() && is_linked_by_updates(field)) {
    traits |= trait::ordered;
  } else if (holder->name->text() == "java/util/concurrent/locks/StampedLock" &&
             frame->method->name->text() == "tryOptimisticRead") {
    traits |= trait::optimistic;
  }
  return traits;
}

// Returns the place in the program that calls a collection; 0 if the program does not call the collection directly.
u32 caller_of_collection(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (!is_library(method->holder)) return place_of(method, activation.bci());
    if (!leads_to_collection(method->holder)) return 0;
  }
  return 0;
}
// The place in the program that called the running native method, directly or through a collection; otherwise 0.
u32 caller_of_copy(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (!is_library(method->holder)) return place_of(method, activation.bci());
    if (!activation.is_native() && !leads_to_collection(method->holder)) return 0;
  }
  return 0;
}
// The place in the program that called Unsafe through a VarHandle or another method handle; otherwise 0.
u32 caller_of_handle(const JavaThread* thread) {
  constexpr std::string_view handles[] = {"java/lang/invoke/", "jdk/internal/misc/Unsafe"};
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (!is_library(method->holder)) return place_of(method, activation.bci());
    if (!starts_with_any(method->holder->name->text(), handles)) return 0;
  }
  return 0;
}
u32 place_of_program(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread))
    if (!is_library(activation.method()->holder)) return place_of(activation.method(), activation.bci());
  return 0;
}

void acquire_initialization(JavaThread* thread, const Klass* klass) TOUCHES_OBJECTS {
  races::acquire(thread, klass->mirror, races::of_initialization);
}

// --- hooks -----------------------------------------------------------------------------------------------------------

std::string variable_name(const Object* base, u64 offset) TOUCHES_OBJECTS {
  const Klass* klass = base->klass();
  if (klass->is_array())
    return fmt::format("element {} of {}", index_at(base, offset), external_type(klass->name->text()));
  const Field* field = field_at(base, offset);
  if (field == nullptr) return fmt::format("memory of {}", indefinite_name(klass));
  return fmt::format("{}.{}", simple_name(field->holder), field->name->text());
}

// NO_THREAD_SAFETY_ANALYSIS: the detector calls this hook on a managed thread.
void report(JavaThread*, const races::Race& race) NO_THREAD_SAFETY_ANALYSIS {
  std::string variable = variable_name(race.object, race.offset);
  std::string earlier, later, earlier_thread, later_thread;
  {
    MutexLock guard(places_mutex);
    earlier = places().texts[race.earlier.place];
    later = places().texts[race.later.place];
    std::string one = line_of(earlier), other = line_of(later);
    // Two lines that race on array elements are reported once, not once for each element.
    std::string what = race.object->klass()->is_array() ? std::string("[]") : variable;
    if (!places().reported.insert(what + std::min(one, other) + std::max(one, other)).second) return;
    earlier_thread = places().threads[race.earlier.thread];
    later_thread = places().threads[race.later.thread];
  }
  KEYHOLE_LOG(warning, races,
              "Data race on {}: \"{}\" {} it at {}, and nothing orders this after \"{}\", which {} it at {}", variable,
              later_thread, race.later.writes ? "writes" : "reads", line_of(later), earlier_thread,
              race.earlier.writes ? "wrote" : "read", line_of(earlier));
  if (!recorder::is_on(recorder::Family::races)) return;
  recorder::record(recorder::Kind::data_race, recorder::text(variable), recorder::text(later), race.later.writes);
  recorder::record(recorder::Kind::data_race_with, race.earlier.thread, recorder::text(earlier), race.earlier.writes);
}

void copy_access(JavaThread* thread, const Object* object, u64 offset, bool writes) NO_THREAD_SAFETY_ANALYSIS {
  u32 place = caller_of_copy(thread);
  if (place == 0) return;
  const Field* field = field_at(object, offset);
  if (field != nullptr && field->is_volatile()) races::acquire_later(thread, object, offset);
  else races::access(thread, {object, offset, place, writes, field != nullptr && field->is_final()});
}

void plain_access(JavaThread* thread, const Object* object, u64 offset, bool writes) NO_THREAD_SAFETY_ANALYSIS {
  if (object->klass()->is_array()) {
    if (u32 place = caller_of_handle(thread); place != 0)
      return races::access(thread, {object, offset, place, writes, false});
  }
  const Field* field = field_at(object, offset);
  // Volatile fields and elements of reference arrays (nodes, tasks) are not checked, but order like links (P3).
  if (field == nullptr || field->is_volatile()) {
    if (field == nullptr && object->klass()->kind != KlassKind::ReferenceArray) return;
    return writes ? races::release(thread, object, offset) : races::acquire_later(thread, object, offset);
  }
  if (is_library(field->holder)) return;
  if (field->is_final() && field->is_static()) return;
  u32 place = place_of_program(thread);
  if (place != 0) races::access(thread, {object, offset, place, writes, field->is_final()});
}

races::Caller caller(const JavaThread* carrier) {
  bool is_scheduler = false;
  for (const VirtualFrame& activation : virtual_frames(carrier)) {
    std::string_view holder = activation.method()->holder->name->text();
    if (holder.starts_with("java/lang/VirtualThread"))
      return is_scheduler ? races::Caller::scheduler_for_thread : races::Caller::other;
    if (holder.starts_with("jdk/internal/vm/ThreadContainers")) return races::Caller::scheduler_for_thread;
    if (holder.starts_with("java/util/concurrent/ForkJoin")) is_scheduler = true;
  }
  return is_scheduler ? races::Caller::scheduler : races::Caller::other;
}

bool meet(const JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
  const Object* object = thread->thread_object;
  std::string name = object != nullptr ? name_of_thread(thread) : thread->vm_name != nullptr ? thread->vm_name : "main";
  if (name.empty()) name = fmt::format("virtual thread {}", thread->id);
  MutexLock guard(places_mutex);
  places().threads[static_cast<u32>(thread->id)] = name;
  return object != nullptr && object->klass()->name->text() == "jdk/internal/misc/CarrierThread";
}

}  // namespace

void initialize_race_points() {
  races::hooks = {
      .report = report, .plain_access = plain_access, .copy_access = copy_access, .caller = caller, .meet = meet};
}

// NO_THREAD_SAFETY_ANALYSIS: handlers run on managed threads, and this function stops at no safepoint.
void before_watched_access(JavaThread* thread, const Frame* frame, u64 word) NO_THREAD_SAFETY_ANALYSIS {
  races::KnownInstruction& known = races::known_instruction(thread, reinterpret_cast<u64>(frame->pc));
  bool is_known = known.key == reinterpret_cast<u64>(frame->pc);
  Operation operation = operation_of(word);
  bool writes = has(operation, effect::writes), is_volatile = has(operation, effect::ordered);
  constexpr u32 interesting = trait::checked | trait::in_collection | trait::ordered;
  if (is_known && !is_volatile && (known.traits & interesting) == 0) return;
  HeapAccess access = heap_access_of(frame, word);
  if (access.holder == nullptr || is_refused_store(frame, operation)) return;
  if (!is_known) {
    const Field* field = row(operation).category == Category::array ? nullptr : field_at(access.holder, access.offset);
    known = {.key = reinterpret_cast<u64>(frame->pc), .traits = traits_of(frame, field)};
    if ((known.traits & trait::checked) != 0) known.place = place_of(frame->method, bci_of(frame));
    if (row(operation).category == Category::static_field)
      acquire_initialization(thread, klass_of_mirror(access.holder));
  }
  if (operation == Operation::getstatic_far || operation == Operation::putstatic_far)
    is_volatile = metadata_at<const Field>(operand_b(word))->is_volatile();
  if (is_volatile) {
    if ((known.traits & trait::optimistic) != 0) races::begin_optimistic_read(thread);
    if (writes) races::release(thread, access.holder, access.offset);
    else races::acquire_later(thread, access.holder, access.offset);
    return;
  }
  if ((known.traits & trait::ordered) != 0) {
    if (!writes) races::acquire_later(thread, access.holder, access.offset);
    return;
  }
  u32 place = (known.traits & trait::in_collection) != 0 ? caller_of_collection(thread) : known.place;
  if (place == 0) return;
  races::access(thread, {access.holder, access.offset, place, writes, (known.traits & trait::is_final) != 0});
}

void before_watched_use(JavaThread* thread, const Frame* frame, u64 word) NO_THREAD_SAFETY_ANALYSIS {
  races::KnownInstruction& known = races::known_instruction(thread, reinterpret_cast<u64>(frame->pc));
  if (known.key == reinterpret_cast<u64>(frame->pc)) return;
  known = {.key = reinterpret_cast<u64>(frame->pc), .traits = trait::known};
  bool is_call = operation_of(word) == Operation::invokestatic;
  acquire_initialization(thread, is_call ? metadata_at<const Method>(operand_b(word))->holder
                                         : klass_of_id(static_cast<u32>(operand_b(word))));
}

void before_watched_return(JavaThread* thread, const Frame* frame) {
  if (frame->method->name->text() == "<init>" && !is_library(frame->method->holder)) races::leave_constructor(thread);
}

}  // namespace keyhole::interpreter
