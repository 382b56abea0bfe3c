// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stack walking. A virtual frame is one activation of a method: method, bci, locals, operands and lock records.
//
//     frames (runtime/threads/frame.h)         virtual frames, innermost first
//
//     | Native       wait     |  ---------->   wait
//     | Inlining     run      |  ---------->   put       inlined  \
//     |    pc: a call site    |                add       inlined   > from the site's debug info (vm/code/debug_info.h)
//     |                       |                run                /
//     | Interpreted  main     |  ---------->   main
//     | Entry                 |  ---------->   an entry from C++: no method; virtual_frames() skips it
//
// Stack traces, caller checks, StackWalker, thread dumps, roots, the sweeper and the debugger see virtual frames.
// tests/check_frames.py checks that only this file, make_frame.h and materialization.cpp read Frame::caller.
//
// An inlined activation lies where the interpreter would have made its frame. During a call its locals and operands are
// in their stack slots; its frame header is not written:
//
//   locals of run | Frame | operands of run                      operands of add
//                                  | locals of add     | (Frame) |          | locals of put | (Frame) | operands of put
//                 ^ id()                               ^ id()                               ^ id()
//
// Fields of scalar-replaced objects lie between the header and the operands of run, which then lie higher by
// DebugInfo::further_slots.
//
// V1: a thread walks its own stack, or that of a thread that is stopped. A virtual frame is valid until its frame
//     continues or is popped.
// V2: id() identifies a virtual frame while it exists: it is the address of its frame, or the address at which the
//     frame of an inlined activation would lie.
// V3: the frame map of (method, bci) says which slots of a virtual frame hold references (vm/verify/frame_map.h). The
//     outermost activation of a frame also has further_roots().
// V4: lock records lie in the order of the activations: those of an activation end where its callee's begin.
// V5: a frame without inlined activations costs the walk one comparison of its kind. The bci needs a look-up and is
//     computed on demand.
#pragma once

#include <iterator>
#include <span>

#include "runtime/threads/java_thread.h"
#include "vm/code/debug_info.h"
#include "vm/code/instruction.h"
#include "vm/metadata/method.h"

namespace keyhole {

// Compiled code does not store Frame::locals of its own frame, because they follow from the frame's address.
inline Slot* locals_of(const Frame* frame) {
  return reinterpret_cast<Slot*>(const_cast<Frame*>(frame)) - frame->method->max_locals;
}

inline i32 bci_of(const Frame* frame) {  // the frame must be Interpreted
  return static_cast<i32>(frame->method->body.load(std::memory_order_relaxed)->bci_of(frame->pc));
}
DebugInfo* debug_info_of(const Frame* frame);  // the frame must be Inlining

class VirtualFrame {
 public:
  VirtualFrame() = default;  // none
  // Starts at the thread's innermost activation, which may be an entry.
  explicit VirtualFrame(const JavaThread* thread) { arrive(thread->top_frame); }

  bool exists() const { return frame_ != nullptr; }
  void step_out() {
    if (is_inlined()) [[unlikely]]
      ++index_;
    else arrive(frame_->caller);
  }

  bool is_entry() const { return frame_->kind == FrameKind::Entry; }
  bool is_native() const { return frame_->kind == FrameKind::Native; }
  // Whether the activation is inlined into the method of another activation, whose frame it shares.
  bool is_inlined() const { return site_ != nullptr && index_ + 1 < site_->activations.size(); }

  // The frame that contains the activation. The virtual frames of one frame share its pc, sp and caller.
  Frame* frame() const { return frame_; }
  Frame* id() const { return is_inlined() ? reinterpret_cast<Frame*>(locals() + method()->max_locals) : frame_; }
  // Entry frames have id() and lock_record_base(), but none of the following.
  Method* method() const { return is_inlined() ? described().method : frame_->method; }
  i32 bci() const {  // -1 for native methods
    if (site_ != nullptr) [[unlikely]]
      return static_cast<i32>(described().bci);
    return is_native() ? -1 : bci_of(frame_);
  }
  Slot* locals() const { return is_inlined() ? locals_of(frame_) + described().locals : locals_of(frame_); }
  Slot* operands() const {  // the lowest
    return id()->stack_base() + (site_ != nullptr && !is_inlined() ? site_->further_slots : 0);
  }
  u32 lock_record_base() const {
    return is_inlined() ? frame_->lock_record_base + described().lock_records : frame_->lock_record_base;
  }
  std::span<const u32> further_roots() const {
    return site_ == nullptr || is_inlined() ? std::span<const u32>() : std::span<const u32>(site_->further_roots);
  }

  // Moves the activation to another Method with the same body (vm/link/redefinition.h). World stopped.
  void set_method(Method* method) const {
    (is_inlined() ? site_->activations[index_].method : frame_->method) = method;
  }

 private:
  void arrive(Frame* frame) {
    frame_ = frame;
    site_ = nullptr;
    if (frame == nullptr || frame->kind != FrameKind::Inlining) [[likely]]
      return;
    site_ = debug_info_of(frame);
    index_ = 0;
  }
  const DebugInfo::Activation& described() const { return site_->activations[index_]; }

  Frame* frame_ = nullptr;
  DebugInfo* site_ = nullptr;  // null unless the frame is Inlining
  usize index_ = 0;
};

// for (const VirtualFrame& activation : virtual_frames(thread))
template <bool with_entries> class VirtualFramesOf {
 public:
  explicit VirtualFramesOf(const JavaThread* thread) : thread_(thread) {}
  class Iterator {
   public:
    explicit Iterator(VirtualFrame first) : at_(first) { skip(); }
    const VirtualFrame& operator*() const { return at_; }
    void operator++() {
      at_.step_out();
      skip();
    }
    bool operator==(std::default_sentinel_t) const { return !at_.exists(); }

   private:
    void skip() {
      if constexpr (!with_entries)
        while (at_.exists() && at_.is_entry()) at_.step_out();
    }
    VirtualFrame at_;
  };
  Iterator begin() const { return Iterator(VirtualFrame(thread_)); }
  std::default_sentinel_t end() const { return {}; }

 private:
  const JavaThread* thread_;
};

// The activations of Java methods, innermost first.
inline VirtualFramesOf<false> virtual_frames(const JavaThread* thread) { return VirtualFramesOf<false>(thread); }
inline VirtualFramesOf<true> virtual_frames_with_entries(const JavaThread* thread) {
  return VirtualFramesOf<true>(thread);
}

}  // namespace keyhole
