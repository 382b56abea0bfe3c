// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the verifier: it finds each planted corruption, and names the violated invariant.
#include "gc/verify.h"

#include <gmock/gmock.h>

#include "gc/heap/filler.h"
#include "runtime/object/identity.h"
#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class VerifyTest : public HeapTest {
 protected:
  void SetUp() override {
    start(16_MiB);
    roots = {node(1)};
    roots.push_back(node(2));
    barrier::store(roots[0], node_left, roots[1]);
    ASSERT_EQ(verify(), "");
  }
};

TEST_F(VerifyTest, DanglingReferenceWithThePathToIt) {
  roots.resize(1);
  roots[0]->get_reference(node_left)->set<NarrowRef>(node_right, encode(roots[0]) + 1);
  EXPECT_THAT(verify(), AllOf(HasSubstr("[V6]"), HasSubstr(fmt::format("offset {} ", node_right)),
                              HasSubstr("path: root 'Test' -> "), HasSubstr("(Node) -> ")));
  roots.clear();
}
TEST_F(VerifyTest, ReferenceOutOfTheHeap) {
  roots[0]->set<NarrowRef>(node_right, 0xDBDBDBDB);
  EXPECT_THAT(verify(), AllOf(HasSubstr("[V6]"), HasSubstr("outside the heap")));
  roots.clear();
}
TEST_F(VerifyTest, ReferenceIntoAFreeRegion) {
  roots[0]->set<NarrowRef>(node_right, encode(reinterpret_cast<Object*>(gc::space.regions.at(40)->bottom())));
  EXPECT_THAT(verify(), AllOf(HasSubstr("[V6]"), HasSubstr("region 40, Free")));
  roots.clear();
}
TEST_F(VerifyTest, ReferenceToAFiller) {
  Object* dead = heap::allocate_array(thread, &k.bytes, 100);
  gc::write_filler(reinterpret_cast<char*>(dead), object_bytes(dead));
  roots[0]->set<NarrowRef>(node_right, encode(dead));
  EXPECT_THAT(verify(), HasSubstr("[V6]"));
  roots.clear();
}
TEST_F(VerifyTest, UnknownKlass) {
  u32 id = roots[1]->klass_id();
  for (u32 unknown : {klass_count() + 5, 0u}) {
    roots[1]->write_header(unknown);
    EXPECT_THAT(verify(), HasSubstr("[V2]"));
  }
  roots[1]->write_header(id);
  EXPECT_EQ(verify(), "");
}
TEST_F(VerifyTest, ForwardedHeader) {
  u64 word = roots[1]->header_word();
  roots[1]->header().store(static_cast<layout::Word>(reinterpret_cast<u64>(roots[0])) | layout::forwarded);
  EXPECT_THAT(verify(), HasSubstr("[V3]"));
  roots[1]->header().store(word | layout::self_forwarded_bit);
  EXPECT_THAT(verify(), HasSubstr("[V3]"));
  roots[1]->header().store(word);
}
TEST_F(VerifyTest, HashThatNoCollectionStored) {
  if (layout::hash_is_in_word) GTEST_SKIP() << layout::name << " headers have the hash in them";
  Object* array = heap::allocate_array(thread, &k.bytes, 1);  // a hash of such an array is stored in the padding
  u32 slot = static_cast<u32>(hash_slot(&k.bytes, 1).offset);
  ASSERT_EQ(object_bytes(array), slot + sizeof(u32));
  layout::Word word = array->header_word();
  array->header().store(word | layout::hash_by_address);
  EXPECT_EQ(verify(), "");
  array->header().store(word | layout::hash_state_mask);
  EXPECT_THAT(verify(), HasSubstr("[V14]"));
  array->header().store(word | layout::hash_stored);
  for (u32 wrong : {0u, 0x8000'0001u}) {
    array->set<u32>(slot, wrong);
    EXPECT_THAT(verify(), HasSubstr("[V14]"));
  }
  array->set<u32>(slot, 77);
  EXPECT_EQ(verify(), "");
  gc::write_filler(reinterpret_cast<char*>(array), slot + sizeof(u32));
  array->header().store(array->header_word() | layout::hash_by_address);
  EXPECT_THAT(verify(), HasSubstr("[V14]"));
  array->header().store(array->header_word() & ~layout::hash_state_mask);
  EXPECT_EQ(verify(), "");
}
TEST_F(VerifyTest, LengthBeyondTheTop) {
  Object* array = heap::allocate_array(thread, &k.longs, 4);
  array->set_length(1 << 28);
  EXPECT_THAT(verify(), HasSubstr("[V4]"));
  array->set_length(-1);
  EXPECT_THAT(verify(), HasSubstr("[V4]"));
  array->set_length(4);
}
TEST_F(VerifyTest, HumongousLengthChanged) {
  Object* array = heap::allocate_array(thread, &k.longs, 100000);
  array->set_length(300000);
  EXPECT_THAT(verify(), HasSubstr("[V5]"));
  array->set_length(99999);
  EXPECT_THAT(verify(), HasSubstr("[V5]"));
  array->set_length(100000);
  EXPECT_EQ(verify(), "");
}
TEST_F(VerifyTest, BadRoots) {
  Object* good = roots[0];
  roots[0] = reinterpret_cast<Object*>(reinterpret_cast<char*>(good) + 8);
  EXPECT_THAT(verify(), AllOf(HasSubstr("[V7] root 'Test'"), HasSubstr("no object's start")));
  roots[0] = good;
  weak_roots = {reinterpret_cast<Object*>(0x1234)};
  EXPECT_THAT(verify(), HasSubstr("[V7] root 'Test weak'"));
  weak_roots.clear();
}
TEST_F(VerifyTest, MirrorOfAnother) {
  Object* mirror = heap::allocate(thread, &k.mirror, 40);
  mirror->set<u32>(mirror_bytes_offset, 40);
  mirror->set<Klass*>(mirror_klass_offset, &k.mirrored);
  k.mirrored.mirror = roots[0];
  EXPECT_THAT(verify(), HasSubstr("[V8]"));
  k.mirrored.mirror = mirror;
  EXPECT_EQ(verify(), "");
  k.mirrored.mirror = nullptr;
}
TEST_F(VerifyTest, StaleReferenceIntoPoisonedFromSpace) {
  Object* stale = roots[1];
  collect();
  EXPECT_NE(roots[1], stale);
  EXPECT_EQ(stale->header_word(), static_cast<layout::Word>(0xDBDBDBDBDBDBDBDBu));
}

TEST_F(VerifyTest, HistogramAndRegionTable) {
  char* text = nullptr;
  usize bytes = 0;
  FILE* out = open_memstream(&text, &bytes);
  auto operation = [&] {
    heap::print_class_histogram(out);
    heap::print_region_table(out);
  };
  safepoint::run(thread, "test", operation);
  fclose(out);
  EXPECT_THAT(text, AllOf(HasSubstr("Node"), HasSubstr("Total"), HasSubstr("Heap regions: 64 of 256 KiB")));
  free(text);
}

TEST_F(VerifyTest, EachRegionIsACharacterWithALegend) {
  std::string picture;
  auto print = [](std::string& into) {
    char* text = nullptr;
    usize bytes = 0;
    FILE* out = open_memstream(&text, &bytes);
    heap::print_region_table(out);
    fclose(out);
    into = text;
    free(text);
  };
  heap::allocate_array(thread, &k.bytes, 600'000);  // three regions at the end of the heap
  auto operation = [&] {
    gc::Region* full = nullptr;
    gc::space.regions.for_each_used([&](gc::Region& region) {
      if (full == nullptr && region.state() == gc::RegionState::Full) full = &region;
    });
    if (full == nullptr) {
      gc::space.retire_shared_regions();
      gc::space.regions.for_each_used([&](gc::Region& region) {
        if (full == nullptr && region.state() == gc::RegionState::Full) full = &region;
      });
    }
    ASSERT_NE(full, nullptr);
    gc::Generation before = full->generation();
    full->set_generation(gc::Generation::Old);
    print(picture);
    full->set_generation(before);
  };
  safepoint::run(thread, "test", operation);
  EXPECT_THAT(picture, AllOf(HasSubstr("O old"), HasSubstr("Hhh\n"), HasSubstr("H humongous object"),
                             HasSubstr("h the rest of it"), HasSubstr("HumongousStart")));
}

}  // namespace
}  // namespace keyhole::test
