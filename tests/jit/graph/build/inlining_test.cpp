// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests inlining: decisions and their reasons, the resulting graphs, and their execution beside the interpreter, also
// when they deoptimize in the middle of an inlined method.
#include "jit/graph/build/inliner.h"

#include "gc/heap/heap.h"
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/graph/profiling.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::ClassBuilder;
using testing::Outcome;
using testing::vm_thread;

class InliningTest : public testing::GraphTest {
 protected:
  static ClassBuilder program() {
    ClassBuilder builder(fmt::format("Inlining{}", ++count_), "java/lang/Object", 49);
    builder.field(access::Public, "i", "I").field(access::Public | access::Static, "si", "I").default_constructor();
    return builder;
  }
  static void add(ClassBuilder& builder, u32 flags, const char* name, const char* descriptor, std::string_view text) {
    builder.method(access::Public | flags, name, descriptor,
                   testing::replaced(std::string(text), "self", builder.name()));
  }
  static void add_static(ClassBuilder& builder, const char* name, const char* descriptor, std::string_view text) {
    add(builder, access::Static, name, descriptor, text);
  }
  static Method* find_method(const InstanceKlass* klass, const char* name, const char* descriptor) {
    return klass->find_declared_method(Symbol::intern(name), Symbol::intern(descriptor));
  }
  // Defines the class, and returns its method `run`.
  static Method* run_of(const ClassBuilder& builder, const char* descriptor) {
    return find_method(testing::define(builder), "run", descriptor);
  }
  // Makes a class and subclasses of it, `receivers` classes in all. Their `area` returns its argument x, x + 1, x + 2
  // and so on. Returns the method `run`, which calls `area` on its argument.
  static Method* shapes(u32 receivers, std::vector<InstanceKlass*>& classes) {
    ClassBuilder base = program();
    add(base, 0, "area", "(I)I", "iload_1\nireturn\n");
    add_static(base, "run", "(Ljava/lang/Object;I)I",
               "aload_0\ncheckcast self\niload_1\ninvokevirtual self.area (I)I\nireturn\n");
    Method* run = run_of(base, "(Ljava/lang/Object;I)I");
    classes.push_back(run->holder);
    for (u32 i = 1; i < receivers; ++i) {
      ClassBuilder shape(fmt::format("{}Shape{}", base.name(), i), base.name(), 49);
      shape.default_constructor();
      add(shape, 0, "area", "(I)I", fmt::format("iload_1\niconst_{}\niadd\nireturn\n", i));
      classes.push_back(testing::define(shape));
    }
    return run;
  }

  static graph::Built inlined(Method* method, i32 loop = -1) {
    graph::BuildOptions options;
    options.inlines = true;
    options.loop = loop;
    options.look_at = [](Method* looked_at) { looked_at_.push_back(looked_at); };
    options.has_failed = [](const Method*, u32, graph::DeoptReason reason) { return reason == failed_; };
    options.compiled_bytes = [](const Method*) { return compiled_bytes_; };
    looked_at_.clear();
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    if (built.graph != nullptr) EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return built;
  }
  static std::string reasons(const graph::Built& built) {
    std::string text;
    for (const graph::InliningDecision& decision : built.decisions) {
      text += fmt::format("{}{}{}: {}", text.empty() ? "" : ", ", std::string(decision.depth, '>'),
                          decision.callee->name->text(), decision.reason);
    }
    return text;
  }
  static u32 count(const graph::Graph& graph, Op op) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == op ? 1 : 0;
    }
    return found;
  }
  // Executes the graph before and after the phases, once for each deopt point, and deoptimizes there. Expects the
  // outcome `expected` each time.
  static void expect_same(graph::Graph& graph, std::span<const Slot> arguments, const Outcome& expected) {
    expect_same_from_each_exit(graph, arguments, expected);
    graph::optimise(graph);
    EXPECT_EQ(graph::verify(graph), "") << graph::print(graph);
    expect_same_from_each_exit(graph, arguments, expected);
  }

  static inline std::vector<Method*> looked_at_;
  static inline graph::DeoptReason failed_ = graph::DeoptReason::Interpreted;
  static inline u32 compiled_bytes_ = 0;

 private:
  static inline int count_ = 0;
};

// --- direct calls ----------------------------------------------------------------------------------------------------

TEST_F(InliningTest, ArgumentsAreTheLocalsAndDeoptPointsHaveBothFrames) {
  ClassBuilder builder = program();
  add_static(builder, "quotient", "(II)I", ".locals 2\niload_0\niload_1\nidiv\nireturn\n");
  add_static(builder, "run", "(II)I",
             ".locals 3\nbipush 100\niload_1\niload_0\ninvokestatic self.quotient (II)I\niadd\nireturn\n");
  Method* method = run_of(builder, "(II)I");
  std::vector<Slot> arguments{slot_of(i32{3}), slot_of(i32{22})};
  EXPECT_EQ(interpret(method, arguments).result, 107u);
  graph::Built built = inlined(method);
  EXPECT_EQ(graph::print(*built.graph), R"(b0:
  n0 int = parameter 0
  n1 int = parameter 1
  jump b1
b1: b0
  n3 int = constant 100
  n4 int = constant 0
  n5 int = compare_int not_equal n0 n4
  guard zero_divisor n5 @quotient:2 [- - | n1 n0] @4 [- - - | n3]
  n7 int = idiv n1 n0
  n8 int = iadd n3 n7
  return_ n8
)");
  const graph::FrameState* state = find(*built.graph, Op::guard)->state;
  EXPECT_EQ(graph::locals_distance(state), 3 + 8 + 1) << "locals, Frame, one operand below the arguments";
  EXPECT_EQ(graph::locals_distance(state->outer), 0);
  EXPECT_EQ(built.graph->methods, (std::vector<Method*>{method, find_method(method->holder, "quotient", "(II)I")}));
  EXPECT_EQ(looked_at_, (std::vector<Method*>{find_method(method->holder, "quotient", "(II)I")}));
  expect_same(*built.graph, arguments, interpret(method, arguments));
  arguments[0] = slot_of(i32{0});
  EXPECT_EQ(execute(*built.graph, arguments), interpret(method, arguments)) << "raised in the inlined frame";
  ASSERT_EQ(last_.callers.size(), 1u);
}

TEST_F(InliningTest, NothingIsInlinedWithoutTheOption) {
  ClassBuilder builder = program();
  add_static(builder, "one", "()I", "iconst_1\nireturn\n");
  add_static(builder, "run", "()I", "invokestatic self.one ()I\nireturn\n");
  Method* method = run_of(builder, "()I");
  interpret(method, {});
  auto graph = build(method);
  EXPECT_EQ(count(*graph, Op::call), 1u);
  EXPECT_EQ(graph->methods, std::vector<Method*>{method});
}

TEST_F(InliningTest, ReturnsMeetInTheCaller) {
  ClassBuilder builder = program();
  add_static(builder, "sign", "(J)B", R"(
      .locals 2
      lload_0
      lconst_0
      lcmp
      ifne other
      sipush 256
      ireturn
    other:
      lload_0
      bipush 63
      lshr
      l2i
      iconst_1
      ior
      ireturn
  )");
  add_static(builder, "run", "(J)I", R"(
      lload_0
      invokestatic self.sign (J)B
      lload_0
      iconst_1
      lshl
      invokestatic self.sign (J)B
      iadd
      ireturn
  )");
  Method* method = run_of(builder, "(J)I");
  for (i64 value : {i64{0}, i64{5}, i64{-5}, i64{1} << 62}) {
    std::vector<Slot> arguments{0, slot_of(value)};
    Outcome expected = interpret(method, arguments);
    graph::Built built = inlined(method);
    if (value != 0) EXPECT_EQ(count(*built.graph, Op::phi), 2u) << graph::print(*built.graph);
    expect_same(*built.graph, arguments, expected);
  }
}

TEST_F(InliningTest, TheCallersHandlerCatchesAnInlinedMethodsException) {
  ClassBuilder builder = program();
  add_static(builder, "element", "([II)I", "aload_0\niload_1\niaload\nireturn\n");
  add_static(builder, "twice", "([II)I",
             "aload_0\niload_1\niconst_1\nishl\ninvokestatic self.element ([II)I\nireturn\n");
  add_static(builder, "run", "(II)I", R"(
      .locals 3
      iload_0
      newarray int
      astore_2
    begin:
      aload_2
      iload_1
      invokestatic self.twice ([II)I
    after:
      ireturn
    handler:
      pop
      iload_1
      ineg
      ireturn
      .catch java/lang/ArrayIndexOutOfBoundsException begin after handler
  )");
  Method* method = run_of(builder, "(II)I");
  for (i32 index : {0, 1, 2, -1}) {
    std::vector<Slot> arguments{slot_of(i32{3}), slot_of(index)};
    Outcome expected = interpret(method, arguments);
    EXPECT_EQ(static_cast<i32>(expected.result), index == 2 || index == -1 ? -index : 0);
    graph::Built built = inlined(method);
    EXPECT_EQ(reasons(built), "twice: inline, >element: inline");
    expect_same(*built.graph, arguments, expected);
  }
}

// An exception of the inlined method goes to the caller's handler. If the method is synchronized, its monitor is
// released.
TEST_F(InliningTest, AnInlinedMethodsExceptionIsABranchToTheCallersHandler) {
  for (u32 flags : {u32{access::Static}, u32{access::Static} | u32{access::Synchronized}}) {
    ClassBuilder builder = program();
    add(builder, flags, "checked", "(I)I", R"(
        iload_0
        ifge fine
        new java/lang/IllegalArgumentException
        dup
        invokespecial java/lang/IllegalArgumentException.<init> ()V
        athrow
      fine:
        iload_0
        ireturn
    )");
    add_static(builder, "run", "(I)I", R"(
      from:
        iload_0
        invokestatic self.checked (I)I
      to:
        ireturn
      handler:
        pop
        iload_0
        ineg
        ireturn
        .catch java/lang/IllegalStateException from to handler
        .catch java/lang/RuntimeException from to handler
    )");
    Method* method = run_of(builder, "(I)I");
    for (i32 value : {-7, 7}) {
      std::vector<Slot> arguments{slot_of(value)};
      Outcome expected = interpret(method, arguments);
      EXPECT_EQ(expected.result, 7u);
      graph::Built built = inlined(method);
      graph::optimise(*built.graph);
      EXPECT_EQ(count(*built.graph, Op::is_instance), flags == access::Static ? 2u : 0u)
          << "its class is known, not that of what its constructor throws\n"
          << graph::print(*built.graph);
      EXPECT_EQ(count(*built.graph, Op::release), 1u) << "of the constructor, or the method: not both on one way";
      EXPECT_FALSE(built.graph->pruned_handlers.empty()) << "the first handler";
      if (can_execute(*built.graph)) expect_same(*built.graph, arguments, expected);
      EXPECT_EQ(vm_thread()->lock_record_top, 0u);
    }
  }
}

TEST_F(InliningTest, ASynchronizedMethodHoldsItsOwnMonitorAndTheCallersStay) {
  ClassBuilder builder = program();
  add(builder, access::Synchronized, "add", "(I)I", R"(
      aload_0
      aload_0
      getfield self.i I
      iload_1
      iadd
      dup_x1
      putfield self.i I
      ireturn
  )");
  add_static(builder, "run", "(I)I", R"(
      .locals 4
      new self
      dup
      invokespecial self.<init> ()V
      astore_1
      aload_1
      dup
      astore_2
      monitorenter
    locked:
      bipush 100
      aload_1
      iload_0
      invokevirtual self.add (I)I
      aload_1
      iconst_5
      invokevirtual self.add (I)I
      iadd
      idiv
      aload_2
      monitorexit
    unlocked:
      ireturn
    handler:
      aload_2
      monitorexit
      athrow
      .catch any locked unlocked handler
  )");
  Method* method = run_of(builder, "(I)I");
  for (i32 value : {1, 7}) {
    std::vector<Slot> arguments{slot_of(value)};
    Outcome expected = interpret(method, arguments);
    graph::Built built = inlined(method);
    EXPECT_EQ(count(*built.graph, Op::monitor_enter), 3u) << graph::print(*built.graph);
    EXPECT_EQ(count(*built.graph, Op::call), 0u)
        << "the class of the receiver is known: " << graph::print(*built.graph);
    expect_same(*built.graph, arguments, expected);
    EXPECT_EQ(vm_thread()->lock_record_top, 0u);
  }
}

// The stores of the constructor and the loads of the fields need no guard.
TEST_F(InliningTest, ANewObjectsClassAndFieldsAreKnown) {
  ClassBuilder builder = program();
  add(builder, 0, "<init>", "(I)V", R"(
      aload_0
      invokespecial java/lang/Object.<init> ()V
      aload_0
      iload_1
      putfield self.i I
      return
  )");
  add(builder, 0, "get", "()I", "aload_0\ngetfield self.i I\nireturn\n");
  add_static(builder, "run", "(I)I", R"(
      new self
      dup
      iload_0
      invokespecial self.<init> (I)V
      invokevirtual self.get ()I
      ireturn
  )");
  Method* method = run_of(builder, "(I)I");
  std::vector<Slot> arguments{slot_of(i32{41})};
  Outcome expected = interpret(method, arguments);
  graph::Built built = inlined(method);
  expect_same(*built.graph, arguments, expected);
  EXPECT_EQ(count(*built.graph, Op::call) + count(*built.graph, Op::guard), 0u) << graph::print(*built.graph);
}

// --- calls that are not inlined --------------------------------------------------------------------------------------

TEST_F(InliningTest, Refusals) {
  ClassBuilder builder = program();
  std::string large, huge;
  for (u32 i = 0; i < 20; ++i) large += "iload_0\niconst_1\niadd\nistore_0\n";
  for (u32 i = 0; i < 100; ++i) huge += "iload_0\niconst_1\niadd\nistore_0\n";
  add_static(builder, "large", "(I)I", large + "iload_0\nireturn\n");
  add_static(builder, "huge", "(I)I", huge + "iload_0\nireturn\n");
  add_static(builder, "subroutine", "(I)I", ".locals 2\njsr sub\niload_0\nireturn\nsub:\nastore_1\nret 1\n");
  add_static(builder, "unlocked", "(I)I", R"(
      iload_0
      ifeq free
      aconst_null
      monitorenter
    free:
      iload_0
      ireturn
  )");
  add_static(builder, "again", "(I)I",
             "iload_0\nifle done\niload_0\niconst_1\nisub\n"
             "invokestatic self.again (I)I\nireturn\ndone:\niload_0\nireturn\n");
  add_static(builder, "run", "(I)I", R"(
      iload_0
      invokestatic self.large (I)I
      invokestatic self.huge (I)I
      invokestatic self.subroutine (I)I
      invokestatic self.again (I)I
      invokestatic self.unlocked (I)I
      invokestatic java/lang/System.nanoTime ()J
      l2i
      iconst_0
      iand
      iadd
      ireturn
  )");
  Method* method = run_of(builder, "(I)I");
  std::vector<Slot> arguments{slot_of(i32{-118})};
  Outcome expected = interpret(method, arguments);
  EXPECT_EQ(expected, Outcome{});
  graph::Built built = inlined(method);
  // Without a profile, no call counts as hot, and each call counts as executed once per execution of the method.
  EXPECT_EQ(reasons(built),
            "large: inline (hot), huge: hot method too big, subroutine: subroutines, again: inline, "
            ">again: inline, >>again: recursive inlining is too deep, unlocked: different locks where paths meet, "
            "nanoTime: native method");
  expect_same(*built.graph, arguments, expected);
}

TEST_F(InliningTest, CallsAreInlinedToALimitedDepth) {
  ClassBuilder builder = program();
  add_static(builder, "f0", "(I)I", "iload_0\nireturn\n");
  for (u32 i = 1; i < 14; ++i) {
    add_static(builder, fmt::format("f{}", i).c_str(), "(I)I",
               fmt::format("iload_0\ninvokestatic self.f{} (I)I\niconst_1\niadd\nireturn\n", i - 1));
  }
  add_static(builder, "run", "(I)I", "iload_0\ninvokestatic self.f13 (I)I\nireturn\n");
  Method* method = run_of(builder, "(I)I");
  std::vector<Slot> arguments{slot_of(i32{5})};
  Outcome expected = interpret(method, arguments);
  EXPECT_EQ(expected.result, 18u);
  graph::Built built = inlined(method);
  ASSERT_EQ(built.decisions.size(), 10u);
  EXPECT_EQ(built.decisions[8].reason, "inline");
  EXPECT_EQ(built.decisions[9].reason, "inlining too deep");
  expect_same(*built.graph, arguments, expected);
}

// --- receivers -------------------------------------------------------------------------------------------------------

class InlinedReceiversTest : public InliningTest {
 protected:
  void SetUp() override { failed_ = graph::DeoptReason::Interpreted; }
  static std::vector<Slot> arguments_for(InstanceKlass* klass, i32 value) {
    return {slot_of(heap::allocate_instance(vm_thread(), klass)), slot_of(value)};
  }
  // Profiles times[i] calls of the method with a receiver of classes[i], for each i.
  static void run_with(Method* method, const std::vector<InstanceKlass*>& classes, const std::vector<u32>& times) {
    interpret(method, arguments_for(classes[0], 1));
    testing::profile_methods(method->holder);
    testing::ProfilingScope profiling;
    for (usize i = 0; i < times.size(); ++i) {
      for (u32 run = 0; run < times[i]; ++run) interpret(method, arguments_for(classes[i], 1));
    }
  }
  static void expect_all_the_same(Method* method, graph::Graph& graph, const std::vector<InstanceKlass*>& classes) {
    for (bool optimised : {false, true}) {
      if (optimised) graph::optimise(graph);
      EXPECT_EQ(graph::verify(graph), "");
      for (InstanceKlass* klass : classes) {
        Outcome expected = interpret(method, arguments_for(klass, 40));
        EXPECT_EQ(execute(graph, arguments_for(klass, 40)), expected) << graph::print(graph);
        u64 exits = last_.deopts_passed;
        for (u64 exit = 0; exit < exits; ++exit) EXPECT_EQ(execute(graph, arguments_for(klass, 40), exit), expected);
      }
      std::vector<Slot> null{0, 0};
      EXPECT_EQ(execute(graph, null), interpret(method, null));
    }
  }
};

TEST_F(InlinedReceiversTest, OneClassIsAGuard) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(3, classes);
  run_with(method, classes, {60});
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::has_class), 1u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::call) + count(*built.graph, Op::branch), 0u) << graph::print(*built.graph);
  std::string name(classes[0]->name->text());
  EXPECT_EQ(
      graph::print(built.decisions),
      fmt::format("{0:28}@ 5   {1}::area (2 bytes)   inline\n{0:29}\\-> TypeProfile (60/60 counts) = {1}\n", "", name));
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, TwoClassesAreAChain) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(3, classes);
  run_with(method, classes, {20, 60});
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::has_class), 2u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::branch), 1u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::call), 0u) << graph::print(*built.graph);
  EXPECT_EQ(built.decisions[0].receiver, classes[1]) << "the more frequent one first";
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, WithAThirdClassThereIsNoSpeculation) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(3, classes);
  run_with(method, classes, {20, 20, 20});
  graph::Built built = inlined(method);
  EXPECT_EQ(reasons(built), "area: virtual call");
  EXPECT_EQ(count(*built.graph, Op::call), 1u);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, AClassThatNearlyAllHaveIsTestedBeforeTheCall) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(3, classes);
  run_with(method, classes, {95, 2, 2});
  graph::Built built = inlined(method);
  EXPECT_EQ(reasons(built), "area: inline");
  EXPECT_EQ(count(*built.graph, Op::has_class), 1u);
  EXPECT_EQ(count(*built.graph, Op::call), 1u);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, ClassesWithOneMethodAreTestedForTheMethod) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(2, classes);
  ClassBuilder subclass(fmt::format("{}Subclass", classes[0]->name->text()), classes[0]->name->string(), 49);
  subclass.default_constructor();
  InstanceKlass* other = testing::define(subclass);
  run_with(method, {classes[0], other}, {30, 30});
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::selects), 1u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::has_class) + count(*built.graph, Op::call), 0u);
  classes.push_back(other);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, AFailedSpeculationIsNotRepeated) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(2, classes);
  run_with(method, classes, {60});
  failed_ = graph::DeoptReason::Class;
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::call), 1u) << "after the class check";
  EXPECT_EQ(count(*built.graph, Op::branch), 1u);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, AfterAFailedSpeculationTwoClassesAreTestedBeforeTheCall) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(3, classes);
  run_with(method, classes, {20, 60});
  failed_ = graph::DeoptReason::Class;
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::branch), 2u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::call), 1u) << graph::print(*built.graph);
  expect_all_the_same(method, *built.graph, classes);
}

// Casts to an interface, with objects of two classes that implement the interface, and of one class that does not.
class CastsTest : public InlinedReceiversTest {
 protected:
  static Method* cast_to_interface(std::vector<InstanceKlass*>& classes) {
    ClassBuilder base = program();
    base.implements("java/lang/Cloneable");
    add_static(base, "run", "(Ljava/lang/Object;I)I",
               "aload_0\ncheckcast java/lang/Cloneable\npop\niload_1\nireturn\n");
    Method* run = run_of(base, "(Ljava/lang/Object;I)I");
    ClassBuilder subclass(base.name() + "Subclass", base.name(), 49);
    subclass.default_constructor();
    ClassBuilder other(base.name() + "Other", "java/lang/Object", 49);
    other.default_constructor();
    classes = {run->holder, testing::define(subclass), testing::define(other)};
    return run;
  }
};

TEST_F(CastsTest, OfOneClassToAnInterfaceTestTheClass) {
  std::vector<InstanceKlass*> classes;
  Method* method = cast_to_interface(classes);
  run_with(method, classes, {60});
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::has_class), 1u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::is_castable), 0u) << graph::print(*built.graph);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(CastsTest, AreOfTheInterfaceWhenTheProfileHasSeenMoreOrTooLittle) {
  for (const std::vector<u32>& times : {std::vector<u32>{60, 1}, std::vector<u32>{40}}) {
    std::vector<InstanceKlass*> classes;
    Method* method = cast_to_interface(classes);
    run_with(method, classes, times);
    graph::Built built = inlined(method);
    EXPECT_EQ(count(*built.graph, Op::has_class), 0u) << graph::print(*built.graph);
    EXPECT_EQ(count(*built.graph, Op::is_castable), 1u) << graph::print(*built.graph);
    expect_all_the_same(method, *built.graph, classes);
  }
}

TEST_F(CastsTest, OfNullAreOfTheInterface) {
  std::vector<InstanceKlass*> classes;
  Method* method = cast_to_interface(classes);
  run_with(method, classes, {60});
  {
    testing::ProfilingScope profiling;
    interpret(method, std::vector<Slot>{0, 0});
  }
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::has_class), 0u) << graph::print(*built.graph);
  expect_all_the_same(method, *built.graph, classes);
}

// When the graph is built, neither the cast nor the instanceof has resolved its class. Without a profile, the graph
// does not know whether they were executed.
TEST_F(CastsTest, OfNullAloneAreSpeculations) {
  for (bool is_profiled : {false, true}) {
    ClassBuilder base = program();
    base.implements("java/lang/Cloneable");
    add_static(base, "run", "(Ljava/lang/Object;I)I",
               "aload_0\ncheckcast java/lang/Cloneable\ninstanceof java/lang/Cloneable\niload_1\niadd\nireturn\n");
    Method* method = run_of(base, "(Ljava/lang/Object;I)I");
    if (is_profiled) testing::profile_methods(method->holder);
    for (u32 i = 0; i < 60; ++i) {
      testing::ProfilingScope profiling;
      interpret(method, std::vector<Slot>{0, 0});
    }
    graph::Built built = inlined(method);
    const graph::Node* guard = find(*built.graph, Op::guard);
    EXPECT_EQ(count(*built.graph, Op::uncommon_trap), is_profiled ? 0u : 1u) << graph::print(*built.graph);
    EXPECT_EQ(guard != nullptr && guard->reason == graph::DeoptReason::Unresolved, is_profiled);
    expect_all_the_same(method, *built.graph, {method->holder});
  }
}

// The known class of the receiver has another method at the vtable index of the called method.
TEST_F(CastsTest, ThatCannotSucceedEndThePath) {
  ClassBuilder wanted = program();
  add(wanted, 0, "sum", "(II)I", "iload_1\niload_2\niadd\nireturn\n");
  add_static(wanted, "call", "(Ljava/lang/Object;)I",
             "aload_0\ncheckcast self\niconst_3\niconst_4\ninvokevirtual self.sum (II)I\nireturn\n");
  add_static(wanted, "make", "()Ljava/lang/Object;", "new self\ndup\ninvokespecial self.<init> ()V\nareturn\n");
  add_static(wanted, "text", "()Ljava/lang/String;", "ldc \"text\"\nareturn\n");
  InstanceKlass* klass = testing::define(wanted);
  interpret(find_method(klass, "call", "(Ljava/lang/Object;)I"),
            std::vector<Slot>{call_java(vm_thread(), find_method(klass, "make", "()Ljava/lang/Object;"), {})});
  for (auto [descriptor, value] :
       {std::pair{"()I", "new self\ndup\ninvokespecial self.<init> ()V\n"}, {"(Ljava/lang/String;)I", "aload_0\n"}}) {
    ClassBuilder other = program();
    add(other, 0, "none", "()V", "return\n");
    add_static(other, "run", descriptor,
               std::string(value) + "invokestatic " + wanted.name() + ".call (Ljava/lang/Object;)I\nireturn\n");
    Method* run = run_of(other, descriptor);
    std::vector<Slot> null(run->argument_slots);
    interpret(run, null);
    graph::Built built = inlined(run);
    EXPECT_EQ(built.refusal, "");
    for (bool optimised : {false, true}) {
      if (optimised) graph::optimise(*built.graph);
      std::vector<Slot> text(run->argument_slots);
      EXPECT_EQ(execute(*built.graph, text), interpret(run, text)) << graph::print(*built.graph);
      if (text.empty()) continue;
      text[0] = call_java(vm_thread(), find_method(klass, "text", "()Ljava/lang/String;"), {});
      EXPECT_EQ(execute(*built.graph, text), interpret(run, text)) << graph::print(*built.graph);
    }
    EXPECT_EQ(count(*built.graph, Op::call), 0u) << graph::print(*built.graph);
  }
}

TEST_F(CastsTest, AreNotSpeculatedOnAgainAfterFailures) {
  std::vector<InstanceKlass*> classes;
  Method* method = cast_to_interface(classes);
  run_with(method, classes, {60});
  failed_ = graph::DeoptReason::Class;
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::has_class), 0u) << graph::print(*built.graph);
  EXPECT_EQ(count(*built.graph, Op::is_castable), 1u);
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, WithoutAProfileTheInstructionNamesTheCallee) {
  std::vector<InstanceKlass*> classes;
  Method* method = shapes(2, classes);
  interpret(method, arguments_for(classes[0], 1));
  graph::Built built = inlined(method);
  EXPECT_EQ(reasons(built), "area: inline");
  EXPECT_EQ(count(*built.graph, Op::call), 1u) << "other classes may have come meanwhile";
  expect_all_the_same(method, *built.graph, classes);
}

TEST_F(InlinedReceiversTest, WithoutAProfileTheLastReceiverOfAnInterfaceSaysWhatWasCalled) {
  constexpr const char* compare = "aload_1\npop\niconst_{}\nireturn\n";
  std::vector<InstanceKlass*> classes;
  ClassBuilder base = program();
  base.implements("java/lang/Comparable");
  add(base, 0, "compareTo", "(Ljava/lang/Object;)I", testing::replaced(compare, "{}", "1"));
  add_static(base, "run", "(Ljava/lang/Object;I)I",
             "aload_0\naload_0\ninvokeinterface java/lang/Comparable.compareTo (Ljava/lang/Object;)I\n"
             "iload_1\niadd\nireturn\n");
  Method* method = run_of(base, "(Ljava/lang/Object;I)I");
  ClassBuilder other(base.name() + "Other", base.name(), 49);
  other.default_constructor();
  add(other, 0, "compareTo", "(Ljava/lang/Object;)I", testing::replaced(compare, "{}", "2"));
  classes = {method->holder, testing::define(other)};
  interpret(method, arguments_for(classes[0], 1));
  interpret(method, arguments_for(classes[1], 1));
  graph::Built built = inlined(method);
  EXPECT_EQ(reasons(built), "compareTo: inline");
  EXPECT_EQ(find(*built.graph, Op::has_class)->klass, classes[1]);
  EXPECT_EQ(count(*built.graph, Op::call), 1u) << "other classes may have come meanwhile";
  expect_all_the_same(method, *built.graph, classes);
}

// --- branches --------------------------------------------------------------------------------------------------------

class UntakenBranchesTest : public InliningTest {
 protected:
  void SetUp() override { failed_ = graph::DeoptReason::Interpreted; }
  static Method* profiled(const char* assembly, i32 argument, u32 times) {
    Method* method = make("(I)I", assembly);
    testing::profile_method(method);
    testing::ProfilingScope profiling;
    std::vector<Slot> arguments{slot_of(argument)};
    for (u32 i = 0; i < times; ++i) interpret(method, arguments);
    return method;
  }
  // Gives the method a profile. Interprets the method `calls` times, which fills the profiles of its call sites. Then
  // sets the method's own number of calls to `calls`.
  static void count_calls(Method* method, i32 calls) {
    testing::profile_methods(method->holder);
    testing::ProfilingScope profiling;
    for (i32 i = 0; i < calls; ++i) interpret(method, std::vector<Slot>{slot_of(i)});
    method->data.load()->calls.value.store(static_cast<u64>(calls));
  }
  // Returns a body of more than MaxInlineSize bytes.
  static std::string many_instructions() {
    std::string text;
    for (u32 i = 0; i < 20; ++i) text += "iload_0\niconst_1\niadd\nistore_0\n";
    return text + "iload_0\nireturn\n";
  }
  // Stores the counts of a profiling interval in which the method stayed in its loop. So iterations were counted, but
  // no call of the method, and not the end of the loop.
  static void count_as_in_the_loop(Method* method) {
    MethodData* data = testing::profile_method(method);
    for (u32 instruction = 0; instruction < data->instruction_count; ++instruction) {
      if (auto* profile = data->at<BranchProfile>(instruction);
          profile != nullptr && data->kind_of(instruction) == SiteKind::Branch)
        profile->not_taken.value.store(2000);
      if (data->kind_of(instruction) == SiteKind::Jump) data->at<JumpProfile>(instruction)->taken.value.store(2000);
    }
  }
  static constexpr const char* branch = R"(
      iload_0
      iconst_5
      if_icmplt below
      iload_0
      iconst_3
      imul
      ireturn
    below:
      iload_0
      ineg
      ireturn
  )";
};

TEST_F(UntakenBranchesTest, ADirectionThatWasNeverTakenIsAnUncommonTrap) {
  for (i32 usual : {1, 10}) {
    Method* method = profiled(branch, usual, 60);
    graph::Built built = inlined(method);
    EXPECT_EQ(count(*built.graph, Op::branch), 0u) << graph::print(*built.graph);
    EXPECT_EQ(count(*built.graph, Op::guard), 1u);
    for (i32 value : {1, 5, 10}) {
      std::vector<Slot> arguments{slot_of(value)};
      Outcome expected = interpret(method, arguments);
      EXPECT_EQ(execute(*built.graph, arguments), expected);
      EXPECT_EQ(last_.exit != nullptr, (value < 5) != (usual < 5));
      if (last_.exit != nullptr) EXPECT_EQ(last_.exit->reason, graph::DeoptReason::Untaken);
    }
  }
}

TEST_F(UntakenBranchesTest, ABranchThatWasSeldomExecutedSaysNothing) {
  EXPECT_EQ(count(*inlined(profiled(branch, 1, 20)).graph, Op::branch), 1u);
}

TEST_F(UntakenBranchesTest, AFailedSpeculationIsNotRepeated) {
  failed_ = graph::DeoptReason::Untaken;
  EXPECT_EQ(count(*inlined(profiled(branch, 1, 60)).graph, Op::branch), 1u);
}

TEST_F(UntakenBranchesTest, TheExitOfALoopStays) {
  Method* method = make("(I)I", R"(
      .locals 2
      iconst_0
      istore_1
    loop:
      iload_1
      iload_0
      if_icmpge done
      iinc 1 1
      goto loop
    done:
      iload_1
      ireturn
  )");
  count_as_in_the_loop(method);
  graph::Built built = inlined(method);
  EXPECT_EQ(count(*built.graph, Op::branch), 1u) << graph::print(*built.graph);
  std::vector<Slot> arguments{slot_of(i32{3})};
  expect_same(*built.graph, arguments, interpret(method, arguments));
}

// A graph that is entered at the inner loop's header has one header for both loops.
TEST_F(UntakenBranchesTest, TheExitOfAnInnerLoopStaysAtAnOsrEntry) {
  Method* method = make("(I)I", R"(
      .locals 3
      iconst_0
      istore_1
    outer:
      iload_1
      iload_0
      if_icmpge done
      iconst_0
      istore_2
    inner:
      iload_2
      iload_0
      if_icmpge next
      iinc 2 1
      goto inner
    next:
      iinc 1 1
      goto outer
    done:
      iload_1
      ireturn
  )");
  count_as_in_the_loop(method);
  for (i32 loop : {-1, 9})
    EXPECT_EQ(count(*inlined(method, loop).graph, Op::branch), 2u) << graph::print(*inlined(method, loop).graph);
}

TEST_F(UntakenBranchesTest, CasesThatWereNeverTakenAreOneUncommonTrap) {
  struct Usual {
    i32 value;
    u32 keys;  // of the switch node
  };
  constexpr const char* cases = R"(
      iload_0
      tableswitch 1 one two three default other
    one:
      iconst_m1
      ireturn
    two:
      bipush 20
      ireturn
    three:
      bipush 30
      ireturn
    other:
      iload_0
      ireturn
  )";
  for (Usual usual : {Usual{2, 1}, Usual{7, 3}}) {
    Method* method = profiled(cases, usual.value, 60);
    graph::Built built = inlined(method);
    EXPECT_EQ(count(*built.graph, Op::uncommon_trap), 1u) << graph::print(*built.graph);
    EXPECT_EQ(count(*built.graph, Op::return_), 1u);
    for (const graph::Block* block : built.graph->blocks) {
      if (block->end()->op == Op::switch_) EXPECT_EQ(block->end()->switch_keys->keys.size(), usual.keys);
    }
    for (i32 value : {0, 1, 2, 3, 4, 7}) {
      std::vector<Slot> arguments{slot_of(value)};
      expect_same(*inlined(method).graph, arguments, interpret(method, arguments));
    }
  }
  failed_ = graph::DeoptReason::Untaken;
  EXPECT_EQ(count(*inlined(profiled(cases, 2, 60)).graph, Op::uncommon_trap), 0u);
}

// Two callees have the same size. The callee in a loop is inlined; the callee that every tenth call reaches is not.
TEST_F(UntakenBranchesTest, SizesDependOnHowOftenACallHappens) {
  ClassBuilder builder = program();
  add_static(builder, "large", "(I)I", many_instructions());
  add_static(builder, "rare", "(I)I", many_instructions());
  add_static(builder, "run", "(I)I", R"(
      .locals 2
      iconst_0
      istore_1
    loop:
      iload_1
      bipush 20
      if_icmpge done
      iload_1
      invokestatic self.large (I)I
      bipush 100
      if_icmplt next
      iload_1
      invokestatic self.rare (I)I
      pop
    next:
      iinc 1 1
      goto loop
    done:
      iload_0
      ifne after
      iload_0
      invokestatic self.rare (I)I
      ireturn
    after:
      iload_1
      ireturn
  )");
  Method* method = run_of(builder, "(I)I");
  count_calls(method, 10);
  EXPECT_EQ(reasons(inlined(method)), "rare: too big, large: inline (hot)");
  compiled_bytes_ = 2500;
  EXPECT_EQ(reasons(inlined(method)), "rare: too big, large: inline (hot)");
  compiled_bytes_ = 2501;
  EXPECT_EQ(reasons(inlined(method)), "rare: too big, large: already compiled into a big method");
}

// When a method is called in a loop, not all calls inside this method count as frequent.
TEST_F(UntakenBranchesTest, ALoopAroundTheCallerMakesNoCallFrequent) {
  ClassBuilder builder = program();
  add_static(builder, "large", "(I)I", many_instructions());
  add_static(builder, "small", "(I)I", "iload_0\niconst_1\niadd\niconst_2\niadd\niconst_3\niadd\nireturn\n");
  add_static(builder, "trivial", "(I)I", "iload_0\niconst_1\niadd\nireturn\n");
  add_static(builder, "middle", "(I)I", R"(
      iload_0
      bipush 15
      iand
      ifne next
      iload_0
      invokestatic self.large (I)I
      ireturn
    next:
      iload_0
      sipush 255
      iand
      iconst_1
      if_icmpne done
      iload_0
      invokestatic self.small (I)I
      invokestatic self.trivial (I)I
      ireturn
    done:
      iload_0
      ireturn
  )");
  add_static(builder, "run", "(I)I", R"(
      .locals 2
      iconst_0
      istore_1
    loop:
      iload_1
      sipush 512
      if_icmpge done
      iload_1
      invokestatic self.middle (I)I
      pop
      iinc 1 1
      goto loop
    done:
      iload_1
      ireturn
  )");
  Method* method = run_of(builder, "(I)I");
  count_calls(method, 4);
  find_method(method->holder, "middle", "(I)I")->data.load()->calls.value.store(4 * 512);
  EXPECT_EQ(reasons(inlined(method)),
            "middle: inline, >small: low call site frequency, >trivial: inline, >large: too big");
}

}  // namespace
}  // namespace keyhole
