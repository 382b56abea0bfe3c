// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Callers: Reflection.getCallerClass, StackWalker, SecurityManager.getClassContext, VM.latestUserDefinedLoader.
//
// Frames that only carry a reflective call (Method.invoke, its accessors, hidden frames of method handles and lambdas)
// are skipped by all of them except StackWalker, which has options for that.
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/flags.h"
#include "runtime/threads/continuations/continuation.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/callers.h"

namespace keyhole::natives {

// Frame 0 is getCallerClass itself, and frame 1 the @CallerSensitive method that calls it. The result is the caller of
// frame 1.
Object* Reflection_getCallerClass(JavaThread* thread) {
  u32 depth = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (depth++ >= 2 && !is_reflection_frame(activation.method())) return activation.method()->holder->mirror;
  }
  return nullptr;
}

Object* VM_latestUserDefinedLoader0(JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (is_reflection_frame(activation.method())) continue;
    const LoaderData* loader = activation.method()->holder->loader;
    if (!loader->is_boot() && !is_platform_loader(loader)) return loader->java_loader;
  }
  return nullptr;
}

Object* SecurityManager_getClassContext(JavaThread* thread, Handle) {
  std::vector<const Klass*> holders;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (activation.is_native() || is_reflection_frame(activation.method())) continue;
    holders.push_back(activation.method()->holder);
  }
  Object* array = new_reference_array(thread, well_known::Class_class, static_cast<i32>(holders.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < holders.size(); ++i) barrier::store_element(array, static_cast<i32>(i), holders[i]->mirror);
  return array;
}

// --- StackWalker -----------------------------------------------------------------------------------------------------

namespace {

// Bits of `mode`, as in java.lang.StackStreamFactory.
constexpr i64 fill_class_refs_only = 0x2, get_caller_class = 0x4, show_hidden_frames = 0x20;

// The position of a stack walk. It lives in callStackWalk's C++ frame; Java holds its address and passes it to
// fetchStackFrames. All virtual frames that it may still visit lie below callStackWalk's own, so their frames do not
// run meanwhile (virtual_frame.h, V1). Or they are frames of an unmounted continuation, which Java keeps suspended
// until the walk is over.
//
// A walk of the thread itself continues from a mounted continuation to its mounter, up to the scope of the walk. It
// does not continue from a virtual thread to its carrier.
class WalkAnchor {
 public:
  // `walked` is the walker itself, an unmounted continuation, or null for a continuation without frames.
  WalkAnchor(JavaThread* walker, JavaThread* walked, Handle scope) MAY_SAFEPOINT : thread(walker),
                                                                                   walked_(walked),
                                                                                   scope_(scope),
                                                                                   next_(views_of(walked)) {
    leave_continuations();
  }
  bool is_of(const JavaThread* walker) const { return magic_ == signature && thread == walker; }
  void invalidate() { magic_ = 0; }

  bool at_end() const { return next_ == std::default_sentinel; }
  const VirtualFrame& activation() const { return *next_; }
  void advance() MAY_SAFEPOINT {
    ++next_;
    leave_continuations();
  }
  void go_on_in(JavaThread* continuation) {
    walked_ = continuation;
    next_ = views_of(continuation);
  }

  JavaThread* const thread;  // who walks

 private:
  static constexpr u64 signature = 0x4B48'5354'4143'4B57;

  static VirtualFramesOf<false>::Iterator views_of(const JavaThread* walked) {
    return walked == nullptr ? VirtualFramesOf<false>::Iterator(VirtualFrame()) : virtual_frames(walked).begin();
  }
  void leave_continuations() MAY_SAFEPOINT {
    while (at_end() && walked_ != nullptr && walked_->continuation != nullptr && walked_->carrier != nullptr) {
      const Continuation& left = *walked_->continuation;
      if (left.is_virtual_thread || (scope_ && scope_of_continuation(thread, walked_) == scope_.get())) return;
      walked_ = left.mounter;
      next_ = views_of(walked_);
      if (!at_end()) ++next_;  // enterSpecial, which has no frame of Java in HotSpot
    }
  }

  u64 magic_ = signature;
  JavaThread* walked_;
  Handle scope_;
  VirtualFramesOf<false>::Iterator next_;
};

// Is it a method of the walker itself? Such frames end with StackWalker.walk.
bool belongs_to_walker(const Method* method) {
  static const Symbol* walker = Symbol::intern("java/lang/StackWalker");
  static const Symbol* abstract_walker = Symbol::intern("java/lang/StackStreamFactory$AbstractStackWalker");
  const InstanceKlass* holder = method->holder;
  return holder->name == walker || holder->name == abstract_walker ||
         (holder->super != nullptr && holder->super->name == abstract_walker);
}

// Libraries from 25 on have ClassFrameInfo, a superclass of StackFrameInfo that knows only the frame's class. They
// query the bits of its method (java.lang.invoke.InvokeAccess of the overlay).
constexpr u32 frame_is_caller_sensitive = 1 << 20, frame_is_hidden = 1 << 22;
bool has_frame_of_class() { return well_known::Class_modifiers != 0; }

// Fills `frames` from `start` with at most `count` frames. Returns the index after the last one filled, or -1 with an
// exception pending.
i32 fill_frames(JavaThread* thread, i64 mode, WalkAnchor& anchor, i32 count, i32 start, Handle frames) MAY_SAFEPOINT {
  const late::StackFrameInfo* row = nullptr;
  if ((mode & fill_class_refs_only) == 0 && (row = late::get<late::StackFrameInfo>(thread)) == nullptr) return -1;
  const late::ClassFrameInfo* class_row = nullptr;
  if (has_frame_of_class() && (class_row = late::get<late::ClassFrameInfo>(thread)) == nullptr) return -1;
  i32 end = start;
  bool skip_hidden = ((mode & show_hidden_frames) == 0 && !flags::ShowHiddenFrames) || (mode & get_caller_class) != 0;
  for (; !anchor.at_end() && end - start < count; anchor.advance()) {
    const VirtualFrame& activation = anchor.activation();
    Method* method = activation.method();
    if (skip_hidden && method->hidden_frame) continue;
    if (class_row != nullptr) {
      Object* object = frames->reference_at(end);
      barrier::store(object, class_row->class_or_member, method->holder->mirror);
      u32 bits = (method->caller_sensitive ? frame_is_caller_sensitive : 0) |
                 (method->hidden_frame ? frame_is_hidden : 0) | (method->is_native() ? access::Native : 0);
      object->set<u32>(class_row->flags, object->get<u32>(class_row->flags) | bits);
      if (row == nullptr) {
        ++end;
        continue;
      }
    }
    if (row == nullptr) {
      if ((mode & get_caller_class) != 0 && end == start && method->caller_sensitive) {
        throw_new(thread, names::java_lang_UnsupportedOperationException,
                  "StackWalker::getCallerClass called from @CallerSensitive '{}' method", method->external_name());
        return -1;
      }
      barrier::store_element(frames.get(), end++, method->holder->mirror);
      continue;
    }
    HandleScope scope(thread);
    Handle object = scope.make(frames->reference_at(end));
    object->set<i64>(row->method, reinterpret_cast<i64>(method));
    object->set<i32>(row->bci, activation.bci());
    barrier::store(object.get(), row->declaring_class, method->holder->mirror);
    Object* text = intern_symbol(thread, method->name);
    if (text == nullptr) return -1;
    barrier::store(object.get(), row->method_name, text);
    text = intern_symbol(thread, method->descriptor);
    if (text == nullptr) return -1;
    barrier::store(object.get(), row->descriptor, text);
    ++end;
  }
  return end;
}

}  // namespace

bool StackStreamFactory_checkStackWalkModes(JavaThread*) { return true; }

namespace {

// Walks a stack. `walked` and `scope` as for WalkAnchor.
Object* walk_stack(JavaThread* thread, JavaThread* walked, Handle scope, Handle self, i64 mode, i32 skip, i32 count,
                   i32 start, Handle frames) MAY_SAFEPOINT {
  if (frames.is_null()) return throw_message(thread, names::java_lang_NullPointerException, "frames_array is NULL");
  const late::AbstractStackWalker* row = late::get<late::AbstractStackWalker>(thread);
  if (row == nullptr) return nullptr;
  WalkAnchor anchor(thread, walked, scope);
  while (walked == thread && !anchor.at_end() && belongs_to_walker(anchor.activation().method())) anchor.advance();
  for (i32 i = 0; i < skip && !anchor.at_end(); ++i) anchor.advance();
  i32 end = fill_frames(thread, mode, anchor, count, start, frames);
  if (end < 0) return nullptr;
  // No frame: an error in a walk of the thread itself, but a continuation may not have begun, or have ended.
  if (end <= start && walked == thread)
    return throw_message(thread, names::java_lang_InternalError, "stack walk: decode failed");
  i32 asked_or_filled = has_frame_of_class() ? end - start : count;  // later libraries pass the number of filled frames
  Slot arguments[] = {
      slot_of(self),  0,           slot_of(reinterpret_cast<i64>(&anchor)), slot_of(skip), slot_of(asked_or_filled),
      slot_of(start), slot_of(end)};
  Object* result = object_of(call_java(thread, row->do_stack_walk, arguments));
  anchor.invalidate();
  return has_exception(thread) ? nullptr : result;
}

}  // namespace

namespace {
// The walk's anchor. Null: the walk is over, and an exception is pending.
WalkAnchor* anchor_at(JavaThread* thread, i64 address) MAY_SAFEPOINT {
  auto* anchor = reinterpret_cast<WalkAnchor*>(address);
  if (anchor != nullptr && anchor->is_of(thread)) return anchor;
  throw_message(thread, names::java_lang_InternalError, "doStackWalk: corrupted buffers");
  return nullptr;
}

// The thread of an unmounted continuation. Null: it has no frames, or another thread runs it.
JavaThread* unmounted_thread_of(JavaThread* thread, Handle continuation) MAY_SAFEPOINT {
  JavaThread* found = thread_of_continuation(thread, continuation);
  return found != nullptr && found->carrier == nullptr ? found : nullptr;
}
}  // namespace

Object* AbstractStackWalker_callStackWalk(JavaThread* thread, Handle self, i64 mode, i32 skip, i32 count, i32 start,
                                          Handle frames) {
  return walk_stack(thread, thread, Handle(), self, mode, skip, count, start, frames);
}
// In this release virtual threads run on threads of their own, so there is no continuation.
Object* AbstractStackWalker_callStackWalk_21(JavaThread* thread, Handle self, i64 mode, i32 skip, Handle, Handle,
                                             i32 count, i32 start, Handle frames) {
  return walk_stack(thread, thread, Handle(), self, mode, skip, count, start, frames);
}
// `size` is the array's length in this release; its elements before `start` are not for frames.
Object* AbstractStackWalker_callStackWalk_25(JavaThread* thread, Handle self, i32 mode, i32 skip, Handle scope,
                                             Handle continuation, i32 size, i32 start, Handle frames) {
  JavaThread* walked = continuation.is_null() ? thread : unmounted_thread_of(thread, continuation);
  return walk_stack(thread, walked, scope, self, mode, skip, size - start, start, frames);
}

i32 AbstractStackWalker_fetchStackFrames(JavaThread* thread, Handle, i64 mode, i64 address, i32 count, i32 start,
                                         Handle frames) {
  WalkAnchor* anchor = anchor_at(thread, address);
  if (anchor == nullptr) return 0;
  // fill_frames advances the anchor past each frame that it takes.
  i32 end = fill_frames(thread, mode, *anchor, count, start, frames);
  return end < 0 ? 0 : end;
}

// Returns the number of frames; the older version returns the index for the next frame.
i32 AbstractStackWalker_fetchStackFrames_25(JavaThread* thread, Handle self, i32 mode, i64 address, i32, i32 size,
                                            i32 start, Handle frames) {
  i32 end = AbstractStackWalker_fetchStackFrames(thread, self, mode, address, size - start, start, frames);
  return std::max(0, end - start);
}

// Called at the end of a continuation's frames: the walk continues in its parent, which is unmounted, too.
void AbstractStackWalker_setContinuation(JavaThread* thread, Handle, i64 address, Handle, Handle continuation) {
  if (WalkAnchor* anchor = anchor_at(thread, address)) anchor->go_on_in(unmounted_thread_of(thread, continuation));
}

}  // namespace keyhole::natives
