// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs lowered, compiled by the plug-in, and called as compiled code is called:
//
//   Entry frame | arguments ──call──> code ──returns──> the result
//                                     │ └──leaves──> what is in the homes and in the registers; the interpreter goes on
//                                     └──calls──> the interpreter runs the callee, then a collection moves objects, and
//                                                 all slots above the caller's operands are overwritten
#pragma once

#include "gc/heap.h"
#include "jit/graph/lower.h"
#include "jit/graph/phases.h"
#include "jit/snippets/snippets.h"
#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/llvm/code_for_tests.h"

// lower_test.cpp, in assembly: status 7, r13, r12; rdx is in the home that r13 names.
extern "C" void leave_for_tests();
// The same with status 8: the method has not been entered.
extern "C" void enter_slowly_for_tests();
// What a callee has returned, with 8 more than its status; the frame and its locals as they are handed over.
extern "C" void leave_call_for_tests();
extern "C" keyhole::Frame* frame_left_in_call;
extern "C" keyhole::Slot* locals_left_in_call;
// A callee: the method in rdx, or whatever an interface call finds.
extern "C" void callee_of_lowered();
extern "C" void searched_callee_of_lowered();

namespace keyhole::testing {

class LoweredTest : public GraphTest {
 protected:
  static void SetUpTestSuite() {
    GraphTest::SetUpTestSuite();
    if (compiler_ != nullptr) return;
    host_ = new llvm_plugin::HostForTests();
    host_->symbols.emplace(graph::leave_symbol, llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_for_tests)});
    host_->symbols.emplace(graph::enter_slowly_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&enter_slowly_for_tests)});
    host_->symbols.emplace(graph::leave_call_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_call_for_tests)});
    host_->symbols.emplace(graph::search_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&searched_callee_of_lowered)});
    host_->symbols.emplace("fmod", llvm_plugin::Symbol{reinterpret_cast<uptr>(static_cast<f64 (*)(f64, f64)>(&fmod))});
    host_->symbols.emplace("fmodf", llvm_plugin::Symbol{reinterpret_cast<uptr>(&fmodf)});
    for (const snippets::Symbol& symbol : snippets::symbols())
      host_->symbols.emplace(symbol.name, llvm_plugin::Symbol{reinterpret_cast<uptr>(symbol.address), true});
    std::string error;
    compiler_ = llvm_plugin::plugin()(KEYHOLE_BUILD, host_, &error);
    ASSERT_NE(compiler_, nullptr) << error;
  }

  // The lowered graph's machine code; 0: it is not lowered.
  static uptr compile(const graph::Graph& graph) {
    release();
    graph::Lowered lowered = graph::lower(graph);
    refusal_ = lowered.refusal;
    if (!lowered.refusal.empty()) return 0;
    std::string wrong = low::verify(lowered.function);
    EXPECT_EQ(wrong, "") << graph::print(graph) << low::print(lowered.function);
    if (!wrong.empty()) return 0;
    for (auto& [name, address] : lowered.symbols) host_->symbols.insert_or_assign(name, llvm_plugin::Symbol{address});
    for (usize i = 0; i < lowered.callees.size(); ++i) {
      host_->symbols.insert_or_assign(fmt::format("entry {}", i),
                                      llvm_plugin::Symbol{reinterpret_cast<uptr>(&callee_of_lowered)});
    }
    code_ = compiler_->compile(lowered.function, {.checks_references = true});
    EXPECT_EQ(code_.error, "") << low::print(lowered.function);
    return code_.entry;
  }

  // Calls it, and lets the interpreter end what it has left.
  static Outcome call(uptr code, Method* method, std::span<const Slot> arguments, bool is_armed = false) {
    lead_calls_here();
    JavaThread* thread = vm_thread();
    Frame* caller = thread->top_frame;
    Frame* entry = reinterpret_cast<Frame*>(caller != nullptr ? caller->sp + 1 : thread->java_stack_base);
    interpreter::make_frame(entry, caller, nullptr, nullptr, FrameKind::Entry, thread->lock_record_top);
    Slot* locals = entry->stack_base();
    std::copy(arguments.begin(), arguments.end(), locals);
    u32 records = thread->lock_record_top;
    if (is_armed) thread->poll.store(1);
    llvm_plugin::Answer answer{};
    llvm_plugin::call_by_convention(code, entry, locals + arguments.size() - 1, method, thread, &answer);
    if (is_armed) thread->poll.store(0);
    has_left_ = answer.status == 7;
    thread->top_frame = caller;
    if (answer.status == 0) {
      EXPECT_EQ(thread->lock_record_top, records);
      EXPECT_EQ(answer.home, reinterpret_cast<u64>(home_of_result(method, locals)));
      return Outcome::of(method, answer.result);
    }
    if (answer.status == 9 || answer.status == 10) return continue_call(method, locals, answer, entry, records);
    EXPECT_TRUE(has_left_) << answer.status;
    return continue_from(method, locals, reinterpret_cast<Slot*>(answer.result),
                         reinterpret_cast<const Cell*>(answer.home), entry, records);
  }

  static std::vector<graph::Node*> guards_of(const graph::Graph& graph) {
    std::vector<graph::Node*> guards;
    for (graph::Block* block : graph.blocks) {
      for (graph::Node* node : block->nodes) {
        if (node->op == graph::Op::guard) guards.push_back(node);
      }
    }
    return guards;
  }
  // Whenever it is reached.
  static void make_fail(graph::Graph& graph, usize number) {
    graph::Node* guard = guards_of(graph)[number];
    graph::Node* never = graph.make(graph::Op::constant, graph::Type::Int);
    std::pmr::vector<graph::Node*>& nodes = guard->block->nodes;
    never->block = guard->block;
    nodes.insert(std::ranges::find(nodes, guard), never);
    guard->inputs[0] = never;
  }

  // The calls of code that is running now: the callee in `method`, null: by the site. Returns its status.
  static u64 run_callee(Frame* frame, Slot* home, Method* method, JavaThread* thread, llvm_plugin::Answer* answer) {
    thread->top_frame = frame;
    if (method == nullptr) method = searched(frame, home);
    if (method == nullptr) {   // no such method: thrown
      answer->status = 1;
      return 1;
    }
    Slot* arguments = home + 1 - method->argument_slots;
    std::vector<Slot> copy(arguments, home + 1);
    frame->sp = arguments - 1;
    frame->locals = reinterpret_cast<Slot*>(frame) - frame->method->max_locals;
    HandleScope scope(thread);
    u64 result = call_java(thread, method, copy);
    bool has_thrown = has_exception(thread);
    Handle kept = scope.make(method->return_type == BasicType::Reference ? object_of(result) : nullptr);
    heap::collect(thread, heap::Cause::SystemGC);
    lead_calls_here();
    if (method->return_type == BasicType::Reference) result = slot_of(kept);
    std::fill(arguments, arguments + 100, 0xBAD0'BAD0'BAD0'BAD0);
    Slot* top = home_of_result(method, arguments);
    if (method->return_type == BasicType::Void) result = *top;
    *answer = {has_thrown ? 1u : 0u, result, reinterpret_cast<u64>(top)};
    if (answer->status == 0 && calls_before_leaving_-- == 0) answer->status = 2;
    return answer->status;
  }

  static inline bool has_left_ = false;
  // The callee of that number returns with status 2.
  static inline u64 calls_before_leaving_ = ~u64{0};
  static inline std::string refusal_;

 private:
  // This VM has no compiler: nobody else reads these words. Of classes that are new.
  static void lead_calls_here() {
    static u32 done = 0;
    for (; done < klass_count(); ++done) {
      Klass* klass = klass_of_id(done + 1);
      if (klass == nullptr || !klass->is_instance()) continue;
      for (u32 i = 0; i < klass->as_instance()->method_count; ++i)
        klass->as_instance()->methods[i]->entry_from_code = reinterpret_cast<MethodEntry>(&callee_of_lowered);
    }
  }
  static Slot* home_of_result(const Method* method, Slot* locals) {
    switch (method->return_type) {
      case BasicType::Void: return locals - 1;
      case BasicType::Long: case BasicType::Double: return locals + 1;
      default: return locals;
    }
  }
  // As the handler of invokeinterface finds it.
  static Method* searched(const Frame* frame, const Slot* home) {
    u64 word = interpreter::load_cell(frame->pc);
    const auto* site = interpreter::metadata_at<interpreter::InterfaceCallSite>(interpreter::operand_b(word));
    Object* receiver = object_of(home[1 - site->method->argument_slots]);
    return select_interface_method(vm_thread(), receiver->klass(), site->method, site->by);
  }
  // A callee has not returned 0.
  static Outcome continue_call(Method* method, Slot* locals, const llvm_plugin::Answer& answer, Frame* entry,
                               u32 records) {
    JavaThread* thread = vm_thread();
    Frame* frame = reinterpret_cast<Frame*>(locals + method->max_locals);
    EXPECT_EQ(frame_left_in_call, frame);
    EXPECT_EQ(locals_left_in_call, locals);
    EXPECT_EQ(frame->caller, entry);
    const MethodCode* body = method->body.load();
    thread->top_frame = frame;
    if (answer.status == 10) {
      Slot* top = reinterpret_cast<Slot*>(answer.home);
      *top = answer.result;
      const Cell* behind = body->cells() + body->index_of_call_site(frame->pc) + 1;
      return continue_from(method, locals, top, behind, entry, records);
    }
    frame->pc = body->cells() + body->index_of_call_site(frame->pc);   // as vm/interpreter/handlers_left.cpp
    entry->pc = interpreter::entry_cell();
    interpreter::unwind_to_handler(thread);
    bool is_caught = thread->top_frame == frame;
    if (!is_caught) {
      thread->top_frame = entry->caller;
      return Outcome::of(method, 0);
    }
    return continue_from(method, locals, frame->sp, frame->pc, entry, records);
  }
  static Outcome continue_from(Method* method, Slot* locals, Slot* top, const Cell* pc, const Frame* entry,
                               u32 records) {
    Frame* frame = reinterpret_cast<Frame*>(locals + method->max_locals);
    EXPECT_EQ(frame->caller, entry);
    EXPECT_EQ(frame->method, method);
    EXPECT_EQ(frame->kind, FrameKind::Interpreted);
    EXPECT_EQ(frame->lock_record_base, records);
    const MethodCode* body = method->body.load();
    EXPECT_TRUE(body->contains(pc));
    graph::State state{};
    state.method = method;
    state.cell = static_cast<u32>(pc - body->cells());
    graph::Node exit(graph::Op::exit, graph::Type::None, 0);
    exit.state = &state;
    graph::Execution left;
    left.exit = &exit;
    left.locals.assign(locals, locals + method->max_locals);
    left.operands.assign(frame->stack_base(), top + 1);
    Outcome outcome = Outcome::of(method, Continuation::run(vm_thread(), left, records));
    EXPECT_EQ(vm_thread()->lock_record_top, records);
    return outcome;
  }
  static void release() {
    if (code_.resource != nullptr) compiler_->free(code_.resource);
    code_ = {};
  }

  static inline llvm_plugin::HostForTests* host_ = nullptr;
  static inline llvm_plugin::Compiler* compiler_ = nullptr;
  static inline llvm_plugin::Result code_;
};

}  // namespace keyhole::testing
