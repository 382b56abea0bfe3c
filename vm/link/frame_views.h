// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking Java stacks. A *view* is one activation of a method as seen from outside: method, bci, locals, operands, lock
// records. Stack traces, caller checks, StackWalker, thread dumps, roots, the sweeper and the debugger see views; only
// this file and the way back from a callee (vm/interpreter/java_frames.h, caller_of) read Frame::caller, which
// tests/check_frames.py checks.
//
//     frames (runtime/threads/frame.h)         views, innermost first
//
//     | Native       wait     |  ---------->   wait
//     | Inlining     run      |  ---------->   put       inlined  \
//     |    pc: a call site    |                add       inlined   > what the call site says
//     |                       |                run                /
//     | Interpreted  main     |  ---------->   main
//     | Entry                 |  ---------->   an entry from C++: no method; java_views() leaves it out
//
// An inlined activation has its place where the interpreter would have made its frame. Locals and operands are in their
// homes during a call; the header is not written:
//
//     locals of run | Frame | operands of run                          operands of add
//                                    | locals of add       | (Frame) |          | locals of put | (Frame) | operands of
//                                    put
//                   ^ place()                              ^ place()                            ^ place()
//
// What is in objects that code has not made lies between the header and the operands of run, which all lie higher then
// (further_slots).
//
// V1 Walked by the thread itself, or while it is stopped. A view is valid until its frame continues or is left.
// V2 place() identifies a view: the frame's address, or where the inlined one's frame would be.
// V3  (method, bci) says which slots of a view hold references (vm/verify/frame_map.h); beside them, a frame's own view
//     has further_roots().
// V4  Lock records lie in the order of views: a view's end where its callee's begin.
// V5 A frame without inlined ones costs one comparison of its kind. The bci, which needs a look-up, is computed on
//     demand.
#pragma once

#include <iterator>
#include <span>
#include <vector>

#include "runtime/threads/java_thread.h"
#include "vm/metadata/method.h"

namespace keyhole {

// An object that code has not made where it calls or leaves: whoever takes over makes it (vm/interpreter/rebuild.cpp).
struct UnmadeObject {
  static constexpr u32 box = 0;   // in place of a class: the Integer of the number in its one field (vm/link/boxes.h)
  struct Field {
    char type;         // B S I J A: as it lies in memory
    bool is_unmade;    // `source` is the number of an unmade object of the same site
    u32 offset;
    u32 source;        // else slots above the frame's locals
  };
  u32 klass_id;
  i32 length;                   // of an array
  std::vector<Field> fields;    // those that are not 0 or null
  std::vector<u32> slots;       // above the frame's locals: that are to name it
};

// A call site's description of the activations in it. Made by the compiler, with the code.
struct CallSiteViews {
  struct View {
    Method* method;     // of the last: unused, it is the frame's
    u32 bci;            // the invoke that is in progress
    u32 locals;         // slots above the frame's locals
    u32 lock_records;   // of the frame's records: those of views further out
    u32 left_out = 0;   // of the levels below: those of views further out
    u32 unmade_locks = 0;   // of unmade_locks below: those of views further out
  };
  std::vector<View> views;            // innermost first; the last is the frame's own
  // Where code calls: slots between the frame's header and its operands, which with all inlined views lie higher by
  // that (jit/graph/lower/stack_slots.h, H4). Of these, and of others that belong to no view: those that hold
  // references, or null, counted from the frame's locals.
  u32 further_slots = 0;
  std::vector<u32> further_roots;
  u32 result_slots = 0;               // of the callee
  bool result_is_reference = false;
  // Where code calls: levels of monitors that the views hold and the code does not count
  // (jit/graph/optimize/nested_locks.cpp), outermost first. Of each, which of the frame's records has the same object.
  // Whoever makes frames enters them.
  std::vector<u32> left_out;
  // What code has not made; numbers of those that the views have locked, outermost first.
  std::vector<UnmadeObject> unmade;
  std::vector<u32> unmade_locks;
};

// Implemented by vm/interpreter, which alone can read a pc.
namespace interpreter {
i32 bci_of(const Frame* frame);                          // of a frame that is Interpreted
CallSiteViews* views_of_call_site(const Frame* frame);   // of a frame that is Inlining
}  // namespace interpreter

// Frame::locals is stale while compiled code runs: it does not store what follows from the frame's address.
inline Slot* locals_of(const Frame* frame) {
  return reinterpret_cast<Slot*>(const_cast<Frame*>(frame)) - frame->method->max_locals;
}

class FrameView {
 public:
  FrameView() = default;   // none
  // The innermost of the thread, which may be an entry.
  explicit FrameView(const JavaThread* thread) { arrive(thread->top_frame); }

  bool exists() const { return frame_ != nullptr; }
  void step_out() {
    if (is_inlined()) [[unlikely]] ++index_;
    else arrive(frame_->caller);
  }

  bool is_entry() const { return frame_->kind == FrameKind::Entry; }
  bool is_native() const { return frame_->kind == FrameKind::Native; }
  // In another view's frame.
  bool is_inlined() const { return site_ != nullptr && index_ + 1 < site_->views.size(); }

  // The frame that it is in. Views of one frame share its pc, sp and caller.
  Frame* frame() const { return frame_; }
  Frame* place() const { return is_inlined() ? reinterpret_cast<Frame*>(locals() + method()->max_locals) : frame_; }
  // All but place() and lock_record_base(): not of an entry.
  Method* method() const { return is_inlined() ? described().method : frame_->method; }
  i32 bci() const {   // -1 for native methods
    if (site_ != nullptr) [[unlikely]] return static_cast<i32>(described().bci);
    return is_native() ? -1 : interpreter::bci_of(frame_);
  }
  Slot* locals() const { return is_inlined() ? locals_of(frame_) + described().locals : locals_of(frame_); }
  Slot* operands() const {   // the lowest
    return place()->stack_base() + (site_ != nullptr && !is_inlined() ? site_->further_slots : 0);
  }
  u32 lock_record_base() const {
    return is_inlined() ? frame_->lock_record_base + described().lock_records : frame_->lock_record_base;
  }
  std::span<const u32> further_roots() const {
    return site_ == nullptr || is_inlined() ? std::span<const u32>() : std::span<const u32>(site_->further_roots);
  }

  // The activation belongs to another Method with the same body (vm/link/redefinition.h). World stopped.
  void set_method(Method* method) const { (is_inlined() ? site_->views[index_].method : frame_->method) = method; }

 private:
  void arrive(Frame* frame) {
    frame_ = frame;
    site_ = nullptr;
    if (frame == nullptr || frame->kind != FrameKind::Inlining) [[likely]] return;
    site_ = interpreter::views_of_call_site(frame);
    index_ = 0;
  }
  const CallSiteViews::View& described() const { return site_->views[index_]; }

  Frame* frame_ = nullptr;
  CallSiteViews* site_ = nullptr;   // of a frame that is Inlining
  usize index_ = 0;
};

// for (const FrameView& view : java_views(thread))
template <bool with_entries> class ViewsOf {
 public:
  explicit ViewsOf(const JavaThread* thread) : thread_(thread) {}
  class Iterator {
   public:
    explicit Iterator(FrameView first) : view_(first) { skip(); }
    const FrameView& operator*() const { return view_; }
    void operator++() {
      view_.step_out();
      skip();
    }
    bool operator==(std::default_sentinel_t) const { return !view_.exists(); }

   private:
    void skip() {
      if constexpr (!with_entries) while (view_.exists() && view_.is_entry()) view_.step_out();
    }
    FrameView view_;
  };
  Iterator begin() const { return Iterator(FrameView(thread_)); }
  std::default_sentinel_t end() const { return {}; }

 private:
  const JavaThread* thread_;
};

// Of methods, from the innermost on.
inline ViewsOf<false> java_views(const JavaThread* thread) { return ViewsOf<false>(thread); }
inline ViewsOf<true> views_with_entries(const JavaThread* thread) { return ViewsOf<true>(thread); }

}  // namespace keyhole
