// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the command set StackFrame: reads and writes locals of frames.
//
// A slot is read as a reference only if the frame's reference map contains it, because other slots may hold stale
// references.
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "vm/code/instruction.h"
#include "vm/link/java_call.h"
#include "vm/tools/jdwp/frames.h"
#include "vm/tools/jdwp/suspension.h"
#include "vm/verify/frame_map.h"

namespace keyhole::jdwp {

ThreadArgument thread_argument(u64 id) {
  Object* object = object_ids::find(id).object;
  if (object == nullptr) return {.error = Error::InvalidObject};
  if (object_tag(object) != tag::thread) return {.error = Error::InvalidThread};
  return {natives::thread_of(object), object};
}

ThreadArgument suspended_thread(u64 id) {
  ThreadArgument found = thread_argument(id);
  if (found.error != Error::None) return found;
  if (found.thread == nullptr) found.error = Error::InvalidThread;
  else if (suspension::count_of(found.thread) == 0) found.error = Error::ThreadNotSuspended;
  return found;
}

FrameArgument frame_of(JavaThread* thread, u64 frame_id) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (address_id(activation.id()) == frame_id) return {.frame = activation};
  }
  return {.error = Error::InvalidFrameid};
}

void write_location(Writer& out, const VirtualFrame& frame) { write_location(out, frame.method(), frame.bci()); }
void write_location(Writer& out, const Method* method, i32 bci) {
  out.write_tag(method == nullptr ? TypeTag::Class : type_tag_of(method->holder));
  out.write_u64(method == nullptr ? 0 : type_id(method->holder));
  out.write_u64(method == nullptr ? 0 : method_id(method));
  out.write_u64(static_cast<u64>(static_cast<i64>(bci)));  // native methods: -1
}

namespace {

bool holds_reference(const VirtualFrame& frame, u32 local) {
  struct Search {
    u32 local;
    bool found;
  } search{local, false};
  for_each_live_reference(
      frame.method(), static_cast<u32>(frame.bci()), false,
      [](u32 slot, void* context) {
        auto& wanted = *static_cast<Search*>(context);
        if (slot == wanted.local) wanted.found = true;
      },
      &search, frame.locals());
  return search.found;
}

// Returns the reference in a local, or null if the local holds no reference.
Object* reference_in(const VirtualFrame& frame, u32 local) {
  return holds_reference(frame, local) ? object_of(frame.locals()[local]) : nullptr;
}

BasicType type_of_tag(u8 tag) {
  BasicType type = basic_type_of_descriptor(static_cast<char>(tag));
  // Maps a protocol tag to a type. Strings, threads and the like have tags that are not descriptors; all of these are
  // references.
  return type == BasicType::Illegal ? BasicType::Reference : type;
}

// Returns the slot of a value of this type whose first local is `local`, or -1 if the frame does not have it.
i32 slot_of_local(const Method* method, i32 local, BasicType type) {
  // long and double occupy two slots, and the value is in the upper one
  i32 slot = local + (slot_count(type) == 2 ? 1 : 0);
  return local < 0 || type == BasicType::Void || slot >= method->max_locals ? -1 : slot;
}

// Stops the world, and calls use(frame) for the frame whose ids are the command's first arguments.
template <typename Use> Error of_frame(Call& call, Use use) MAY_SAFEPOINT {
  u64 thread_id = call.in.read_u64(), frame_id = call.in.read_u64();
  return stopped(call, "DebuggerFrames", [&]() TOUCHES_OBJECTS {
    ThreadArgument target = suspended_thread(thread_id);
    if (target.error != Error::None) return target.error;
    auto [frame, error] = frame_of(target.thread, frame_id);
    return error != Error::None ? error : use(frame);
  });
}

void write_local(Writer& out, BasicType type, u64 bits) {
  out.write_u8(tag_of(type));
  switch (element_shift(type)) {
    case 0: return out.write_u8(static_cast<u8>(bits));
    case 1: return out.write_u16(static_cast<u16>(bits));
    case 2: return out.write_i32(static_cast<i32>(bits));
    default: return out.write_u64(bits);
  }
}

// Converts a value to the interpreter's representation: types shorter than int are extended to int.
Slot slot_bits(BasicType type, u64 bits) {
  switch (type) {
    case BasicType::Boolean: return bits & 1;
    case BasicType::Byte: return static_cast<u32>(static_cast<i8>(bits));
    case BasicType::Short: return static_cast<u32>(static_cast<i16>(bits));
    default: return bits;
  }
}

// Returns whether the activation may run compiled code. Compiled code may keep the local in a register, and would not
// see the new value.
bool may_be_compiled(const VirtualFrame& activation) {
  if (activation.is_inlined()) return true;
  const MethodCode* body = activation.method()->body.load(std::memory_order_acquire);
  return body != nullptr && body->compiled.load(std::memory_order_acquire) != nullptr;
}

}  // namespace

Error stack_frame_get_values(Call& call) {
  return of_frame(call, [&](const VirtualFrame& frame) TOUCHES_OBJECTS {
    if (frame.is_native()) return Error::OpaqueFrame;
    u32 count = call.in.read_count(5);
    call.out.write_i32(static_cast<i32>(count));
    for (; count > 0; --count) {
      i32 local = call.in.read_i32();
      BasicType type = type_of_tag(call.in.read_u8());
      i32 slot = slot_of_local(frame.method(), local, type);
      if (slot < 0) return Error::InvalidSlot;
      if (type == BasicType::Reference) write_object(call.out, reference_in(frame, static_cast<u32>(slot)));
      else write_local(call.out, type, frame.locals()[slot]);
    }
    return Error::None;
  });
}

Error stack_frame_set_values(Call& call) {
  return of_frame(call, [&](const VirtualFrame& frame) TOUCHES_OBJECTS {
    if (frame.is_native()) return Error::OpaqueFrame;
    if (may_be_compiled(frame)) return Error::OpaqueFrame;
    for (u32 count = call.in.read_count(6); count > 0; --count) {
      i32 local = call.in.read_i32();
      BasicType type = type_of_tag(call.in.read_u8());
      Value value = read_value(call.in, type);
      if (value.error != Error::None) return value.error;
      i32 slot = slot_of_local(frame.method(), local, type);
      if (slot < 0) return Error::InvalidSlot;
      // The verifier has relied on the old value's type. So a reference may be replaced only by null or by a reference
      // to an object of the same class.
      bool is_reference = holds_reference(frame, static_cast<u32>(slot));
      if (is_reference != (type == BasicType::Reference)) return Error::TypeMismatch;
      if (is_reference) {
        const Object* before = object_of(frame.locals()[slot]);
        bool fits =
            value.object == nullptr || (before != nullptr && value.object->klass()->is_subtype_of(before->klass()));
        if (!fits) return Error::TypeMismatch;
        frame.locals()[slot] = slot_of(value.object);
      } else {
        frame.locals()[slot] = slot_bits(type, value.bits);
      }
    }
    return Error::None;
  });
}

Error stack_frame_this_object(Call& call) {
  return of_frame(call, [&](const VirtualFrame& frame) TOUCHES_OBJECTS {
    Object* self = nullptr;
    if (frame.is_native() && !frame.method()->is_static()) self = object_of(frame.locals()[0]);
    else if (!frame.method()->is_static()) self = reference_in(frame, 0);
    write_object(call.out, self);
    return Error::None;
  });
}

}  // namespace keyhole::jdwp
