// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests stacks with inlined activations, without a compiler: a native method folds the frames of its callers together,
// as compiled code with inlined calls would. Every stack walker must then see the same as before.
#include "vm/frames/layout/virtual_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>

#include "gc/root_set.h"
#include "runtime/threads/threads.h"
#include "tests/support/own_calls.h"
#include "vm/code/compiled_code.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/frames/materialization.h"
#include "vm/frames/stack_roots.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/interpreter.h"
#include "vm/link/java_call.h"
#include "vm/link/redefinition.h"

namespace keyhole {
namespace {

using interpreter::Operation;
using ::testing::ElementsAre;

// Folds interpreter frames into one frame of invented compiled code. The code has no instructions, but its call site
// has all data that stack walkers look up.
class Folded {
 public:
  // Turns the frames from `outermost` to the caller of `callee` into one frame of kind Inlining.
  Folded(JavaThread* thread, Frame* callee, Frame* outermost)
      : thread_(thread), callee_(callee), outermost_(outermost) {
    code_.sites.debug_info = new DebugInfo[1];
    Frame* innermost = callee->caller;
    for (Frame* frame = innermost;; frame = frame->caller) {
      u32 bci = static_cast<u32>(bci_of(frame));
      u32 locals = static_cast<u32>(locals_of(frame) - locals_of(outermost));
      info().activations.push_back({frame->method, bci, locals, frame->lock_record_base - outermost->lock_record_base});
      if (frame == outermost) break;
    }
    body_ = outermost->method->body.load();
    code_.method = outermost->method;
    code_.entries = new u32[body_->instruction_count + 1]{};
    code_.sites.call_sites = &site_;
    code_.sites.count = 1;
    code_.previous = body_->compiled.load();
    body_->compiled.store(&code_);
    Slot* sp = innermost->sp;
    for (Frame* frame = innermost; frame != outermost;) {  // compiled code writes no headers, so they contain garbage
      Frame* caller = frame->caller;
      memset(static_cast<void*>(frame), 0xDB, offsetof(Frame, below_stack));
      frame = caller;
    }
    outermost->pc = &site_.call;
    outermost->sp = sp;
    outermost->locals = nullptr;  // compiled code does not store `locals` (see locals_of)
    outermost->kind = FrameKind::Inlining;
    callee->caller = outermost;
  }
  ~Folded() { body_->compiled.store(code_.previous); }
  // Turns the inlined activations back into interpreter frames.
  void unfold() { interpreter::materialize_frames(thread_, outermost_, callee_); }
  DebugInfo& info() { return code_.sites.debug_info[0]; }

 private:
  JavaThread* thread_;
  Frame *callee_, *outermost_;
  MethodCode* body_;
  // The call site of the inlined activations' frame. Both of its instructions are empty: no compiled code is on the
  // native stack, so `resume` must not return to compiled code.
  CompiledCallSite site_ = {};
  CompiledCode code_ = {};
};

// The data that a stack walker reads about an activation. Folding must not change these data.
struct Seen {
  const Frame* place;
  const Method* method;
  i32 bci;
  const Slot *locals, *operands;
  u32 lock_record_base;
  bool operator==(const Seen&) const = default;
};
Seen seen(const VirtualFrame& activation) {
  return {activation.id(),     activation.method(),   activation.bci(),
          activation.locals(), activation.operands(), activation.lock_record_base()};
}
std::vector<Seen> walk(JavaThread* thread) {
  std::vector<Seen> all;
  for (const VirtualFrame& activation : virtual_frames(thread)) all.push_back(seen(activation));
  return all;
}
std::vector<Object**> roots(JavaThread* thread) {
  std::vector<Object**> slots;
  gc::RootVisitorOf visitor([&](Object** slot) { slots.push_back(slot); }, [](NarrowRef*) {});
  interpreter::visit_stack_roots(thread, visitor);
  return slots;
}

class VirtualFrames : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (names::java_lang_Object == nullptr) names::initialize();
    thread_ = threads::current_or_null();
    if (thread_ == nullptr) thread_ = threads::attach_current(false, false, 0);
    loader_ = new LoaderData();
  }
  void SetUp() override {
    testing::ClassBuilder builder(fmt::format("Chain{}", ++count_));
    builder.method(access::Static | access::Native, "observe", "(Ljava/lang/Object;)V", "");
    // The methods `inner` and `middle` have locals, operands below the arguments of their call, and a handler.
    // run(first, second, depth) calls itself.
    builder.method(access::Static, "inner", "(Ljava/lang/Object;I)I", R"(
        .stack 4
        .locals 3
        bipush 40
        istore_2
        aload_0
        aload_0
        invokestatic X.observe (Ljava/lang/Object;)V
        pop
        iload_1
        iload_2
        iadd
        ireturn
    )");
    builder.method(access::Static, "middle", "(Ljava/lang/Object;Ljava/lang/Object;)I", R"(
        .stack 5
        .locals 4
        bipush 7
        istore_3
        aload_0
        bipush 100
      from:
        aload_1
        iconst_2
        invokestatic X.inner (Ljava/lang/Object;I)I
      to:
        iadd
        iload_3
        iadd
        ireturn
      handler:
        pop
        sipush 1000
        iload_3
        iadd
        ireturn
        .catch any from to handler
    )");
    builder.method(access::Static, "run", "(Ljava/lang/Object;Ljava/lang/Object;I)I", R"(
        iload_2
        ifne deeper
        aload_1
        aload_0
        invokestatic X.middle (Ljava/lang/Object;Ljava/lang/Object;)I
        ireturn
      deeper:
        iconst_1
        aload_0
        aload_1
        iload_2
        iconst_1
        isub
        invokestatic X.run (Ljava/lang/Object;Ljava/lang/Object;I)I
        iadd
        aload_0               ; so that both live across the call
        pop
        aload_1
        pop
        ireturn
    )");
    class_ = builder.loose();
    testing::link_own_calls(class_, loader_);
    Method* observe = method("observe");
    observe->native.store([](JavaThread* thread, Slot*) -> u64 { return in_native(thread), 0; });
    observe->entry.store(interpreter::as_method_entry(interpreter::interp_entry_native_void));
  }
  Method* method(const char* name) { return class_.method(name); }
  // Calls run(first, second, depth). The innermost call is of the native method `observe`, which calls `look`.
  i32 run(int depth, std::function<void(JavaThread*)> look) {
    in_native = std::move(look);
    Slot arguments[] = {reinterpret_cast<Slot>(&objects_[0]), reinterpret_cast<Slot>(&objects_[1]),
                        static_cast<Slot>(depth)};
    return static_cast<i32>(call_java(thread_, method("run"), arguments));
  }
  static Frame* callers(JavaThread* thread, int count) {
    Frame* frame = thread->top_frame;
    for (; count > 0; --count) frame = frame->caller;
    return frame;
  }

  static inline JavaThread* thread_ = nullptr;
  static inline LoaderData* loader_ = nullptr;
  static inline int count_ = 0;
  static inline std::function<void(JavaThread*)> in_native;
  testing::LooseClass class_;
  Slot objects_[2] = {};  // only their addresses are used
};

TEST_F(VirtualFrames, OneFrameHasSeveral) {
  i32 result = run(0, [&](JavaThread* thread) {
    std::vector<Seen> before = walk(thread);
    std::vector<Object**> roots_before = roots(thread);
    Folded folded(thread, callers(thread, 0), callers(thread, 3));
    std::vector<const Method*> methods;
    int inlined = 0;
    for (const VirtualFrame& activation : virtual_frames(thread)) {
      methods.push_back(activation.method());
      inlined += activation.is_inlined() ? 1 : 0;
      EXPECT_EQ(activation.frame(), activation.is_native() ? thread->top_frame : callers(thread, 1));
    }
    EXPECT_THAT(methods, ElementsAre(method("observe"), method("inner"), method("middle"), method("run")));
    EXPECT_EQ(inlined, 2);
    EXPECT_EQ(walk(thread), before);
    EXPECT_EQ(roots(thread), roots_before);
    folded.unfold();
    EXPECT_EQ(walk(thread), before);
  });
  EXPECT_EQ(result, 100 + 42 + 7);
}

// Folds groups of one to five frames of a deep stack into frames of compiled code. Stack traces and roots must be the
// same before and after the folding.
TEST_F(VirtualFrames, DeepStacksLookTheSame) {
  constexpr int depth = 200;
  i32 result = run(depth, [](JavaThread* thread) {
    // Gives each activation an unused lock record of its own.
    u32 records_before = thread->lock_record_top, record = records_before;
    std::vector<Frame*> frames;
    for (Frame* frame = thread->top_frame; frame->kind != FrameKind::Entry; frame = frame->caller)
      frames.push_back(frame);
    for (usize i = frames.size(); i-- > 0;) frames[i]->lock_record_base = record++;
    thread->lock_record_top = record;

    auto roots_by_frame = [thread] {
      std::vector<std::pair<Object*, i32>> found;
      auto note = [](Object* object, i32 frame, void* context) {
        static_cast<std::vector<std::pair<Object*, i32>>*>(context)->emplace_back(object, frame);
      };
      interpreter::visit_stack_roots_by_frame(thread, note, &found);
      return found;
    };
    std::vector<Seen> before = walk(thread);
    auto roots_before = roots(thread);
    auto roots_by_frame_before = roots_by_frame();
    EXPECT_EQ(before.size(), depth + 4u);
    EXPECT_GT(roots_before.size(), 2u * depth);

    std::vector<std::unique_ptr<Folded>> folded;
    usize callee = 0;
    for (usize piece = 0; callee + 1 < frames.size(); ++piece) {
      usize outermost = std::min(callee + 1 + piece % 5, frames.size() - 1);
      folded.push_back(std::make_unique<Folded>(thread, frames[callee], frames[outermost]));
      callee = outermost;
    }
    EXPECT_EQ(walk(thread), before);
    EXPECT_EQ(roots(thread), roots_before);
    EXPECT_EQ(roots_by_frame(), roots_by_frame_before);

    for (auto& piece : folded) piece->unfold();
    EXPECT_EQ(walk(thread), before);
    while (!folded.empty()) folded.pop_back();
    EXPECT_EQ(walk(thread), before);
    EXPECT_EQ(roots(thread), roots_before);
    for (Frame* frame : frames) frame->lock_record_base = records_before;
    thread->lock_record_top = records_before;
  });
  EXPECT_EQ(result, 149 + depth);
}

// A stack walk may stop at an inlined activation and continue from there later, as StackWalker does.
TEST_F(VirtualFrames, AWalkGoesOnWhereItStopped) {
  run(3, [](JavaThread* thread) {
    Folded folded(thread, callers(thread, 0), callers(thread, 4));
    std::vector<Seen> all = walk(thread);
    for (usize stop = 0; stop <= all.size(); ++stop) {
      auto next = virtual_frames(thread).begin();
      for (usize i = 0; i < stop; ++i) ++next;
      auto later = next;
      for (usize i = stop; i < all.size(); ++i, ++later) EXPECT_EQ(seen(*later), all[i]);
      EXPECT_EQ(later, std::default_sentinel);
    }
    folded.unfold();
  });
}

// Values that belong to no activation, but live across the call.
TEST_F(VirtualFrames, FurtherRootsAreVisitedOnce) {
  run(0, [](JavaThread* thread) {
    Frame* outermost = callers(thread, 3);
    std::vector<Object**> expected = roots(thread);
    u32 unused_local = outermost->method->max_locals - 1u;
    Slot* slot = locals_of(outermost) + unused_local;
    Slot value = *slot;
    *slot = reinterpret_cast<Slot>(slot);
    expected.push_back(reinterpret_cast<Object**>(slot));
    Folded folded(thread, callers(thread, 0), outermost);
    folded.info().further_roots.push_back(unused_local);
    EXPECT_THAT(roots(thread), ::testing::UnorderedElementsAreArray(expected));
    folded.unfold();
    *slot = value;
  });
}

// Redefinition changes the method of one inlined activation to a copy, and leaves the other activations unchanged.
TEST_F(VirtualFrames, AnInlinedActivationGetsAnotherMethod) {
  run(0, [&](JavaThread* thread) {
    Folded folded(thread, callers(thread, 0), callers(thread, 3));
    Method copy_of_middle{}, copy_of_run{};
    for (auto [name, copy] : {std::pair{"middle", &copy_of_middle}, {"run", &copy_of_run}}) {
      copy->max_locals = method(name)->max_locals;
      copy->body.store(method(name)->body.load());
      method(name)->replaced = copy;
    }
    std::vector<Method*> redefined = {method("middle"), method("run")};
    move_frames(redefined);
    std::vector<const Method*> methods;
    for (const VirtualFrame& activation : virtual_frames(thread)) methods.push_back(activation.method());
    EXPECT_THAT(methods, ElementsAre(method("observe"), method("inner"), &copy_of_middle, &copy_of_run));
    for (const VirtualFrame& activation : virtual_frames(thread)) {
      for (const char* name : {"middle", "run"})
        if (activation.method() == method(name)->replaced) activation.set_method(method(name));
    }
    folded.unfold();
    for (const char* name : {"middle", "run"}) method(name)->replaced = nullptr;
  });
}

// The handler of an exception is in an inlined activation: the activations become frames, and the interpreter continues
// in one of them.
TEST_F(VirtualFrames, ExceptionsFindHandlersOfInlinedMethods) {
  // The outermost folded activation is `middle`, its caller `run`, or a caller of that `run`.
  for (int outermost : {2, 3, 5}) {
    std::unique_ptr<Folded> folded;
    i32 result = run(4, [&](JavaThread* thread) {
      folded = std::make_unique<Folded>(thread, callers(thread, 0), callers(thread, outermost));
      thread->pending_exception = reinterpret_cast<Object*>(&objects_[0]);
    });
    EXPECT_EQ(result, 1007 + 4);
    EXPECT_EQ(thread_->pending_exception, nullptr);
  }
}

}  // namespace
}  // namespace keyhole
