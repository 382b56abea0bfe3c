// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs lowered, compiled by a back end, and called as compiled code is called:
//
//   Entry frame | arguments ──call──> code ──returns──> the result
//                                     │ └──deoptimizes──> the interpreter continues with values of stack slots and
//                                     │                   registers
//                                     └──calls──> the interpreter runs the callee, then a collection moves objects, and
//                                                 all slots above the caller's operands are overwritten
#pragma once

#include "gc/heap/heap.h"
#include "jit/graph/lower/contended_enters.h"
#include "jit/graph/lower/lower.h"
#include "jit/graph/pipeline.h"
#include "jit/snippets/snippets.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/safepoint.h"
#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/llvm/code_for_tests.h"
#include "vm/code/compiled_code.h"
#include "vm/frames/materialization.h"
#include "vm/interpreter/raise.h"

// These stubs are in assembly, in lower_test.cpp. The first stub stores rdx to the address in r13, and returns status
// 7, r13 and r12.
extern "C" void leave_for_tests();
// Returns status 8, which means that the method has not been entered.
extern "C" void enter_slowly_for_tests();
// Returns the callee's result, and the callee's status plus 8. Stores the frame and the locals, which are arguments of
// this stub, in frame_left_in_call and locals_left_in_call.
extern "C" void leave_call_for_tests();
// Returns status 11 and the address of the innermost frame's top operand, and stores the frame in frame_left_in_call.
extern "C" void leave_inlined_for_tests();
extern "C" keyhole::Frame* frame_left_in_call;
extern "C" keyhole::Slot* locals_left_in_call;
// callee_of_lowered calls the method in rdx. searched_callee_of_lowered calls the method that an invokeinterface finds;
// other instructions are executed by their handlers.
extern "C" void callee_of_lowered();
extern "C" void searched_callee_of_lowered();
extern "C" const void* handlers_for_lowered;
extern "C" keyhole::u64 searching_operation;

namespace keyhole::testing {

class LoweredTest : public GraphTest {
 protected:
  static void SetUpTestSuite() {
    GraphTest::SetUpTestSuite();
    if (compiler_ != nullptr) return;
    handlers_for_lowered = interpreter::plain_table;
    searching_operation = static_cast<u64>(interpreter::Operation::invokeinterface);
    host_ = new llvm_plugin::HostForTests();
    host_->symbols.emplace(graph::deoptimize_symbol, llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_for_tests)});
    host_->symbols.emplace(graph::enter_slowly_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&enter_slowly_for_tests)});
    host_->symbols.emplace(graph::deoptimize_call_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_call_for_tests)});
    host_->symbols.emplace(graph::deoptimize_or_unwind_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_call_for_tests)});
    host_->symbols.emplace(graph::throw_symbol, llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_for_tests)});
    host_->symbols.emplace(graph::throw_inlined_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_inlined_for_tests)});
    host_->symbols.emplace(graph::deoptimize_inlined_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&leave_inlined_for_tests)});
    host_->symbols.emplace(graph::lock_and_start_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&enter_slowly_for_tests)});
    host_->symbols.emplace(graph::search_symbol,
                           llvm_plugin::Symbol{reinterpret_cast<uptr>(&searched_callee_of_lowered)});
    host_->symbols.emplace("fmod", llvm_plugin::Symbol{reinterpret_cast<uptr>(static_cast<f64 (*)(f64, f64)>(&fmod))});
    host_->symbols.emplace("fmodf", llvm_plugin::Symbol{reinterpret_cast<uptr>(&fmodf)});
    for (const snippets::Symbol& symbol : snippets::symbols())
      host_->symbols.emplace(symbol.name, llvm_plugin::Symbol{reinterpret_cast<uptr>(symbol.address), true});
    std::string error;
    compiler_ = llvm_plugin::make_compiler(*host_, &error).release();
    ASSERT_NE(compiler_, nullptr) << error;
  }

  // Compiles the lowered graph. Returns 0 if it cannot be lowered.
  static uptr compile(const graph::Graph& graph) {
    release();
    const bool expands = llvm_plugin::is_middle();
    graph::Lowered lowered = graph::lower(graph, expands ? graph::Snippets::Expanded : graph::Snippets::Called);
    refusal_ = lowered.refusal;
    if (!lowered.refusal.empty()) return 0;
    std::string wrong = low::verify(lowered.function);
    EXPECT_EQ(wrong, "") << graph::print(graph) << low::print(lowered.function);
    if (!wrong.empty()) return 0;
    for (auto& [name, address] : lowered.symbols) host_->symbols.insert_or_assign(name, llvm_plugin::Symbol{address});
    exit_counts_.assign(lowered.deopts.size() + 1, 0);
    deopt_exits_ = lowered.deopts;
    host_->symbols.insert_or_assign(std::string(graph::deopt_counters_symbol),
                                    llvm_plugin::Symbol{reinterpret_cast<uptr>(exit_counts_.data())});
    for (usize i = 0; i < lowered.callees.size(); ++i) {
      host_->symbols.insert_or_assign(fmt::format("entry {}", i),
                                      llvm_plugin::Symbol{reinterpret_cast<uptr>(&callee_of_lowered)});
    }
    code_ = compiler_->compile(lowered.function, {.checks_references = true});
    EXPECT_EQ(code_.error, "") << low::print(lowered.function);
    describe(graph.method(), std::move(lowered.debug_info));
    return code_.entry;
  }

  // Returns the counter of the deopt points that code passes (-XX:ExitStressInterval), or null if code does not count
  // the deopt points.
  static u32* deopts_passed() {
    auto found = host_->symbols.find("deopts passed");
    return found == host_->symbols.end() ? nullptr : reinterpret_cast<u32*>(found->second.address);
  }

  static void enter(Object* object) {
    LockRecord* record = interpreter::push_lock_record(vm_thread(), object);
    sync::enter(vm_thread(), Handle(&record->object), record);
  }

  // Calls the code. After a deoptimization, the interpreter continues.
  static Outcome call(uptr code, Method* method, std::span<const Slot> arguments, u32 poll = 0) {
    Frame* entry = make_entry();
    std::copy(arguments.begin(), arguments.end(), entry->stack_base());
    return run(code, entry, method, method, poll);
  }
  // Makes an interpreter's frame that has these locals and holds these monitors. Then enters the code from this frame,
  // at the header of a loop.
  static Outcome call_in_loop(uptr code, Method* method, std::span<const Slot> locals,
                              std::span<const Slot> held = {}) {
    Frame* entry = make_entry();
    std::copy(locals.begin(), locals.end(), entry->stack_base());
    Frame* frame = reinterpret_cast<Frame*>(entry->stack_base() + method->max_locals);
    interpreter::make_frame(frame, entry, method, entry->stack_base(), FrameKind::Interpreted,
                            vm_thread()->lock_record_top);
    for (Slot object : held) enter(object_of(object));
    return run(code, entry, method, entry->stack_base(), 0, static_cast<u32>(held.size()));
  }

  // While this object exists, the thread's lock stack is full, so every enter takes the slow path.
  class FullLockStack {
   public:
    FullLockStack() {
      for (u32 id = 1; thread_->lock_record_top < records_ + JavaThread::lock_stack_capacity; ++id) {
        Klass* klass = klass_of_id(id);
        if (klass != nullptr && klass->mirror != nullptr) enter(klass->mirror);
      }
    }
    ~FullLockStack() {
      while (thread_->lock_record_top > records_) {
        LockRecord* record = &thread_->lock_records[thread_->lock_record_top - 1];
        sync::exit(thread_, Handle(&record->object), record);
        --thread_->lock_record_top;
      }
    }

   private:
    JavaThread* const thread_ = vm_thread();
    const u32 records_ = thread_->lock_record_top;
  };

  static constexpr u64 entered_slowly = 8;  // status
  static inline u32 poll_ = 0;              // the thread's poll word at the end of the last call

  static std::vector<graph::Node*> guards_of(const graph::Graph& graph) {
    std::vector<graph::Node*> guards;
    for (graph::Block* block : graph.blocks) {
      for (graph::Node* node : block->nodes) {
        if (node->op == graph::Op::guard) guards.push_back(node);
      }
    }
    return guards;
  }
  // Makes the guard with this number fail whenever it is reached.
  static void make_fail(graph::Graph& graph, usize number) {
    graph::Node* guard = guards_of(graph)[number];
    graph::Node* never = graph.make(graph::Op::constant, graph::Type::Int);
    std::pmr::vector<graph::Node*>& nodes = guard->block->nodes;
    never->block = guard->block;
    nodes.insert(std::ranges::find(nodes, guard), never);
    guard->inputs[0] = never;
  }

  // Executes a call of the running code: calls `method`, or, if `method` is null, the method that the call site names.
  // Returns the status of the call.
  static u64 run_callee(Frame* frame, Slot* slot, Method* method, JavaThread* thread, llvm_plugin::Answer* answer) {
    thread->top_frame = frame;
    if (method == nullptr) method = searched(frame, slot);
    if (method == nullptr) {  // there is no such method: an exception is thrown
      answer->status = 1;
      return 1;
    }
    Slot* arguments = slot + 1 - method->argument_slots;
    std::vector<Slot> copy(arguments, slot + 1);
    frame->sp = arguments - 1;
    frame->locals = reinterpret_cast<Slot*>(frame) - frame->method->max_locals;
    HandleScope scope(thread);
    u64 result = call_java(thread, method, copy);
    bool has_thrown = has_exception(thread);
    Handle kept = scope.make(method->return_type == BasicType::Reference ? object_of(result) : nullptr);
    if (++callees_run_ <= collected_ || callees_run_ % collected_ == 0) heap::collect(thread, heap::Cause::SystemGC);
    lead_calls_here();
    if (method->return_type == BasicType::Reference) result = slot_of(kept);
    std::fill(arguments, arguments + 100, 0xBAD0'BAD0'BAD0'BAD0);
    Slot* top = slot_of_result(method, arguments);
    if (method->return_type == BasicType::Void) result = *top;
    *answer = {has_thrown ? 1u : 0u, result, reinterpret_cast<u64>(top)};
    if (answer->status == 0 && calls_before_leaving_-- == 0) answer->status = 2;
    return answer->status;
  }

  static inline bool has_left_ = false;
  static inline u32 searches_ = 0;  // how often the last run searched for the method of an interface call
  static inline std::vector<graph::CountedDeopt> deopt_exits_;
  static inline std::vector<u32> exit_counts_ = {0};
  static inline u32 views_in_use_ = 0;  // the number of call sites in inlined methods
  // After this number of calls, a callee returns with status_deoptimize.
  static inline u64 calls_before_leaving_ = ~u64{0};
  static inline bool has_no_memory_ = false;
  static inline std::string refusal_;

 private:
  // A collection follows each of the first `collected_` calls of a run. Later calls may be many, in a loop, so only
  // every `collected_`th of them is followed by a collection.
  static constexpr u32 collected_ = 32;
  static inline u32 callees_run_ = 0;

  // Sets the entry points of the methods of new classes. This VM has no compiler, so only the tested code calls through
  // entry_from_code.
  static void lead_calls_here() {
    static u32 done = 0;
    for (; done < klass_count(); ++done) {
      Klass* klass = klass_of_id(done + 1);
      if (klass == nullptr || !klass->is_instance()) continue;
      for (u32 i = 0; i < klass->as_instance()->method_count; ++i)
        klass->as_instance()->methods[i]->entry_from_code = reinterpret_cast<MethodEntry>(&callee_of_lowered);
    }
  }
  static Slot* slot_of_result(const Method* method, Slot* locals) {
    switch (method->return_type) {
      case BasicType::Void: return locals - 1;
      case BasicType::Long:
      case BasicType::Double: return locals + 1;
      default: return locals;
    }
  }
  // Finds the method of an interface call, as the handler of invokeinterface does.
  static Method* searched(const Frame* frame, const Slot* slot) {
    ++searches_;
    u64 word = interpreter::load_instruction(frame->pc);
    const auto* site = interpreter::metadata_at<interpreter::InterfaceCallSite>(interpreter::operand_b(word));
    Object* receiver = object_of(slot[1 - site->method->argument_slots]);
    if (receiver == nullptr) {
      interpreter::throw_null_pointer(vm_thread());
      return nullptr;
    }
    return select_interface_method(vm_thread(), receiver->klass(), site->method, site->by);
  }
  static Frame* make_entry() {
    lead_calls_here();
    JavaThread* thread = vm_thread();
    Frame* caller = thread->top_frame;
    Frame* entry = reinterpret_cast<Frame*>(caller != nullptr ? caller->sp + 1 : thread->stack.java_base);
    interpreter::make_frame(entry, caller, nullptr, nullptr, FrameKind::Entry, thread->lock_record_top);
    return entry;
  }
  // Runs the code. `in_rdx_and_r14` is the method, or, for code that is entered in a loop, the locals of the frame.
  static Outcome run(uptr code, Frame* entry, Method* method, void* in_rdx_and_r14, u32 poll, u32 held = 0) {
    JavaThread* thread = vm_thread();
    callees_run_ = searches_ = 0;
    Frame* caller = entry->caller;
    Slot* locals = entry->stack_base();
    u32 records = thread->lock_record_top - held;
    llvm_plugin::Answer answer{};
    Slot* slot = locals + method->argument_slots - 1;
    auto enter = [&] {
      answer = {};
      thread->poll.fetch_or(poll);
      llvm_plugin::call_by_convention(code, entry, slot, in_rdx_and_r14, thread, &answer);
      poll_ = thread->poll.fetch_and(~poll) & poll;
    };
    enter();
    // Another thread is stopping the world: the method has not been entered, and must be called again.
    while (answer.status == entered_slowly && thread->entry_limit.load() == nullptr) {
      thread->top_frame = caller;
      safepoint::poll_slow(thread);
      enter();
    }
    has_left_ = answer.status == 7 || answer.status == 11;
    thread->top_frame = caller;
    if (answer.status == 0) {
      EXPECT_EQ(thread->lock_record_top, records);
      EXPECT_EQ(answer.slot, reinterpret_cast<u64>(slot_of_result(method, locals)));
      return Outcome::of(method, answer.result);
    }
    Frame* frame = reinterpret_cast<Frame*>(locals + method->max_locals);
    EXPECT_EQ(frame->caller, entry);
    EXPECT_EQ(frame->method, method);
    EXPECT_EQ(frame->lock_record_base, records);
    thread->top_frame = frame;
    switch (answer.status) {
      case 7: leave(frame, locals, answer); break;
      case 9:
      case 10: abnormal_return(frame, locals, answer); break;
      case 11: deoptimize_inlined(frame, locals, answer); break;
      default: ADD_FAILURE() << "status " << answer.status;
    }
    if (thread->top_frame == entry) {  // nobody has caught it
      thread->top_frame = caller;
      EXPECT_EQ(thread->lock_record_top, records);
      return Outcome::of(method, 0);
    }
    Outcome outcome = Outcome::of(method, Continuation::resume(thread, entry, method));
    EXPECT_EQ(thread->lock_record_top, records);
    return outcome;
  }

  // --- deopt exits: what the stubs do -------------------------------------------------------------------------------

  static void leave(Frame* frame, Slot* locals, const llvm_plugin::Answer& answer) {
    EXPECT_EQ(frame->kind, FrameKind::Interpreted);
    frame->locals = locals;
    frame->pc = reinterpret_cast<const Instruction*>(answer.slot);
    frame->sp = reinterpret_cast<Slot*>(answer.result);
    EXPECT_TRUE(frame->method->body.load()->contains(frame->pc));
  }
  static void deoptimize_inlined(Frame* frame, Slot* locals, const llvm_plugin::Answer& answer) {
    EXPECT_EQ(frame_left_in_call, frame);
    EXPECT_EQ(frame->kind, FrameKind::Inlining);
    frame->locals = locals;
    frame->sp = reinterpret_cast<Slot*>(answer.result);
    if (has_no_memory_) {  // makes the allocation of materialized arrays fail
      for (DebugInfo& site : std::span(description_->sites.debug_info, description_->sites.count)) {
        for (ScalarReplacedObject& object : site.scalar_replaced) object.length = std::numeric_limits<i32>::max();
      }
    }
    EXPECT_EQ(interpreter::materialize(vm_thread(), frame) == nullptr, has_no_memory_);
  }
  // Called when a callee has not returned normally: its status is not 0.
  static void abnormal_return(Frame* frame, Slot* locals, const llvm_plugin::Answer& answer) {
    if (answer.status == 9) {  // only the unwinder knows where the frame is
      frame->caller->pc = interpreter::entry_instruction();
      frame->locals = locals_of(frame);
      if (frame->kind == FrameKind::Inlining) interpreter::materialize_for_exception(vm_thread(), frame);
      else
        frame->pc =
            frame->method->body.load()->instructions() + frame->method->body.load()->instruction_index(frame->pc);
      interpreter::unwind_to_handler(vm_thread());
      return;
    }
    EXPECT_EQ(frame_left_in_call, frame);
    EXPECT_EQ(locals_left_in_call, locals);
    frame->locals = locals;
    frame->sp = reinterpret_cast<Slot*>(answer.slot);
    *frame->sp = answer.result;
    if (frame->kind == FrameKind::Inlining) frame = interpreter::materialize_after_call(vm_thread(), frame, frame->sp);
    ASSERT_NE(frame, nullptr);
    const MethodCode* body = frame->method->body.load();
    frame->pc = body->instructions() + body->instruction_index(frame->pc) + 1;
  }
  // Sets a CompiledCode as the method's code, so that stack walks find the debug info of the tested code's calls. The
  // CompiledCode has no instructions. It is marked as retired, so the VM never runs it.
  static void describe(Method* method, std::vector<DebugInfo> debug_info) {
    views_in_use_ = static_cast<u32>(
        std::ranges::count_if(debug_info, [](const DebugInfo& site) { return !site.activations.empty(); }));
    description_ = std::make_unique<CompiledCode>();
    description_->method = described_ = method;
    description_->retired = Retired::Unused;
    description_->sites.call_sites = reinterpret_cast<const CompiledCallSite*>(code_.sites);
    description_->sites.count = static_cast<u32>(debug_info.size());
    description_->sites.debug_info = new DebugInfo[debug_info.size()];
    std::ranges::move(debug_info, description_->sites.debug_info);
    method->body.load()->compiled = description_.get();
  }
  static void release() {
    if (described_ != nullptr) described_->body.load()->compiled = nullptr;
    described_ = nullptr;
    if (code_.resource != nullptr) compiler_->free(code_.resource);
    code_ = {};
  }

  static inline llvm_plugin::HostForTests* host_ = nullptr;
  static inline llvm_plugin::Compiler* compiler_ = nullptr;
  static inline llvm_plugin::Result code_;
  static inline std::unique_ptr<CompiledCode> description_;
  static inline Method* described_ = nullptr;
};

}  // namespace keyhole::testing
