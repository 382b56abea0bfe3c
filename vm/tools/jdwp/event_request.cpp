// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Command set EventRequest.
#include "vm/tools/jdwp/commands.h"
#include "vm/tools/jdwp/events.h"

namespace keyhole::jdwp {
namespace {

bool is_known(EventKind kind) {
  switch (kind) {
    case EventKind::Exception:
    case EventKind::ThreadStart:
    case EventKind::ThreadEnd:
    case EventKind::ClassPrepare:
    case EventKind::ClassUnload:
    case EventKind::VmStart:
    case EventKind::VmDeath: return true;
    default: return false;
  }
}

enum class Modifier : u8 {
  Count = 1,
  Conditional = 2,
  ThreadOnly = 3,
  ClassOnly = 4,
  ClassMatch = 5,
  ClassExclude = 6,
  ExceptionOnly = 8,
  SourceNameMatch = 12,
  PlatformThreadsOnly = 13
};

Error read_filter(Call& call, events::Request& request) TOUCHES_OBJECTS {
  switch (static_cast<Modifier>(call.in.read_u8())) {
    case Modifier::Count: {
      i32 count = call.in.read_i32();
      if (count <= 0) return Error::InvalidCount;
      request.filters.push_back(events::CountFilter{count});
      return Error::None;
    }
    case Modifier::ThreadOnly: {
      u64 id = call.in.read_u64();
      Object* thread = object_ids::find(id).object;
      if (thread == nullptr || object_tag(thread) != tag::thread) return Error::InvalidThread;
      request.filters.push_back(events::ThreadFilter{id});
      return Error::None;
    }
    case Modifier::ClassOnly: {
      auto [klass, error] = read_type(call);
      if (error == Error::None) request.filters.push_back(events::ClassFilter{type_id(klass)});
      return error;
    }
    case Modifier::ClassMatch:
      request.filters.push_back(events::NameFilter{std::string(call.in.read_string()), false});
      return Error::None;
    case Modifier::ClassExclude:
      request.filters.push_back(events::NameFilter{std::string(call.in.read_string()), true});
      return Error::None;
    case Modifier::ExceptionOnly: {
      if (request.kind != EventKind::Exception) return Error::IllegalArgument;
      u64 id = call.in.read_u64();
      bool caught = call.in.read_boolean(), uncaught = call.in.read_boolean();
      Object* mirror = id == 0 ? nullptr : object_ids::find(id).object;
      if (id != 0 && (mirror == nullptr || !is_class_object(mirror))) return Error::InvalidClass;
      request.filters.push_back(events::ExceptionFilter{id, caught, uncaught});
      return Error::None;
    }
    // This modifier has no effect, because the agent never reports the start and end of virtual threads.
    case Modifier::PlatformThreadsOnly: return Error::None;
    case Modifier::SourceNameMatch:
      request.filters.push_back(events::SourceFilter{std::string(call.in.read_string())});
      return Error::None;
    // modifiers for condition, place, field, step and instance, which only unsupported events have
    default: return Error::NotImplemented;
  }
}

}  // namespace

Error event_request_set(Call& call) {
  events::Request request;
  request.kind = static_cast<EventKind>(call.in.read_u8());
  u8 policy = call.in.read_u8();
  if (!is_known(request.kind)) return Error::NotImplemented;
  if (policy > static_cast<u8>(SuspendPolicy::All)) return Error::IllegalArgument;
  request.policy = static_cast<SuspendPolicy>(policy);
  for (u32 count = call.in.read_count(1); count > 0; --count) {
    if (Error error = read_filter(call, request); error != Error::None) return error;
  }
  if (!call.in.ok()) return Error::IllegalArgument;
  call.out.write_i32(events::add(std::move(request)));
  return Error::None;
}

Error event_request_clear(Call& call) {
  EventKind kind = static_cast<EventKind>(call.in.read_u8());
  events::remove(kind, call.in.read_i32());
  return Error::None;
}

Error event_request_clear_all_breakpoints(Call&) { return Error::None; }

}  // namespace keyhole::jdwp
