// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a tick begins a line, an operation or a write. Rules: matcher.h.
#include "vm/tools/step/matcher.h"

#include <fmt/format.h>

#include "vm/code/instruction.h"
#include "vm/frames/application_place.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/interpreter/points/schedule_points.h"
#include "vm/link/well_known.h"

namespace keyhole::step {

namespace {

using controlled::Kind;

u16 read_u16(const u8* at) { return static_cast<u16>(at[0] << 8 | at[1]); }

// Returns the source line that begins at this instruction, or 0.
u32 line_beginning_at(const Method* method, u32 bci) {
  for (u32 i = 0; i < method->line_count; ++i) {
    const u8* row = method->lines + i * 4;
    if (read_u16(row) == bci) return read_u16(row + 2);
  }
  return 0;
}

u32 bci_at(const Standing& at) { return at.frame->method->body.load(std::memory_order_relaxed)->bci_of(at.frame->pc); }

bool is_in_program(const Standing& at) { return at.frame != nullptr && is_of_program(at.frame->method); }

bool ends_with_part(std::string_view whole, std::string_view part) {
  return whole == part || (whole.ends_with(part) && (whole[whole.size() - part.size() - 1] == '.' || part[0] == '['));
}

}  // namespace

bool is_of_program(const Method* method) {
  return method != nullptr && !method->holder->is_boot && !method->hidden_frame;
}

u32 depth_of(const JavaThread* thread) {
  u32 depth = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    static_cast<void>(activation);
    ++depth;
  }
  return depth;
}

bool is_choice_point(const Standing& at) {
  if (at.operation == nullptr) return false;
  Kind kind = at.operation->kind;
  return controlled::row(kind).is_choice || (controlled::is_access(kind) && at.base != nullptr);
}

std::string variable_name(const Object* base, u64 offset) NO_THREAD_SAFETY_ANALYSIS {
  const Klass* klass = base->klass();
  std::string name = interpreter::variable_at(base, offset).name;
  if (klass->is_array()) return interpreter::simple_name(klass) + name;
  if (klass->kind == KlassKind::Mirror) klass = klass_of_mirror(base);
  return name.find('.') != std::string::npos ? name : interpreter::simple_name(klass) + "." + name;
}

void Matcher::begin(const Request& request) {
  request_ = request;
  are_wanted_.clear();
}

u32 Matcher::line_at(const Standing& at) {
  const MethodCode* body = at.frame->method->body.load(std::memory_order_relaxed);
  if (body != last_body_) {
    auto [entry, is_new] = lines_.try_emplace(body);
    for (u32 i = 0; is_new && i <= body->instruction_count; ++i)
      entry->second.push_back(
          static_cast<u16>(i < body->instruction_count ? line_beginning_at(at.frame->method, body->bcis[i]) : 0));
    last_body_ = body;
    lines_of_last_ = entry->second.data();
  }
  return lines_of_last_[body->instruction_index(at.frame->pc)];
}

bool Matcher::begins_line(const Standing& at) {
  return is_in_program(at) && line_at(at) != 0 &&
         !has(interpreter::operation_of(at.word), interpreter::effect::unresolved);
}

// Operations on the locks of Thread and ThreadGroup objects are hidden: the class library takes these locks when a
// thread starts or ends.
static bool is_of_thread(u64 location) NO_THREAD_SAFETY_ANALYSIS {
  const Klass* klass = reinterpret_cast<const Object*>(location)->klass();
  for (; klass != nullptr; klass = klass->super)
    if (klass == well_known::Thread_class || klass == well_known::ThreadGroup_class) return true;
  return false;
}

bool Matcher::is_visible_operation(const Standing& at) const {
  if (at.operation == nullptr || at.operation->is_quiet) return false;
  Kind kind = at.operation->kind;
  if (controlled::is_access(kind)) {
    if (at.base == nullptr || (request_.goal == Goal::synchronization && kind <= Kind::write)) return false;
    const Frame* top = at.thread->top_frame;
    return top->kind == FrameKind::Interpreted && is_of_program(top->method);
  }
  if ((kind == Kind::enter || kind == Kind::exit) && is_of_thread(at.operation->location)) return false;
  return !application_place(at.thread).empty();
}

bool Matcher::writes_variable(const Standing& at) NO_THREAD_SAFETY_ANALYSIS {
  if (at.operation == nullptr || at.base == nullptr || !controlled::row(at.operation->kind).changes) return false;
  bool is_mirror = at.base->klass()->kind == KlassKind::Mirror;
  u64 key = (is_mirror ? reinterpret_cast<u64>(at.base) : reinterpret_cast<u64>(at.base->klass())) * 31 + at.offset;
  auto [entry, is_new] = are_wanted_.try_emplace(key, false);
  if (is_new) entry->second = is_wanted(variable_name(at.base, at.offset));
  return entry->second;
}

bool Matcher::is_wanted(std::string_view variable) const {
  for (u32 i = 0; i < request_.stop_count; ++i)
    if (request_.stops[i].line == 0 && ends_with_part(variable, request_.stops[i].name)) return true;
  return false;
}

bool Matcher::is_at_place(const Standing& at) {
  if (!begins_line(at)) return false;
  u32 line = line_at(at);
  for (u32 i = 0; i < request_.stop_count; ++i) {
    const StopAt& stop = request_.stops[i];
    const Symbol* file = at.frame->method->holder->source_file;
    if (stop.line == line && file != nullptr && file->text() == stop.name) return true;
  }
  return false;
}

bool Matcher::stores_local(const Standing& at) const {
  if (!is_in_program(at)) return false;
  interpreter::Operation operation = interpreter::plain_operation(interpreter::operation_of(at.word));
  if (!has(operation, interpreter::effect::writes_local)) return false;
  const Method* method = at.frame->method;
  u32 local = interpreter::operand_a(at.word), bci = bci_at(at);
  for (u32 i = 0; i < method->local_variable_count; ++i) {
    const u8* row = method->local_variables + i * 10;  // start, length, name, descriptor, slot
    // a variable's range in the LocalVariableTable begins after the store that initialises it
    constexpr u32 longest_store = 4;
    if (read_u16(row + 8) != local || bci + longest_store < read_u16(row)) continue;
    if (bci >= u32{read_u16(row)} + read_u16(row + 2)) continue;
    if (is_wanted(method->constants->utf8(read_u16(row + 4))->text())) return true;
  }
  return false;
}

bool Matcher::matches(const Standing& at) {
  u32 strand = controlled::current();
  switch (request_.goal) {
    case Goal::tick:
    case Goal::end: return false;
    case Goal::instruction: return is_in_program(at);
    case Goal::line: return at.is_first() ? !application_place(at.thread).empty() : begins_line(at);
    case Goal::line_of: return strand == request_.strand && begins_line(at);
    case Goal::over: return strand == request_.strand && begins_line(at) && depth_of(at.thread) <= request_.depth;
    case Goal::out: return strand == request_.strand && is_in_program(at) && depth_of(at.thread) < request_.depth;
    case Goal::operation:
    case Goal::synchronization: return is_visible_operation(at);
    case Goal::stop:
      if (at.operation != nullptr) return !at.resumes && writes_variable(at);
      return is_at_place(at) || stores_local(at);
    case Goal::strand: return strand == request_.strand;
    case Goal::point: return strand != request_.strand || (is_choice_point(at) && !at.resumes);
  }
  return false;
}

}  // namespace keyhole::step
