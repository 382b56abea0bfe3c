// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests calls with a unique concrete method: the dependencies of the graph, and the classes that invalidate them.
#include "vm/link/loading/class_hierarchy.h"

#include "gc/heap/heap.h"
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_definition.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::ClassBuilder;
using testing::vm_thread;

class HierarchyTest : public testing::GraphTest {
 protected:
  static constexpr u16 abstract_class = access::Public | access::Super | access::Abstract;

  static Method* find(const InstanceKlass* klass, const char* name, const char* descriptor) {
    return klass->find_declared_method(Symbol::intern(name), Symbol::intern(descriptor));
  }
  static std::string new_name() { return fmt::format("Hierarchy{}", ++count_); }
  // Makes a class with the methods `area` and `run`. `run` calls `area` of its argument.
  static ClassBuilder base(const std::string& name, bool is_abstract) {
    ClassBuilder builder(name, "java/lang/Object", 49, is_abstract ? abstract_class : access::Public | access::Super);
    if (is_abstract) {
      builder.method(access::Public | access::Abstract, "area", "(I)I", "");
    } else {
      builder.method(access::Public, "area", "(I)I", "iload_1\nireturn\n");
    }
    builder.default_constructor().method(access::Public | access::Static, "run", fmt::format("(L{};I)I", name).c_str(),
                                         fmt::format("aload_0\niload_1\ninvokevirtual {}.area (I)I\nireturn\n", name));
    return builder;
  }
  // A subclass that overrides it.
  static ClassBuilder below(const std::string& super, const char* area) {
    ClassBuilder builder(new_name(), super, 49);
    builder.default_constructor().method(access::Public, "area", "(I)I", area);
    return builder;
  }
  static InstanceKlass* load(const ClassBuilder& builder) {
    auto* bytes = new std::vector<u8>(builder.bytes());  // never freed, because the class may refer to these bytes
    return define_class(vm_thread(), Symbol::intern(builder.name()), *bytes, boot_loader());
  }
  static Method* run_of(const InstanceKlass* klass) {
    return find(klass, "run", fmt::format("(L{};I)I", klass->name->text()).c_str());
  }
  static std::vector<Slot> arguments_for(InstanceKlass* klass) {
    return {slot_of(heap::allocate_instance(vm_thread(), klass)), slot_of(i32{40})};
  }
  static graph::Built assuming(Method* method, InstanceKlass* receiver) {
    interpret(method, arguments_for(receiver));  // resolves its call
    graph::BuildOptions options;
    options.inlines = true;
    options.assumes_hierarchy = true;
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    if (built.graph != nullptr) EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return built;
  }
  static bool tests_class(const graph::Graph& graph) {
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) {
        if (node->op == Op::has_class || node->op == Op::selects || node->op == Op::call) return true;
      }
    }
    return false;
  }
  static void expect_same(graph::Graph& graph, Method* method, InstanceKlass* receiver) {
    for (bool optimised : {false, true}) {
      if (optimised) graph::optimise(graph);
      EXPECT_EQ(execute(graph, arguments_for(receiver)), interpret(method, arguments_for(receiver)));
      std::vector<Slot> null{0, 0};
      EXPECT_EQ(execute(graph, null), interpret(method, null));
    }
  }

 private:
  static inline int count_ = 0;
};

TEST_F(HierarchyTest, AUniqueConcreteMethodIsInlinedWithoutACheck) {
  InstanceKlass* klass = testing::define(base(new_name(), false));
  graph::Built built = assuming(run_of(klass), klass);
  EXPECT_FALSE(tests_class(*built.graph)) << graph::print(*built.graph);
  ASSERT_EQ(built.decisions.size(), 1u);
  EXPECT_EQ(built.decisions[0].reason, "inline (unique implementation)");
  ASSERT_EQ(built.graph->assumptions.size(), 1u);
  EXPECT_EQ(built.graph->assumptions[0].type, klass);
  EXPECT_EQ(built.graph->assumptions[0].method, find(klass, "area", "(I)I"));
  expect_same(*built.graph, run_of(klass), klass);
}

TEST_F(HierarchyTest, ADependencyIsInvalidatedWhenAClassIsLinkedNotWhenItIsLoaded) {
  InstanceKlass* klass = testing::define(base(new_name(), false));
  InstanceKlass* later = load(below(std::string(klass->name->text()), "iload_1\niconst_1\niadd\nireturn\n"));
  ASSERT_NE(later, nullptr);
  graph::Built built = assuming(run_of(klass), klass);
  ASSERT_EQ(built.graph->assumptions.size(), 1u);
  UniqueConcreteMethod assumed = built.graph->assumptions[0];
  EXPECT_TRUE(holds(assumed));
  EXPECT_TRUE(is_invalidated_by(assumed, later));
  EXPECT_FALSE(is_invalidated_by(assumed, klass));
  ASSERT_TRUE(link_class(vm_thread(), later));
  EXPECT_FALSE(holds(assumed));
  built = assuming(run_of(klass), klass);
  EXPECT_TRUE(built.graph->assumptions.empty());
  EXPECT_TRUE(tests_class(*built.graph)) << graph::print(*built.graph);
}

TEST_F(HierarchyTest, AnAbstractMethodOfOneClassIsThatOfTheClass) {
  InstanceKlass* shape = testing::define(base(new_name(), true));
  InstanceKlass* only = testing::define(below(std::string(shape->name->text()), "iload_1\niconst_2\nimul\nireturn\n"));
  graph::Built built = assuming(run_of(shape), only);
  EXPECT_FALSE(tests_class(*built.graph)) << graph::print(*built.graph);
  ASSERT_EQ(built.graph->assumptions.size(), 1u);
  EXPECT_EQ(built.graph->assumptions[0].method, find(only, "area", "(I)I"));
  expect_same(*built.graph, run_of(shape), only);

  // The dependency says that `area` has a unique concrete method. A subclass that inherits this method does not
  // invalidate the dependency.
  ClassBuilder subclass(new_name(), std::string(only->name->text()), 49);
  InstanceKlass* inherits = testing::define(subclass.default_constructor());
  EXPECT_TRUE(holds(built.graph->assumptions[0]));
  EXPECT_FALSE(is_invalidated_by(built.graph->assumptions[0], inherits));
  expect_same(*built.graph, run_of(shape), inherits);

  // An abstract subclass does not invalidate the dependency, because no object has this class.
  ClassBuilder vague(new_name(), std::string(only->name->text()), 49, abstract_class);
  vague.default_constructor().method(access::Public | access::Abstract, "area", "(I)I", "");
  testing::define(vague);
  EXPECT_TRUE(holds(built.graph->assumptions[0]));
  testing::define(below(std::string(vague.name()), "iconst_3\nireturn\n"));
  EXPECT_FALSE(holds(built.graph->assumptions[0]));
}

TEST_F(HierarchyTest, AFinalClassNeedsNoDependency) {
  std::string super = new_name(), name = new_name();
  testing::define(base(super, false));
  ClassBuilder builder(name, super, 49, access::Public | access::Super | access::Final);
  builder.default_constructor().method(access::Public | access::Static, "run", fmt::format("(L{};I)I", name).c_str(),
                                       fmt::format("aload_0\niload_1\ninvokevirtual {}.area (I)I\nireturn\n", name));
  InstanceKlass* klass = testing::define(builder);
  // This subclass overrides the method in another branch of the hierarchy.
  testing::define(below(super, "iconst_3\nireturn\n"));
  graph::Built built = assuming(run_of(klass), klass);
  EXPECT_FALSE(tests_class(*built.graph)) << graph::print(*built.graph);
  EXPECT_TRUE(built.graph->assumptions.empty());
  expect_same(*built.graph, run_of(klass), klass);
}

// String is final. So a reference that is declared as String has this class, whichever class the call instruction
// names.
TEST_F(HierarchyTest, AReferenceDeclaredAsStringIsOne) {
  Method* make_strings = make("()[Ljava/lang/String;", R"(
      iconst_1
      anewarray java/lang/String
      dup
      iconst_0
      bipush 12
      invokestatic java/lang/String.valueOf (I)Ljava/lang/String;
      aastore
      areturn
  )");
  Method* method = make("([Ljava/lang/String;)I", R"(
      aload_0
      iconst_0
      aaload
      invokevirtual java/lang/Object.hashCode ()I
      ireturn
  )");
  auto strings = [&] { return std::vector<Slot>{interpret(make_strings, {}).result}; };
  interpret(method, strings());  // resolves its call
  graph::BuildOptions options;
  options.inlines = true;
  graph::Built built = graph::build(method, options);
  ASSERT_NE(built.graph, nullptr) << built.refusal;
  // String.hashCode is inlined. Only its path for strings of bytes has been executed.
  EXPECT_FALSE(tests_class(*built.graph)) << graph::print(*built.graph);
  graph::optimise(*built.graph);
  EXPECT_EQ(execute(*built.graph, strings()), interpret(method, strings())) << graph::print(*built.graph);
}

// The verifier accepts any object where an interface is declared, so a guard must test the class.
TEST_F(HierarchyTest, AnInterfacesOnlyImplementationIsGuardedByItsClass) {
  std::string name = new_name(), implementing = new_name();
  ClassBuilder interface(name, "java/lang/Object", 49, access::Public | access::Interface | access::Abstract);
  testing::define(interface.method(access::Public | access::Abstract, "area", "(I)I", ""));
  ClassBuilder builder = base(implementing, false);
  std::string descriptor = fmt::format("(L{};I)I", name);
  builder.implements(name).method(access::Public | access::Static, "through", descriptor,
                                  fmt::format("aload_0\niload_1\ninvokeinterface {}.area (I)I\nireturn\n", name));
  InstanceKlass* klass = testing::define(builder);
  InstanceKlass* subclass = testing::define(ClassBuilder(new_name(), implementing, 49).default_constructor());
  InstanceKlass* stranger = testing::define(base(new_name(), false));
  Method* method = find(klass, "through", descriptor.c_str());
  graph::Built built = assuming(method, klass);
  EXPECT_FALSE(tests_class(*built.graph)) << graph::print(*built.graph);
  ASSERT_EQ(built.graph->assumptions.size(), 1u);
  EXPECT_EQ(built.graph->assumptions[0].type, klass);
  for (InstanceKlass* receiver : {klass, subclass, stranger}) {
    built = assuming(method, receiver);
    expect_same(*built.graph, method, receiver);
  }
  testing::define(below(implementing, "iconst_3\nireturn\n"));
  EXPECT_FALSE(holds(built.graph->assumptions[0]));
}

TEST_F(HierarchyTest, ManyClassesAreNotSearched) {
  InstanceKlass* klass = testing::define(base(new_name(), false));
  UniqueConcreteMethod assumed{klass, nullptr, static_cast<u32>(find(klass, "area", "(I)I")->vtable_index), nullptr};
  for (u32 i = 0; i < 63; ++i) {
    ClassBuilder subclass(new_name(), std::string(klass->name->text()), 49);
    testing::define(subclass.default_constructor());
  }
  EXPECT_EQ(find_unique_concrete_method(assumed), find(klass, "area", "(I)I"));
  ClassBuilder subclass(new_name(), std::string(klass->name->text()), 49);
  testing::define(subclass.default_constructor());
  EXPECT_EQ(find_unique_concrete_method(assumed), nullptr);
}

}  // namespace
}  // namespace keyhole
