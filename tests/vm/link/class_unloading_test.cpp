// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how marking and the class units work together, without a heap: objects are addresses, and a set contains the
// live ones.
#include "vm/link/loading/class_unloading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gc/class_liveness.h"
#include "gc/root_set.h"
#include "runtime/base/flags.h"
#include "runtime/base/metaspace.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {
namespace {

// A class loader for unloading, whose classes the test makes without class files.
struct Loader {
  Loader() : data(new LoaderData(LoaderKind::Other)) {
    data->java_loader = reinterpret_cast<Object*>(&data->java_loader);
    add_unit(&data->unit);
  }
  InstanceKlass* define(const char* name) { return define_in(data->unit, name); }
  static InstanceKlass* define_in(ClassUnit& unit, const char* name) {
    InstanceKlass* klass = make_in(unit, name);
    MutexLock guard(unit.loader->mutex);
    unit.add(klass);
    return klass;
  }
  bool try_add(InstanceKlass* klass) {
    MutexLock guard(data->mutex);
    return data->unit.try_add(klass);
  }
  static InstanceKlass* make_in(ClassUnit& unit, const char* name) {
    auto* klass = unit.arena.create_array<InstanceKlass>(1);
    klass->kind = KlassKind::Instance;
    klass->name = Symbol::intern(name);
    klass->loader = unit.loader;
    klass->constants = unit.arena.create_array<ConstantPool>(1);
    klass->mirror = reinterpret_cast<Object*>(klass);  // any address that no other object has
    return klass;
  }
  // Enters a class that another loader has defined into this loader's dictionary, as an initiating loader does.
  void know(InstanceKlass* klass) {
    MutexLock guard(data->mutex);
    data->dictionary[klass->name] = klass;
  }
  LoaderData* data;
};

class ClassUnloading : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    names::initialize();
    boot_loader();
    if (thread_ == nullptr) thread_ = threads::attach_current(false, false, 0);
  }

  // Runs a whole marking, in which tracing has found the objects `living`. Classes that are reachable from these
  // objects stay loaded.
  u64 collect(std::set<Object*> living = {}, std::initializer_list<Klass*> instances = {}) {
    u64 classes = 0;
    auto marking = [&] {
      const gc::ClassUnloader& unloader = *gc::class_unloader();
      unloader.begin();
      for (Klass* klass : instances) klass->liveness->reach();
      visited_.clear();
      gc::RootVisitorOf visitor([&](Object** slot) { living.insert(*slot), visited_.push_back(slot); },
                                [](NarrowRef*) {});
      while (unloader.visit_reached(
          visitor,
          [](Object* object, void* context) { return static_cast<std::set<Object*>*>(context)->contains(object); },
          &living)) {
      }
      classes = unloader.unlink().classes;
      unloader.purge();
    };
    safepoint::run(thread_, "test", marking);
    return classes;
  }
  static u64 mortal_bytes() {
    u64 bytes = 0;
    auto measure = [&] { bytes = metadata_bytes().mortal; };
    safepoint::run(thread_, "test", measure);
    return bytes;
  }
  bool visited(Object** slot) const { return std::find(visited_.begin(), visited_.end(), slot) != visited_.end(); }

  static inline JavaThread* thread_ = nullptr;  // the process's
  std::vector<Object**> visited_;
};

TEST_F(ClassUnloading, NothingReachesALoader) {
  collect();
  usize before = metaspace::used_bytes();
  u64 unloaded = unloaded_class_count();
  for (int round = 0; round < 3; ++round) {
    Loader loader;
    for (int i = 0; i < 100; ++i) loader.define("A");
    EXPECT_GT(metaspace::used_bytes(), before);
    EXPECT_EQ(collect(), 100u);
    EXPECT_EQ(metaspace::used_bytes(), before);
  }
  EXPECT_EQ(unloaded_class_count(), unloaded + 300);
  EXPECT_EQ(mortal_bytes(), 0u);
}

TEST_F(ClassUnloading, NamesGoWithTheLastUnitThatHoldsThem) {
  collect();
  usize before = symbol_figures().held;
  static const u8 text[] = {0, 7, 'o', 'n', 'l', 'y', ' ', 'i', 't'};
  auto read_name = [](Loader& loader) {
    ConstantPool* pool = loader.define("A")->constants;
    pool->count = 3;
    pool->tags = loader.data->unit.arena.create_array<u8>(4);
    pool->values = loader.data->unit.arena.create_array<u64>(4);
    for (u32 i = 1; i < 3; ++i) {  // makes two Utf8 entries with the same text, which have no symbols yet
      pool->tags[i] = static_cast<u8>(ConstantTag::Utf8);
      pool->values[i] = reinterpret_cast<u64>(text) | ConstantPool::unread_text;
    }
    pool->holds_symbols = true;
    pool->next = std::exchange(loader.data->unit.pools, pool);
    return pool->utf8(1);
  };
  Loader first, second;
  const Symbol* name = read_name(first);
  EXPECT_EQ(read_name(second), name);
  EXPECT_EQ(first.data->unit.pools->utf8(2), name);
  EXPECT_EQ(first.data->unit.pools->append_text("a hidden name")->text(), "a hidden name");
  second.data->unit.keep(SymbolHandle("a package"));
  EXPECT_EQ(symbol_figures().held, before + 3);
  collect({second.data->java_loader});
  EXPECT_EQ(symbol_figures().held, before + 2);
  EXPECT_EQ(name->text(), "only it");
  collect();
  EXPECT_EQ(symbol_figures().held, before);
  EXPECT_EQ(Symbol::find("only it"), nullptr);
}

TEST_F(ClassUnloading, IdsAreUsedAgainAfterwardsOnly) {
  collect();
  Loader first;
  u32 id = first.define("A")->id;
  Loader second;
  EXPECT_NE(second.define("B")->id, id);
  collect();
  EXPECT_EQ(klass_of_id(id), nullptr);
  u32 highest = klass_count();
  for (int i = 0; i < 50; ++i) {
    Loader loader;
    loader.define("C");
    loader.define("D");
    collect();
  }
  EXPECT_EQ(klass_count(), highest);
}

TEST_F(ClassUnloading, IdsThatAreUsedUpComeBack) {
  collect();
  Loader old, fresh;
  old.define("Old");
  InstanceKlass* klass = Loader::make_in(fresh.data->unit, "Fresh");
  // Adds fillers until no class id is free, because ids of classes that died earlier may still be free.
  std::vector<InstanceKlass*> fillers;
  for (flags::KlassIdLimit = klass_count();;) {
    fillers.push_back(Loader::make_in(old.data->unit, "Filler"));
    if (!old.try_add(fillers.back())) break;
  }
  EXPECT_FALSE(fresh.try_add(klass));
  EXPECT_TRUE(fresh.data->unit.klasses.empty());
  u32 highest = klass_count();
  // The class "Old" dies, and all fillers die except the last one, which got no id.
  EXPECT_EQ(collect({fresh.data->java_loader}), fillers.size());
  EXPECT_TRUE(fresh.try_add(klass));
  EXPECT_LE(klass->id, highest);
  EXPECT_EQ(klass_of_id(klass->id), klass);
  flags::KlassIdLimit = 0;
  EXPECT_EQ(collect(), 1u);
}

TEST_F(ClassUnloading, AnInstanceKeepsAllClassesOfItsLoader) {
  Loader loader;
  InstanceKlass* a = loader.define("A");
  InstanceKlass* b = loader.define("B");
  EXPECT_EQ(collect({}, {a}), 0u);
  EXPECT_EQ(klass_of_id(b->id), b);
  EXPECT_TRUE(visited(&a->mirror));
  EXPECT_TRUE(visited(&b->mirror));
  EXPECT_TRUE(visited(&loader.data->java_loader));
  EXPECT_EQ(collect(), 2u);
}

TEST_F(ClassUnloading, TheLoadersObjectKeepsItsClasses) {
  Loader loader;
  loader.define("A");
  EXPECT_EQ(collect({loader.data->java_loader}), 0u);
  EXPECT_EQ(collect(), 1u);
}

TEST_F(ClassUnloading, AClassKeepsWhatItWasLinkedTo) {
  Loader parent, child, stranger;
  InstanceKlass* super = parent.define("Super");
  stranger.define("Stranger");
  InstanceKlass* sub = child.define("Sub");
  child.know(super);
  EXPECT_EQ(collect({}, {sub}), 1u);  // only the stranger dies
  EXPECT_EQ(klass_of_id(super->id), super);
  EXPECT_EQ(collect({}, {super}), 1u);  // `sub` dies, because a class does not keep its subclasses alive
  EXPECT_EQ(collect(), 1u);
}

TEST_F(ClassUnloading, LoadersThatReferToEachOtherDieTogether) {
  Loader first, second;
  InstanceKlass* a = first.define("A");
  InstanceKlass* b = second.define("B");
  first.know(b);
  second.know(a);
  EXPECT_EQ(collect({}, {a}), 0u);
  EXPECT_EQ(collect(), 2u);
}

TEST_F(ClassUnloading, AHiddenClassDiesBeforeItsLoaderAndKeepsIt) {
  Loader loader;
  InstanceKlass* host = loader.define("Host");
  ClassUnit* unit = make_hidden_unit(loader.data);
  InstanceKlass* hidden = Loader::define_in(*unit, "Hidden");
  EXPECT_EQ(collect(), 0u);  // the hidden class is pinned, so its loader stays, too
  unpin(unit);
  EXPECT_EQ(collect({}, {hidden}), 0u);
  EXPECT_EQ(klass_of_id(host->id), host);
  EXPECT_EQ(collect({loader.data->java_loader}), 1u);
  EXPECT_EQ(collect(), 1u);
}

TEST_F(ClassUnloading, OwnedThingsAndRoots) {
  static int released;
  released = 0;
  Loader loader;
  InstanceKlass* a = loader.define("A");
  Object** root;
  {
    MutexLock guard(loader.data->mutex);
    loader.data->unit.adopt(&released, [](void* counter) { ++*static_cast<int*>(counter); });
    root = loader.data->unit.make_root(reinterpret_cast<Object*>(0x1000));
  }
  collect({}, {a});
  EXPECT_TRUE(visited(root));
  EXPECT_EQ(released, 0);
  collect();
  EXPECT_EQ(released, 1);
}

TEST_F(ClassUnloading, ImmortalClassesHaveNoLiveness) {
  LoaderData immortal;
  EXPECT_EQ(Loader::define_in(immortal.unit, "Immortal")->liveness, nullptr);
}

}  // namespace
}  // namespace keyhole
