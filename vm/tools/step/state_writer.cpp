// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes threads, variables and locks. It may use raw object addresses: objects do not move in a controlled VM, and
// no other thread runs while it writes.
#include "vm/tools/step/state_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "runtime/sync/synchronizer.h"
#include "runtime/threads/threads.h"
#include "vm/code/instruction.h"
#include "vm/frames/application_place.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"

namespace keyhole::step {

namespace {

using controlled::Kind;

constexpr usize most_fields = 3000, most_locks = 1000;
constexpr u32 most_frames = 20;

u16 read_u16(const u8* at) { return static_cast<u16>(at[0] << 8 | at[1]); }

std::string clean(std::string text) {
  for (char& c : text)
    if (static_cast<u8>(c) < ' ') c = ' ';
  return text;
}

bool is_about_lock(Kind kind) { return kind == Kind::enter || kind == Kind::wait || kind == Kind::notify; }

}  // namespace

// --- the locks and fields that the state shows ----------------------------------------------------------------------

void StateWriter::see(JavaThread* thread, const controlled::Operation& operation, const Object* base,
                      u64 offset) NO_THREAD_SAFETY_ANALYSIS {
  Strand& strand = strands_[controlled::current()];
  strand.thread = thread;
  strand.last = {operation, base, offset, controlled::execution->event_count};
  if (strand.name.empty()) strand.name = clean(interpreter::name_of_thread(thread));
  if (operation.kind == Kind::start) {
    u32 number = static_cast<u32>(operation.location);
    Strand& started = strands_[number];
    // The argument of a strand's function is its JavaThread, which start_native() in threads.cpp passes.
    started.thread = static_cast<JavaThread*>(controlled::argument_of(number));
    started.name = clean(interpreter::name_of_thread(started.thread));
  }
  if (is_about_lock(operation.kind) && !operation.is_quiet && locks_.size() < most_locks) {
    auto* object = reinterpret_cast<const Object*>(operation.location);
    if (std::ranges::find(locks_, object) == locks_.end()) locks_.push_back(object);
  }
  if (base == nullptr || seen_.size() >= most_fields) return;
  const Frame* top = thread->top_frame;
  if (top->kind != FrameKind::Interpreted || !is_of_program(top->method)) return;
  if (index_of_seen_.try_emplace(reinterpret_cast<u64>(base) + offset, static_cast<u32>(seen_.size())).second)
    seen_.push_back({base, offset});
}

// Returns the table entry of a key. If no free entry is near, the key shares an entry with other keys.
Numbered& StateWriter::numbered(u64 key) {
  constexpr u32 most_probes = 64;
  u64 slot = (key * 0x9E3779B97F4A7C15) >> 48;
  static_assert(number_slots == 1u << 16);
  for (u32 i = 0; i < most_probes; ++i, slot = (slot + 1) % number_slots) {
    Numbered& entry = control_->numbers[slot];
    if (entry.key == 0) entry.key = key;
    if (entry.key == key) return entry;
  }
  return control_->numbers[slot];
}

std::string StateWriter::numbered_name(const Object* object) NO_THREAD_SAFETY_ANALYSIS {
  std::string name = interpreter::simple_name(object->klass());
  u64 hash = std::hash<std::string>()(name) | 1;
  u32& number = numbered(hash ^ reinterpret_cast<u64>(object) << 16).number;
  if (number == 0) number = ++numbered(hash).number;
  return fmt::format("{}#{}", name, number);
}

std::string StateWriter::object_text(const Object* object) NO_THREAD_SAFETY_ANALYSIS {
  if (object == nullptr) return "null";
  const Klass* klass = object->klass();
  if (klass == well_known::String_class) {
    constexpr usize most = 40;
    std::string text = clean(string_to_utf8(const_cast<Object*>(object)));
    return '"' + (text.size() > most ? text.substr(0, most) + "..." : text) + '"';
  }
  if (klass->kind == KlassKind::Mirror) {
    const Klass* represented = klass_of_mirror(object);
    return represented == nullptr ? "a Class" : interpreter::simple_name(represented) + ".class";
  }
  for (const Strand& strand : strands_)
    if (strand.thread != nullptr && strand.thread->thread_object == object) return "thread " + strand.name;
  if (klass->is_array()) return fmt::format("{} (length {})", numbered_name(object), object->length());
  return numbered_name(object);
}

std::string StateWriter::value_at(char letter, u64 address) NO_THREAD_SAFETY_ANALYSIS {
  if (letter == 'L' || letter == '[') return object_text(decode(*reinterpret_cast<const NarrowRef*>(address)));
  return interpreter::value_text(letter, address);
}

std::string StateWriter::words_of(const Strand& strand) NO_THREAD_SAFETY_ANALYSIS {
  const controlled::Operation& operation = strand.last.operation;
  const char* verb = controlled::row(operation.kind).words;
  if (controlled::is_access(operation.kind)) {
    if (strand.last.base == nullptr) return verb;
    return fmt::format("{} {}", verb, interpreter::variable_at(strand.last.base, strand.last.offset).name);
  }
  if (is_about_lock(operation.kind) || operation.kind == Kind::exit) {
    std::string object = object_text(reinterpret_cast<const Object*>(operation.location));
    return fmt::format("{} {}", operation.kind == Kind::wait ? "waits on" : verb, object);
  }
  return interpreter::words_of(strand.thread, operation);
}

// --- threads ---------------------------------------------------------------------------------------------------------

// Updates the thread and name of each strand. A thread that has ended keeps its last name.
void StateWriter::find_threads() {
  std::vector<JavaThread*> living;
  threads::for_each_platform_thread([&](JavaThread* thread) { living.push_back(thread); });
  for (u32 i = 0; i < controlled::execution->strand_count; ++i) {
    Strand& strand = strands_[i];
    if (controlled::has_ended(i) || std::ranges::find(living, strand.thread) == living.end()) strand.thread = nullptr;
    else strand.name = clean(interpreter::name_of_thread(strand.thread));
  }
}

std::string StateWriter::status_of(u32 number, const Standing* at, std::string& doing) NO_THREAD_SAFETY_ANALYSIS {
  const Strand& strand = strands_[number];
  if (controlled::has_ended(number)) return "ended";
  if (strand.thread == nullptr) return "not begun";
  bool is_here = at != nullptr && number == controlled::current();
  bool has_next = is_here ? at->operation != nullptr : strand.last.event != UINT32_MAX;
  // The thread may by now have executed the operation before which it last stopped. It has if its strand has a later
  // event.
  for (u32 event = strand.last.event; !is_here && has_next && event < controlled::execution->event_count; ++event)
    has_next = controlled::execution->events[event].strand != number;
  bool can_go_on = controlled::contains(controlled::enabled_strands(), number);
  if (Object* wanted = sync::blocked_on(strand.thread); wanted != nullptr && !can_go_on) {
    JavaThread* owner = sync::owner(wanted);
    doing = fmt::format("waits to lock {}, which {} holds", object_text(wanted),
                        owner == nullptr ? "nobody" : clean(interpreter::name_of_thread(owner)));
    return "blocked";
  }
  if (!can_go_on) {
    Object* awaited = sync::waiting_on(strand.thread);
    JavaThreadStatus status = strand.thread->status.load();
    if (awaited != nullptr) {
      bool is_thread = awaited->klass() == well_known::Thread_class;
      std::string name;
      for (const Strand& other : strands_)
        if (is_thread && other.thread != nullptr && other.thread->thread_object == awaited) name = other.name;
      doing = "waits " + (name.empty() ? "on " + object_text(awaited) : "for " + name);
    } else if (status == JavaThreadStatus::Parked || status == JavaThreadStatus::ParkedTimed) {
      doing = "is parked";
    } else if (status == JavaThreadStatus::Sleeping) {
      doing = "sleeps";
    } else {
      doing = "waits";
    }
    return "waits";
  }
  if (has_next) doing = words_of(strand);
  return is_here ? "runs" : "ready";
}

void StateWriter::write_locals(u32 number, u32 frame, const Method* method, u32 bci,
                               const Slot* locals) NO_THREAD_SAFETY_ANALYSIS {
  for (u32 i = 0; i < method->local_variable_count; ++i) {
    const u8* row = method->local_variables + i * 10;  // start, length, name, descriptor, slot
    u32 start = read_u16(row), slot = read_u16(row + 8);
    if (bci < start || bci >= start + read_u16(row + 2)) continue;
    std::string_view name = method->constants->utf8(read_u16(row + 4))->text();
    char letter = method->constants->utf8(read_u16(row + 6))->text()[0];
    if (letter == 'J' || letter == 'D') ++slot;
    std::string value = letter == 'L' || letter == '['
                            ? object_text(reinterpret_cast<const Object*>(locals[slot]))
                            : interpreter::value_text(letter, reinterpret_cast<u64>(&locals[slot]));
    text_ += fmt::format("local\t{}\t{}\t{}\t{}\n", number, frame, name, value);
  }
}

void StateWriter::write_frames(u32 number, const JavaThread* thread) {
  u32 index = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (!is_of_program(method)) continue;
    i32 bci = activation.bci();
    text_ += fmt::format("frame\t{}\t{}\t{}.{}\t{}\n", number, index, interpreter::simple_name(method->holder),
                         method->name->text(), place_text(method, bci));
    if (bci >= 0) write_locals(number, index, method, static_cast<u32>(bci), activation.locals());
    if (++index == most_frames) break;
  }
}

void StateWriter::write_threads(const Standing* at) {
  for (u32 i = 0; i < controlled::execution->strand_count; ++i) {
    Strand& strand = strands_[i];
    bool is_current = at != nullptr && i == controlled::current();
    if (controlled::is_system(i) && !is_current) continue;
    std::string doing, place, status = status_of(i, at, doing);
    if (strand.thread != nullptr) place = application_place(strand.thread);
    text_ += fmt::format("thread\t{}\t{}\t{}\t{}\t{}\n", i,
                         strand.name.empty() ? controlled::execution->names[i] : strand.name, status, place, doing);
    if (strand.thread != nullptr) write_frames(i, strand.thread);
  }
}

// --- variables and locks ---------------------------------------------------------------------------------------------

void StateWriter::write_fields() NO_THREAD_SAFETY_ANALYSIS {
  for (const Seen& seen : seen_) {
    interpreter::Variable variable = interpreter::variable_at(seen.base, seen.offset);
    const Klass* klass = seen.base->klass();
    std::string holder = klass->kind == KlassKind::Mirror ? interpreter::simple_name(klass_of_mirror(seen.base))
                                                          : numbered_name(seen.base);
    std::string name = variable.name.substr(variable.name.find('.') + 1);  // of the library: "System.out"
    if (name.starts_with('$')) continue;                                   // of the compiler: "$assertionsDisabled"
    text_ += fmt::format("field\t{}{}{}\t{}\n", holder, klass->is_array() ? "" : ".", name,
                         value_at(variable.letter, reinterpret_cast<u64>(seen.base) + seen.offset));
  }
}

void StateWriter::write_locks() NO_THREAD_SAFETY_ANALYSIS {
  for (const Object* each : locks_) {
    auto* object = const_cast<Object*>(each);
    std::string owner, entering, waiting;
    for (const Strand& strand : strands_) {
      if (strand.thread == nullptr) continue;
      if (sync::owner(object) == strand.thread) owner = strand.name;
      if (sync::blocked_on(strand.thread) == object && sync::owner(object) != strand.thread)
        entering += (entering.empty() ? "" : ", ") + strand.name;
      if (sync::waiting_on(strand.thread) == object) waiting += (waiting.empty() ? "" : ", ") + strand.name;
    }
    if (object->klass() == well_known::Thread_class && owner.empty()) continue;  // a join
    if (owner.empty() && entering.empty() && waiting.empty()) continue;
    text_ += fmt::format("lock\t{}\t{}\t{}\t{}\n", object_text(object), owner, entering, waiting);
  }
}

void StateWriter::publish() {
  usize length = std::min<usize>(text_.size(), max_state_bytes);
  memcpy(control_->state, text_.data(), length);
  control_->state_bytes = static_cast<u32>(length);
}

void StateWriter::write(const Standing& at) {
  u32 current = controlled::current();
  strands_[current].thread = at.thread;
  find_threads();
  text_.clear();
  std::string instruction;
  if (at.frame != nullptr)
    instruction = interpreter::name_of(interpreter::plain_operation(interpreter::operation_of(at.word)));
  text_ += fmt::format("at\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", at.tick, controlled::execution->event_count, current,
                       controlled::enabled_strands(), depth_of(at.thread), at.is_first() ? 1 : 0,
                       is_choice_point(at) && !at.resumes ? 1 : 0, at.switch_tick, at.switch_event);
  text_ += fmt::format("instruction\t{}\n", instruction);
  write_threads(&at);
  write_fields();
  write_locks();
  publish();
}

void StateWriter::write_last() {
  find_threads();
  text_ = "last\n";
  write_threads(nullptr);
  write_fields();
  write_locks();
  publish();
}

}  // namespace keyhole::step
