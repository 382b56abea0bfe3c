// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Describes operations of a controlled VM for the explorer: their places in the code, and their texts in a printed
// script.
//
// A write is described only at its thread's next event, because only then is the new value in memory. So the last
// access is kept until that event.
#include "vm/interpreter/points/schedule_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "runtime/base/safe_state.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/points.h"
#include "runtime/threads/threads.h"
#include "vm/frames/application_place.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"

namespace keyhole::interpreter {

namespace {

using controlled::Kind;

// --- places ----------------------------------------------------------------------------------------------------------

struct QuietRow {
  std::string_view class_name, method;
};
constexpr QuietRow quiet_rows[] = {
#define QUIET(class_name, method, reason) {class_name, method},
#include "vm/interpreter/points/quiet.def"
#undef QUIET
};

struct KnownMethod {
  u64 hash;
  bool is_quiet;
};

constexpr u64 mix(u64 hash, std::string_view text) {
  for (char c : text) hash = (hash ^ static_cast<u8>(c)) * 0x100000001B3;
  return hash;
}

// Returns the method's hash and whether quiet.def lists the method. The hash covers the names of class and method and
// the descriptor, so it is the same in every process. The hash leaves out the number at the end of a hidden class's
// name, because that number may differ.
const KnownMethod& known(const Method* method) {
  static auto* methods = new std::unordered_map<const Method*, KnownMethod>;
  auto [at, is_new] = methods->try_emplace(method);
  if (!is_new) return at->second;
  std::string_view holder = method->holder->name->text();
  if (method->holder->is_hidden) holder = holder.substr(0, holder.find("0x"));
  u64 hash = mix(mix(mix(0xCBF29CE484222325, holder), method->name->text()), method->descriptor->text());
  bool is_quiet = false;
  if (method->holder->is_boot && !controlled::execution->is_strict) {
    for (const QuietRow& row : quiet_rows)
      is_quiet |= (row.class_name == "*" || row.class_name == holder) &&
                  (row.method == "*" || row.method == method->name->text());
  }
  at->second = {hash, is_quiet};
  return at->second;
}

void locate(JavaThread* thread, controlled::Operation& operation) {
  constexpr i32 deepest = 64;
  i32 depth = 0;
  bool must_know_quiet = controlled::row(operation.kind).is_choice || controlled::execution->is_reduced ||
                         controlled::execution->describes || controlled::is_before_root();
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const KnownMethod& method = known(activation.method());
    if (depth == 0) {
      operation.place = method.hash ^ (static_cast<u64>(activation.bci() + 2) * 0x9E3779B97F4A7C15);
      must_know_quiet |= controlled::has_place(*controlled::execution, operation.place);
    }
    operation.is_quiet |= method.is_quiet;
    // An access is quiet if quiet.def lists the method that makes it, or a caller of that method. The search through
    // the callers stops at a method of the program: listed methods that call the program's method do not count.
    if (!must_know_quiet || operation.is_quiet || !activation.method()->holder->is_boot || ++depth == deepest) break;
  }
  if (operation.place == 0) operation.place = 1;
}

// Methods of Unsafe that order less than a volatile access or a full fence may call the native method of the stronger
// operation.
Kind weaker_kind(JavaThread* thread, Kind kind) {
  if (kind != Kind::volatile_read && kind != Kind::volatile_write && kind != Kind::full_fence) return kind;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (method->holder->name->text() != "jdk/internal/misc/Unsafe") break;
    std::string_view name = method->name->text();
    if (kind == Kind::full_fence) {
      if (name == "loadFence" || name == "loadLoadFence") return Kind::acquire_fence;
      if (name == "storeFence" || name == "storeStoreFence") return Kind::release_fence;
      continue;
    }
    bool reads = kind == Kind::volatile_read;
    if (name.ends_with("Opaque")) return reads ? Kind::opaque_read : Kind::opaque_write;
    if (name.ends_with(reads ? "Acquire" : "Release")) return reads ? Kind::acquire_read : Kind::release_write;
  }
  return kind;
}

void about(JavaThread* thread, controlled::Operation& operation, const Object* base,
           u64 offset) NO_THREAD_SAFETY_ANALYSIS {
  operation.kind = weaker_kind(thread, operation.kind);
  if (base == nullptr) return;
  const Klass* klass = base->klass();
  char letter = 'B';
  if (klass->is_array()) {
    letter = klass->name->text()[1];
  } else {
    const Field* field = field_at(base, offset);
    if (field == nullptr) return;
    letter = field->descriptor->text()[0];
    operation.is_final = field->is_final();
    if (field->is_static()) points::use_class(base);
  }
  operation.holder = reinterpret_cast<u64>(base);
  operation.is_reference = letter == 'L' || letter == '[';
  operation.bytes = 1u << shift_of(letter);
}

// --- words -----------------------------------------------------------------------------------------------------------

}  // namespace

static std::string reference_text(Object* object) NO_THREAD_SAFETY_ANALYSIS {
  if (object == nullptr) return "null";
  if (object->klass() == well_known::String_class) {
    constexpr usize most = 30;
    std::string text = string_to_utf8(object);
    for (char& c : text)
      if (static_cast<u8>(c) < ' ') c = ' ';
    return '"' + (text.size() > most ? text.substr(0, most) + "..." : text) + '"';
  }
  return indefinite_name(object->klass());
}

std::string value_text(char letter, u64 address) NO_THREAD_SAFETY_ANALYSIS {
  auto at = [address]<typename T>(T) { return *reinterpret_cast<const T*>(address); };
  switch (letter) {
    case 'Z': return at(u8{}) != 0 ? "true" : "false";
    case 'B': return fmt::format("{}", i32{at(i8{})});
    case 'C': return fmt::format("'\\u{:04x}'", u32{at(u16{})});
    case 'S': return fmt::format("{}", i32{at(i16{})});
    case 'I': return fmt::format("{}", at(i32{}));
    case 'J': return fmt::format("{}", at(i64{}));
    case 'F': return fmt::format("{}", at(f32{}));
    case 'D': return fmt::format("{}", at(f64{}));
    default: return reference_text(decode(at(NarrowRef{})));
  }
}

Variable variable_at(const Object* base, u64 offset) NO_THREAD_SAFETY_ANALYSIS {
  const Klass* klass = base->klass();
  if (klass->is_array()) {
    char letter = klass->name->text()[1];
    return {fmt::format("[{}]", index_at(base, offset)), letter == '[' ? 'L' : letter};
  }
  const Field* field = field_at(base, offset);
  if (field == nullptr) return {fmt::format("memory of {}", indefinite_name(klass))};
  std::string name(field->name->text());
  if (field->holder->is_boot) name = simple_name(field->holder) + "." + name;
  return {name, field->descriptor->text()[0]};
}

namespace {

// The latest write, if `is_pending`. describe() is called before memory changes, so it cannot read the new value, and
// saves the write here. describe_last() describes the write later, and reads the new value at `address`.
struct LastAccess {
  bool is_pending = false;
  u32 event;
  std::string place;
  Kind kind;
  Variable variable;
  u64 address;
  std::string before;
} last;

// The stores that went into store buffers. The key is the number of the store's event. When a store is flushed later,
// the flush is described with the place and the variable of the store, because by then the storing thread may be at
// another place.
struct Store {
  std::string place;
  Variable variable;
};
std::unordered_map<u32, Store>& stores() {
  static auto* map = new std::unordered_map<u32, Store>;
  return *map;
}

void describe_flush(u32 event, u32 store, u64 value) {
  auto found = stores().find(store);
  if (found == stores().end()) return;
  const auto& [place, variable] = found->second;
  std::string words =
      fmt::format("{} = {} reaches memory", variable.name, value_text(variable.letter, reinterpret_cast<u64>(&value)));
  controlled::describe(event, place.c_str(), words.c_str());
}

void describe_last() {
  if (!last.is_pending) return;
  last.is_pending = false;
  std::string now = value_text(last.variable.letter, last.address);
  std::string words = fmt::format("{} {} {}", controlled::row(last.kind).words, last.variable.name,
                                  now == last.before ? "= " + now : last.before + " -> " + now);
  if (controlled::is_in_buffer(last.event)) words += " in its store buffer";
  controlled::describe(last.event, last.place.c_str(), words.c_str());
}

}  // namespace

std::string words_of(const JavaThread* thread, const controlled::Operation& operation) NO_THREAD_SAFETY_ANALYSIS {
  const char* verb = controlled::row(operation.kind).words;
  switch (operation.kind) {
    case Kind::enter:
    case Kind::exit:
    case Kind::wait:
    case Kind::notify: {
      Object* object = reinterpret_cast<Object*>(operation.location);
      std::string what = object->klass() == well_known::Class_class ? simple_name(klass_of_mirror(object)) + ".class"
                                                                    : indefinite_name(object->klass());
      return fmt::format("{} {}", operation.kind == Kind::wait ? "waits on" : verb, what);
    }
    case Kind::unpark:
    case Kind::interrupt:
    case Kind::start: {
      std::string found;
      threads::for_each_platform_thread([&](JavaThread* other) {
        bool is_it = operation.kind == Kind::start
                         ? other == controlled::argument_of(static_cast<u32>(operation.location))
                         : reinterpret_cast<u64>(&other->parker) == operation.location;
        if (is_it) found = name_of_thread(other);
      });
      return fmt::format("{} {}", verb, found);
    }
    default: static_cast<void>(thread); return verb;
  }
}

namespace {

void describe(JavaThread* thread, u32 event, const controlled::Operation& operation, const Object* base, u64 offset) {
  describe_last();
  std::string place = application_place(thread);
  if (place.empty() || operation.is_quiet) return;
  char(&title)[32] = controlled::execution->titles[controlled::current()];
  if (title[0] == '\0') snprintf(title, sizeof title, "%s", name_of_thread(thread).c_str());
  if (!controlled::is_access(operation.kind))
    return controlled::describe(event, place.c_str(), words_of(thread, operation).c_str());
  if (base == nullptr) return;
  Variable variable = variable_at(base, offset);
  u64 address = reinterpret_cast<u64>(base) + offset;
  if (!controlled::writes(operation.kind)) {
    bool is_old = controlled::execution->events[event].older != 0;
    std::string words = fmt::format("{} {} = {}{}", controlled::row(operation.kind).words, variable.name,
                                    value_text(variable.letter, address), is_old ? ", not the last write" : "");
    return controlled::describe(event, place.c_str(), words.c_str());
  }
  last = {true, event, place, operation.kind, variable, address, value_text(variable.letter, address)};
  if (operation.kind == Kind::store) stores()[event] = {place, variable};
}

// --- all strands are stuck -------------------------------------------------------------------------------------------

// The thread that detects the deadlock is in a safe state, where debug builds let a thread touch no objects. Here the
// thread may touch objects, because no other thread can run and the process ends.
void describe_stuck() NO_THREAD_SAFETY_ANALYSIS {
  safe_state::left();
  describe_last();
  std::string text = "no thread can go on";
  threads::for_each_platform_thread([&](JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
    std::string place = application_place(thread);
    if (place.empty()) return;
    std::string what = "waits";
    if (Object* wanted = sync::blocked_on(thread)) {
      JavaThread* owner = sync::owner(wanted);
      what = fmt::format("waits to lock {}, which {} holds,", indefinite_name(wanted->klass()),
                         owner == nullptr ? "nobody" : name_of_thread(owner));
    } else if (Object* awaited = sync::waiting_on(thread)) {
      what = fmt::format("waits on {}", indefinite_name(awaited->klass()));
    } else if (JavaThreadStatus status = thread->status.load();
               status == JavaThreadStatus::Parked || status == JavaThreadStatus::ParkedTimed) {
      what = "is parked";
    }
    text += fmt::format("\n  {} {} at {}", name_of_thread(thread), what, place);
  });
  controlled::explain(text.c_str(), "");
}

// --- accesses --------------------------------------------------------------------------------------------------------

}  // namespace

// NO_THREAD_SAFETY_ANALYSIS: handlers run on managed threads, and no object moves in a controlled VM.
void before_heap_access(JavaThread* thread, const Frame* frame, u64 word) NO_THREAD_SAFETY_ANALYSIS {
  if (!controlled::is_exploring()) return;
  HeapAccess access = heap_access_of(frame, word);
  if (access.holder == nullptr) return;
  Operation operation = operation_of(word);
  bool writes = has(operation, effect::writes), is_volatile = has(operation, effect::ordered);
  if (writes && !is_volatile && !is_refused_store(frame, operation))
    return points::before_store(thread, access.holder, access.offset, 1u << access.shift);
  Kind kind = is_volatile ? (writes ? Kind::volatile_write : Kind::volatile_read) : writes ? Kind::write : Kind::read;
  points::before_access(thread, kind, access.holder, access.offset);
}

void before_controlled_return(const Frame* frame) NO_THREAD_SAFETY_ANALYSIS {
  if (!controlled::is_exploring() || !controlled::has_histories() || !frame->method->is_initializer()) return;
  const InstanceKlass* holder = frame->method->holder;
  std::span fields(holder->fields, holder->field_count);
  bool has_finals = std::ranges::any_of(fields, [](const Field& it) { return it.is_final() && !it.is_static(); });
  if (has_finals) points::leave_constructor(as_object(frame->locals[0]));
}

void yield_in_loop(JavaThread* thread) { points::before(thread, Kind::yield, nullptr); }

void prepare_place(const Method* method) { known(method); }

void initialize_schedule_points() {
  points::hooks.locate = locate;
  points::hooks.about = about;
  points::hooks.describe = describe;
  controlled::context.describe_stuck = describe_stuck;
  controlled::context.describe_last = describe_last;
  controlled::context.describe_flush = describe_flush;
}

}  // namespace keyhole::interpreter
