// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A heap without a VM: hand-made klasses, roots in a vector, one attached thread.
//
//   Node        [header][id u64][left, right, extra][pad]                                       first_field + 24 bytes
//   Reference   [header][referent][queue, next, discovered][timestamp i64]                      first_field + 24 bytes
//   Mirror      [header][own reference][size u32][Klass*][statics: references, then a long]
//
// Fields begin at first_field, which the header layout decides.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "gc/barrier.h"
#include "gc/collection.h"
#include "gc/heap/heap.h"
#include "gc/heap/space.h"
#include "gc/heap/tlab.h"
#include "gc/service.h"
#include "gc/workers.h"
#include "runtime/base/flags.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace keyhole::test {

inline constexpr u32 first_field = layout::minimum_object_bytes;
inline constexpr u32 node_id = first_field, node_left = first_field + 8, node_right = first_field + 12,
                     node_extra = first_field + 16;
inline constexpr u32 node_bytes = first_field + 24;
inline constexpr u32 reference_timestamp = first_field + 16;
inline constexpr u32 mirror_reference = first_field, mirror_static = first_field + 16;

// The klasses of the test's objects. They live for the whole process, because the klass table keeps them.
struct Klasses {
  Klass node{}, leaf{}, mirror{}, soft{}, weak{}, final{}, phantom{}, mirrored{};
  ArrayKlass references{}, bytes{}, longs{};
  ReferenceSpan node_spans[1] = {{node_left, 3}};
  ReferenceSpan reference_spans[1] = {{first_field + 4, 3}};
  ReferenceSpan mirror_spans[1] = {{mirror_reference, 1}};

  static Klasses& get() {
    static Klasses* all = new Klasses();
    return *all;
  }

 private:
  Klasses() {
    names::initialize();
    make(node, "Node", KlassKind::Instance, node_bytes, node_spans);
    make(leaf, "Leaf", KlassKind::Instance, layout::minimum_object_bytes, {});
    make(mirror, "java/lang/Class", KlassKind::Mirror, mirror_static, mirror_spans);
    mirror_bytes_offset = first_field + 4;
    mirror_klass_offset = first_field + 8;
    reference_referent_offset = first_field;
    reference_next_offset = first_field + 8;
    reference_discovered_offset = first_field + 12;
    make(soft, "Soft", KlassKind::Reference, first_field + 24, reference_spans, ReferenceStrength::Soft);
    make(weak, "Weak", KlassKind::Reference, first_field + 24, reference_spans, ReferenceStrength::Weak);
    make(final, "Final", KlassKind::Reference, first_field + 24, reference_spans, ReferenceStrength::Final);
    make(phantom, "Phantom", KlassKind::Reference, first_field + 24, reference_spans, ReferenceStrength::Phantom);
    make(mirrored, "Mirrored", KlassKind::Instance, layout::minimum_object_bytes, {});
    mirrored.static_reference_offset = mirror_static;
    mirrored.static_reference_count = 2;
    make_array(references, "[LNode;", KlassKind::ReferenceArray, BasicType::Reference);
    make_array(bytes, "[B", KlassKind::PrimitiveArray, BasicType::Byte);
    make_array(longs, "[J", KlassKind::PrimitiveArray, BasicType::Long);
  }
  static void make(Klass& klass, const char* name, KlassKind kind, u32 bytes, std::span<const ReferenceSpan> spans,
                   ReferenceStrength strength = ReferenceStrength::None) {
    klass.kind = kind;
    klass.name = Symbol::intern(name);
    klass.instance_bytes = bytes;
    // Under tiny headers, an instance of minimum size has a gap after its header, and the hash fits into this gap.
    klass.hash_offset = bytes == layout::minimum_object_bytes ? layout::header_bytes : bytes;
    klass.reference_spans = spans.data();
    klass.reference_span_count = static_cast<u16>(spans.size());
    klass.strength = strength;
    register_klass(&klass);
  }
  static void make_array(ArrayKlass& klass, const char* name, KlassKind kind, BasicType element) {
    klass.element_type = element;
    klass.element_shift = static_cast<u8>(element_shift(element));
    make(klass, name, kind, 0, {});
  }
};

// Roots of the running test. `weak_roots` are registered as weak.
inline std::vector<Object*> roots, weak_roots;

class HeapTest : public testing::Test {
 protected:
  Klasses& k = Klasses::get();
  JavaThread* thread = nullptr;

  HeapTest() {
    flags::VerifyBeforeGC = flags::VerifyAfterGC = true;
    flags::GCPoisonFromSpace = true;
    flags::GCPlan = "evacuating";       // tests of the generational plan choose that plan
    flags::UseGCServiceThread = false;  // the service thread would change the heap between pauses
  }
  ~HeapTest() override {
    if (thread == nullptr) return;
    roots.clear();
    weak_roots.clear();
    gc::take_pending_references(thread);
    gc::service::stop(thread);
    gc::tlab::retire(thread);
    gc::stop_workers();
    gc::space.shut_down();
    flags::GCStressInterval = flags::AllocationFailureInterval = 0;
    flags::UseTLAB = flags::UseCASAllocation = true;
    flags::DisableExplicitGC = false;
    flags::HeapRegionSize = flags::MaxHeapSize = flags::InitialHeapSize = 0;
    soft_reference_klass = nullptr;
    k.mirrored.mirror = k.soft.mirror = nullptr;
  }

  void start(u64 maximum_bytes, u64 initial_bytes = 0) {
    static JavaThread* attached = threads::attach_current(false, false, 0);
    static bool registered = [] {
      gc::register_strong_roots("Test", [](gc::RootVisitor& visitor) {
        for (Object*& root : roots) visitor.visit(&root);
        visitor.visit(&Klasses::get().mirrored.mirror);
        visitor.visit(&Klasses::get().soft.mirror);
      });
      gc::register_weak_roots("Test weak", [](gc::RootVisitor& visitor) {
        for (Object*& root : weak_roots) visitor.visit(&root);
      });
      return true;
    }();
    (void)registered;
    thread = attached;
    flags::MaxHeapSize = maximum_bytes;
    flags::InitialHeapSize = initial_bytes;
    ASSERT_EQ(heap::initialize(), "");
  }

  Object* node(u64 id) {
    Object* object = heap::allocate_instance(thread, &k.node);
    if (object != nullptr) object->set<u64>(node_id, id);
    return object;
  }
  Object* reference(Klass& klass, Object* referent) {
    HandleScope scope(thread);
    Handle kept = scope.make(referent);
    Object* object = heap::allocate_instance(thread, &klass);
    barrier::store(object, reference_referent_offset, kept.get());
    return object;
  }
  // Runs the collection that the request demands. The default request demands a copying collection, as after a failed
  // allocation.
  void collect(gc::Request request = {heap::Cause::AllocationFailure}) {
    auto operation = [&] { gc::run_collection(request); };
    safepoint::run(thread, "test", operation);
  }
  std::string verify() {
    std::string result;
    auto operation = [&] { result = heap::verify("test"); };
    safepoint::run(thread, "test", operation);
    return result;
  }
  u64 count_objects() {
    u64 count = 0;
    auto operation = [&] { heap::for_each_object([](Object*, void* total) { ++*static_cast<u64*>(total); }, &count); };
    safepoint::run(thread, "test", operation);
    return count;
  }
};

}  // namespace keyhole::test
