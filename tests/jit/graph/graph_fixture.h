// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixture of the tests of jit/graph: methods from text in a booted VM, their graphs, and the interpreter, which
// continues where a graph deoptimizes.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "jit/graph/build/build.h"
#include "jit/graph/ir/execute.h"
#include "runtime/object/klass.h"
#include "tests/vm/interpreter/vector_class.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/frames/unwind.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::testing {

// Builds the frames of a deoptimized graph and runs them to their end, as a call from C++ would. The stack then has:
//    Entry frame | locals | Frame | operands ... of the method, then of each method that was inlined in it.
class Continuation {
 public:
  // Returns the result, or 0 with a pending exception. Lock records above `lock_record_base` belong to the frame.
  static u64 run(JavaThread* thread, const graph::Execution& left) {
    return run(thread, left, thread->lock_record_top);
  }
  static u64 run(JavaThread* thread, const graph::Execution& left, u32 lock_record_base) {
    Frame* caller = thread->top_frame;
    Frame* entry = reinterpret_cast<Frame*>(caller != nullptr ? caller->sp + 1 : thread->stack.java_base);
    if (thread->dispatch == nullptr) thread->dispatch = interpreter::active_table();
    interpreter::make_frame(entry, caller, nullptr, nullptr, FrameKind::Entry, lock_record_base);
    entry->pc = interpreter::entry_instruction();
    entry->native_sp = __builtin_frame_address(0);
    const graph::FrameState* outermost = left.callers.empty() ? left.exit->state : left.callers.back().state;
    entry->below_stack = reinterpret_cast<Slot>(outermost->method);
    entry->sp = &entry->below_stack;
    ++thread->vm_depth;
    Frame* frame = entry;
    for (usize i = left.callers.size(); i-- > 0;) {
      frame = push(thread, frame, left.callers[i], lock_record_base);
      lock_record_base = thread->lock_record_top;
    }
    push(thread, frame, {left.exit->state, left.locals, left.operands, left.locks}, lock_record_base);
    if (left.has_thrown) interpreter::unwind_to_handler(thread);
    u64 result = thread->top_frame == entry ? 0 : go_on(thread);
    --thread->vm_depth;
    thread->top_frame = caller;
    return result;
  }
  // Runs existing frames to their end, down to `entry`. The top frame continues at its pc, with all operands spilled.
  static u64 resume(JavaThread* thread, Frame* entry, Method* method) {
    if (thread->dispatch == nullptr) thread->dispatch = interpreter::active_table();
    entry->pc = interpreter::entry_instruction();
    entry->native_sp = __builtin_frame_address(0);
    entry->below_stack = reinterpret_cast<Slot>(method);
    entry->sp = &entry->below_stack;
    Frame* caller = entry->caller;
    ++thread->vm_depth;
    u64 result = go_on(thread);
    --thread->vm_depth;
    thread->top_frame = caller;
    return result;
  }

 private:
  // Builds the frame that a call by `caller` would have pushed.
  static Frame* push(JavaThread* thread, Frame* caller, const graph::DeoptFrame& left, u32 lock_record_base) {
    Method* method = left.state->method;
    Slot* locals = caller->sp + 1;
    std::copy(left.locals.begin(), left.locals.end(), locals);
    Frame* frame = reinterpret_cast<Frame*>(locals + method->max_locals);
    interpreter::make_frame(frame, caller, method, locals, FrameKind::Interpreted, lock_record_base);
    frame->pc = method->body.load()->instructions() + left.state->instruction;
    frame->native_sp = nullptr;
    frame->sp = &frame->below_stack;
    thread->top_frame = frame;
    for (Object* object : left.locks) lock(thread, frame, object);
    std::copy(left.operands.begin(), left.operands.end(), frame->stack_base());
    frame->sp = &frame->below_stack + left.operands.size();
    return frame;
  }
  // Acquires the monitor. The graph's execution has only recorded that it was entered.
  static void lock(JavaThread* thread, Frame* frame, Object* object) {
    static interpreter::Handler stopping[interpreter::operation_count];
    for (interpreter::Handler& handler : stopping) handler = stop;
    const Instruction* pc = frame->pc;
    frame->stack_base()[0] = slot_of(object);
    enter(thread, frame, frame->stack_base(), slot_of(object), pc,
          interpreter::make_instruction(interpreter::Operation::monitorenter), stopping);
    frame->pc = pc;
  }
  static KEYHOLE_PRESERVE_NONE void stop(const Instruction*, Slot*, Slot*, JavaThread*, Frame*, const void*, Slot,
                                         u64) {}

  static u64 go_on(JavaThread* thread) {
    Frame* frame = thread->top_frame;
    enter(thread, frame, frame->sp, *frame->sp, frame->pc, interpreter::load_instruction(frame->pc), thread->dispatch);
    return has_exception(thread) ? 0 : thread->result;
  }
  // Calls an interpreter handler from C++, like `enter` of vm/interpreter/java_call.cpp (handlers.h, H4).
  [[gnu::noinline]] __attribute__((no_sanitize("address", "thread", "undefined"))) static void enter(
      JavaThread* thread, Frame* frame, Slot* sp, Slot tos, const Instruction* pc, u64 word, const void* table) {
    interpreter::plain_table[word & 0xFFFF](pc, sp, frame->locals, thread, frame, table, tos, word);
  }
};

// The outcome of a method: its result, or the class of its exception.
struct Outcome {
  static constexpr u64 not_a_number = 0x7FF8'0000'0000'0000;

  u64 result = 0;
  std::string exception;

  static Outcome of(const Method* method, u64 result) {
    if (has_exception(vm_thread())) return {0, exception_text(vm_thread())};
    switch (method->return_type) {
      case BasicType::Void: return {};
      // All NaNs are equal here, because their bits depend on the machine.
      case BasicType::Double: return {std::isnan(__builtin_bit_cast(f64, result)) ? not_a_number : result, {}};
      case BasicType::Float:
        return {std::isnan(__builtin_bit_cast(f32, static_cast<u32>(result))) ? not_a_number : static_cast<u32>(result),
                {}};
      case BasicType::Long:
      case BasicType::Reference: return {result, {}};
      default: return {static_cast<u32>(result), {}};
    }
  }
  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    return out << (outcome.exception.empty() ? fmt::format("{:#x}", outcome.result) : outcome.exception);
  }
};

class GraphTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_NE(vector_class(), nullptr); }

  // Makes a new class with a static method. In the text, `self` stands for the name of this class. The method has not
  // been executed, so its instructions are unresolved.
  static Method* make(const char* descriptor, std::string_view assembly) {
    std::string name = fmt::format("GraphTest{}", ++count_);
    ClassBuilder builder(name, "java/lang/Object", 49);
    builder.field(access::Public, "i", "I").field(access::Public, "b", "B");
    builder.field(access::Public | access::Static, "si", "I");
    builder.field(access::Public | access::Static, "seen", "L" + name + ";");
    builder.field(access::Public, "d", "D").field(access::Public, "next", "L" + name + ";").default_constructor();
    builder.method(access::Public | access::Static, "run", descriptor, replaced(std::string(assembly), "self", name));
    return define(builder)->find_declared_method(Symbol::intern("run"), Symbol::intern(descriptor));
  }

  static std::unique_ptr<graph::Graph> build(Method* method) {
    graph::Built built = graph::build(method);
    EXPECT_EQ(built.refusal, "") << method->external_name();
    if (built.graph != nullptr) EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return std::move(built.graph);
  }

  // Visits the method of each of the interpreter's test vectors (bytecode_vectors), which cover every bytecode. Each
  // method has been executed once, so its instructions are resolved.
  template <typename Visit> static void for_each_vector(Visit&& visit) {
    const auto& vectors = bytecode_vectors();
    for (u32 number = 0; number < vectors.size(); ++number) {
      const Vector& vector = vectors[number];
      std::vector<Slot> arguments;
      for (const Value& argument : vector.arguments) {
        if (argument.kind == 'J' || argument.kind == 'D') arguments.push_back(0xDEAD);
        arguments.push_back(argument.bits);
      }
      Method* method = vector_class()->find_declared_method(Symbol::intern("v" + std::to_string(number)),
                                                            Symbol::intern(vector.descriptor));
      interpret(method, arguments);
      visit(vector, method, arguments);
    }
  }
  // Makes a method for each bytecode of arithmetic, conversion and comparison, with arguments at the limits of its
  // types.
  template <typename Visit> static void for_each_arithmetic(Visit&& visit) {
    for (u8 opcode = IADD; opcode <= DCMPG; ++opcode) {
      if (opcode == IINC) continue;
      const bytecode::Row& row = bytecode::row(opcode);
      std::string code, descriptor = "(";
      u32 local = 0;
      auto upper = [](char letter) { return letter == 'l' ? 'J' : static_cast<char>(letter - 'a' + 'A'); };
      for (char letter : row.pops) {
        code += fmt::format("{}load {}\n", letter, local);
        local += letter == 'l' || letter == 'd' ? 2 : 1;
        descriptor += upper(letter);
      }
      code += fmt::format("{}\n{}return\n", row.mnemonic, row.pushes[0]);
      descriptor += fmt::format("){}", upper(row.pushes[0]));
      std::vector<std::vector<Slot>> all(1);
      for (char letter : row.pops) {
        std::vector<std::vector<Slot>> longer;
        for (const std::vector<Slot>& arguments : all) {
          for (Slot value : edges_of(letter)) {
            longer.push_back(arguments);
            if (letter == 'l' || letter == 'd') longer.back().push_back(0xDEAD);
            longer.back().push_back(value);
          }
        }
        all = longer;
      }
      visit(make(descriptor.c_str(), code), all);
    }
  }
  static std::vector<Slot> edges_of(char letter) {
    constexpr i64 longs[] = {0,
                             1,
                             -1,
                             2,
                             31,
                             32,
                             63,
                             64,
                             std::numeric_limits<i32>::max(),
                             std::numeric_limits<i32>::min(),
                             std::numeric_limits<i64>::max(),
                             std::numeric_limits<i64>::min(),
                             0x1234'5678'9ABC};
    constexpr f64 doubles[] = {0.0,
                               -0.0,
                               1.5,
                               -1e10,
                               1e300,
                               2147483648.0,
                               -9.3e18,
                               std::numeric_limits<f64>::infinity(),
                               std::numeric_limits<f64>::quiet_NaN()};
    std::vector<Slot> values;
    for (i64 value : longs) {
      if (letter == 'i') values.push_back(slot_of(static_cast<i32>(value)));
      if (letter == 'l') values.push_back(slot_of(value));
    }
    for (f64 value : doubles) {
      if (letter == 'f') values.push_back(slot_of(static_cast<f32>(value)));
      if (letter == 'd') values.push_back(slot_of(value));
    }
    return values;
  }

  // Returns whether the graph can be executed. The executor only records monitor operations, so a graph with a lock may
  // not have a call, which could depend on the lock.
  static bool can_execute(const graph::Graph& graph) {
    return find(graph, graph::Op::monitor_enter) == nullptr || find(graph, graph::Op::call) == nullptr;
  }

  // Visits the methods of all classes that are loaded when the VM has started, except methods without bytecode.
  template <typename Visit> static void for_each_started_method(Visit&& visit) {
    for (u32 id = 1; id <= klass_count(); ++id) {
      Klass* klass = klass_of_id(id);
      if (klass == nullptr || !klass->is_instance() || !klass->as_instance()->is_initialized()) continue;
      for (u32 i = 0; i < klass->as_instance()->method_count; ++i) {
        Method* method = klass->as_instance()->methods[i];
        if (method->code != nullptr) visit(method);
      }
    }
  }

  static Outcome interpret(Method* method, std::span<const Slot> arguments) {
    return Outcome::of(method, call_java(vm_thread(), method, arguments));
  }
  // Executes the graph, and continues in the interpreter after a deoptimization.
  static Outcome execute(const graph::Graph& graph, std::span<const Slot> arguments,
                         u64 forced_deopt = std::numeric_limits<u64>::max()) {
    last_ = graph::execute(vm_thread(), graph, arguments, forced_deopt);
    u64 result = last_.exit != nullptr ? Continuation::run(vm_thread(), last_) : last_.result;
    return Outcome::of(graph.method(), result);
  }
  // Executes the graph once for each of its deopt points, and deoptimizes there. Each run must have the same outcome.
  static void expect_same_from_each_exit(const graph::Graph& graph, std::span<const Slot> arguments,
                                         const Outcome& expected) {
    for (u64 exit = 0;; ++exit) {
      EXPECT_EQ(execute(graph, arguments, exit), expected)
          << graph.method()->external_name() << ", exit " << exit << "\n"
          << graph::print(graph);
      if (last_.deopts_passed <= exit) return;
    }
  }

  // Returns the first node with this operation, or null.
  static graph::Node* find(const graph::Graph& graph, graph::Op op) {
    for (graph::Block* block : graph.blocks) {
      for (graph::Node* node : block->nodes) {
        if (node->op == op) return node;
      }
    }
    return nullptr;
  }

  static inline graph::Execution last_;

 private:
  static inline int count_ = 0;
};

}  // namespace keyhole::testing
