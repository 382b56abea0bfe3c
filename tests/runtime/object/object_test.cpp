// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the header word's fields, object sizes by klass, the klass table, the subtype test.
#include <gtest/gtest.h>

#include <string_view>

#include "runtime/object/identity.h"
#include "runtime/object/klass.h"

namespace keyhole {
namespace {

TEST(Layout, HeaderFieldsDoNotOverlap) {
  alignas(8) u64 memory[2] = {};
  Object* object = reinterpret_cast<Object*>(memory);
  constexpr u32 largest_id = layout::maximum_klass_count - 2;
  object->write_header(largest_id);
  layout::Word word = layout::hashed(object->header_word(), 0x7FFFFFFF);
  u32 hash = layout::hash_at(memory, word);
  EXPECT_EQ(layout::klass_id_at(memory, word), largest_id);
  EXPECT_EQ(hash, layout::hash_is_in_word ? 0x7FFFFFFFu : hash_of_address(memory));
  EXPECT_EQ(word & layout::lock_mask, layout::unlocked);
  EXPECT_EQ(word & (layout::age_mask | layout::self_forwarded_bit), 0u);
  word |= layout::age_mask | layout::self_forwarded_bit;
  EXPECT_EQ(layout::hash_at(memory, word), hash);
  EXPECT_EQ(layout::klass_id_at(memory, word), largest_id);
  EXPECT_FALSE(layout::is_forwarded(word));
}

TEST(Layout, KlassSurvivesADisplacedHeader) {
  if (!layout::can_displace) GTEST_SKIP() << "no room for a pointer";
  alignas(8) u64 memory[2] = {};
  Object* object = reinterpret_cast<Object*>(memory);
  object->write_header(77);
  uptr monitor = 0x20'1234'5678;
  u64 word =
      layout::displacing_word(layout::with_hash(u64{object->header_word()}, 0x1234567), monitor, layout::inflated);
  object->header().store(static_cast<layout::Word>(word));
  EXPECT_EQ(object->klass_id(), 77u);
  EXPECT_EQ(layout::displaced_pointer(word), monitor);
}

// Tests the bytes of a java.lang.Object, an object with one int, an empty and a short byte array, and long arrays, in
// each header layout.
TEST(Layout, SizesAreThoseOfTheLayout) {
  std::string_view name = layout::name;
  auto of = [&](u32 compact, u32 classic, u32 tiny) {
    return name == "compact" ? compact : name == "classic" ? classic : tiny;
  };
  EXPECT_EQ(layout::header_bytes, of(8, 12, 4));
  EXPECT_EQ(layout::minimum_object_bytes, of(8, 16, 8));
  EXPECT_EQ(layout::only_field_offset(BasicType::Int), of(8, 12, 4));
  EXPECT_EQ(layout::only_field_offset(BasicType::Long), of(8, 16, 8));
  EXPECT_EQ(layout::array_bytes(0, 0), of(16, 16, 8));
  EXPECT_EQ(layout::array_bytes(0, 4), of(16, 24, 16));
  EXPECT_EQ(layout::array_bytes(0, 5), of(24, 24, 16));
  EXPECT_EQ(layout::array_bytes(2, 1), of(16, 24, 16));
  EXPECT_EQ(layout::array_bytes(3, 0), of(16, 16, 8));
  EXPECT_EQ(layout::array_bytes(3, 1), of(24, 24, 16));
  EXPECT_EQ(layout::array_bytes(3, 0x7FFFFFFD), of(16, 16, 8) + u64{0x7FFFFFFD} * 8);
}

TEST(Object, ReferencesRoundTripThroughTheirNarrowForm) {
  EXPECT_EQ(decode(encode(nullptr)), nullptr);
  for (u64 address : {u64{0x1'0000'0000}, u64{0x7'FFFF'FFF8}, u64{0x2'3456'7898}}) {
    Object* object = reinterpret_cast<Object*>(address);
    EXPECT_EQ(decode(encode(object)), object);
  }
}

class KlassTest : public testing::Test {
 protected:
  static Klass* make(KlassKind kind, Klass* super) {
    Klass* klass = new Klass();  // never freed, because the klass table keeps it
    klass->kind = kind;
    klass->super = super;
    klass->instance_bytes = klass->hash_offset = 8;
    if (super != nullptr) {
      klass->depth = static_cast<u16>(super->depth + 1);
      for (u32 i = 0; i < Klass::display_depth; ++i) klass->supers[i] = super->supers[i];
    }
    if (klass->depth < Klass::display_depth) klass->supers[klass->depth] = klass;
    register_klass(klass);
    return klass;
  }
};

TEST_F(KlassTest, IdsAreConsecutiveAndNeverZero) {
  Klass* first = make(KlassKind::Instance, nullptr);
  Klass* second = make(KlassKind::Instance, nullptr);
  EXPECT_GT(first->id, 0u);
  EXPECT_EQ(second->id, first->id + 1);
  EXPECT_EQ(klass_of_id(second->id), second);
  EXPECT_EQ(klass_of_id(0), nullptr);
}

TEST_F(KlassTest, FillersAreNotVisited) {
  Klass* filler = make(KlassKind::Filler, nullptr);
  Klass* ordinary = make(KlassKind::Instance, nullptr);
  bool saw_filler = false, saw_ordinary = false;
  for_each_klass([&](Klass* klass) {
    saw_filler |= klass == filler;
    saw_ordinary |= klass == ordinary;
  });
  EXPECT_FALSE(saw_filler);
  EXPECT_TRUE(saw_ordinary);
}

TEST_F(KlassTest, SubtypesByDisplay) {
  Klass* object = make(KlassKind::Instance, nullptr);
  Klass* a = make(KlassKind::Instance, object);
  Klass* b = make(KlassKind::Instance, a);
  Klass* other = make(KlassKind::Instance, object);
  EXPECT_TRUE(b->is_subtype_of(a));
  EXPECT_TRUE(b->is_subtype_of(object));
  EXPECT_FALSE(a->is_subtype_of(b));
  EXPECT_FALSE(b->is_subtype_of(other));
}

TEST_F(KlassTest, SubtypesBeyondTheDisplayAndInterfacesAreCached) {
  Klass* interface = make(KlassKind::Instance, nullptr);
  interface->access_flags = 0x0200;
  Klass* klass = make(KlassKind::Instance, nullptr);
  Klass* unrelated = make(KlassKind::Instance, nullptr);
  Klass* supers[] = {interface};
  klass->secondary_supers = supers;
  klass->secondary_super_count = 1;
  EXPECT_TRUE(klass->is_subtype_of(interface));
  EXPECT_EQ(klass->secondary_super_cache.load(), interface);
  EXPECT_TRUE(klass->is_subtype_of(interface));
  EXPECT_FALSE(unrelated->is_subtype_of(interface));
  klass->secondary_supers = nullptr;
  klass->secondary_super_count = 0;
}

TEST_F(KlassTest, AbsentSupersAreNotSearched) {
  Klass* super = make(KlassKind::Instance, nullptr);
  Klass* other = make(KlassKind::Instance, nullptr);
  super->access_flags = other->access_flags = 0x0200;
  Klass* klass = make(KlassKind::Instance, nullptr);
  klass->set_secondary_supers(nullptr, 0);
  EXPECT_EQ(klass->absent_supers, ~u64{0});
  EXPECT_FALSE(klass->is_subtype_of(super));
  Klass* supers[] = {super};
  klass->set_secondary_supers(supers, 1);
  EXPECT_EQ(klass->absent_supers, ~Klass::bit_of_super(super->id));
  EXPECT_TRUE(klass->is_subtype_of(super));
  EXPECT_FALSE(klass->is_subtype_of(other));
  klass->absent_supers = 0;  // the value before absent_supers is computed, as in a klass whose memory was only zeroed
  EXPECT_FALSE(klass->is_subtype_of(other));
  klass->set_secondary_supers(nullptr, 0);
}

TEST_F(KlassTest, SizesByKind) {
  alignas(8) u64 memory[4] = {};
  Object* object = reinterpret_cast<Object*>(memory);
  Klass* instance = make(KlassKind::Instance, nullptr);
  instance->instance_bytes = 24;
  object->write_header(instance->id);
  EXPECT_EQ(object_bytes(object), 24u);

  Klass* longs = make(KlassKind::PrimitiveArray, nullptr);
  longs->element_shift = 3;
  object->write_header(longs->id);
  object->set_length(1000);
  EXPECT_EQ(object_bytes(object), layout::array_base_offset(3) + 8000u);

  Klass* run = make(KlassKind::Filler, nullptr);
  run->instance_bytes = 0;
  object->write_header(run->id);
  object->set<u32>(layout::array_length_offset, 512);
  EXPECT_EQ(object_bytes(object), 4096u);

  Klass* mirror = make(KlassKind::Mirror, nullptr);
  u32 before = mirror_bytes_offset;
  mirror_bytes_offset = 16;
  object->write_header(mirror->id);
  object->set<u32>(16, 120);
  EXPECT_EQ(object_bytes(object), 120u);
  mirror_bytes_offset = before;
}

}  // namespace
}  // namespace keyhole
