// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests cards: every kind of reference store marks the card of its slot; ranges of cards are marked; the object that
// covers the start of a card is found.
#include "gc/card_table.h"

#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

using barrier::card_bytes;
namespace card_table = gc::card_table;

class CardTableTest : public HeapTest {
 protected:
  char* region = nullptr;

  CardTableTest() { flags::GCPlan = "generational"; }
  void start_empty() {
    start(64_MiB);
    region = gc::space.regions.at(40)->bottom();
  }
  bool dirty(Object* object, u32 offset) { return card_table::is_dirty(object->address<char>(offset)); }
  // Makes a reference array that covers several cards, all clean.
  Object* wide_array() {
    Object* array = heap::allocate_array(thread, &k.references, 1000);
    card_table::clean_range(reinterpret_cast<char*>(array), reinterpret_cast<char*>(array) + 4016);
    return array;
  }
  static u32 dirty_cards(Object* array) {
    u32 found = 0;
    u8* limit = barrier::card_of(array->address<char>(4015)) + 1;
    for (u8* card = barrier::card_of(array); (card = card_table::next_to_scan(card, limit, false)) != limit; ++card)
      ++found;
    return found;
  }
};

TEST_F(CardTableTest, EachKindOfStoreMarksTheCardOfItsSlotAlone) {
  start_empty();
  Object* array = wide_array();
  EXPECT_EQ(dirty_cards(array), 0u);
  u32 offset = Object::element_offset(2, 500);
  auto marks = [&](auto&& store) {
    store();
    bool marked = dirty(array, offset) && dirty_cards(array) == 1;
    card_table::clean(barrier::card_of(array->address<char>(offset)));
    return marked;
  };
  EXPECT_TRUE(marks([&] { barrier::store(array, offset, array); }));
  EXPECT_TRUE(marks([&] { barrier::store_ordered(array, offset, array, std::memory_order_seq_cst); }));
  EXPECT_TRUE(marks([&] { barrier::store_element(array, 500, array); }));
  EXPECT_TRUE(marks([&] { EXPECT_EQ(barrier::exchange(array, offset, nullptr), array); }));
  EXPECT_TRUE(marks([&] { EXPECT_TRUE(barrier::compare_exchange(array, offset, nullptr, array)); }));
  EXPECT_TRUE(marks([&] { barrier::store(array, offset, nullptr); }));
}

TEST_F(CardTableTest, NoStoreMarksACardUnderAPlanThatNeedsNone) {
  for (const char* name : {"none", "evacuating"}) {
    flags::GCPlan = name;
    start_empty();
    Object* array = wide_array();
    u32 offset = Object::element_offset(2, 500);
    barrier::store(array, offset, array);
    barrier::store_ordered(array, offset, array, std::memory_order_seq_cst);
    EXPECT_EQ(barrier::exchange(array, offset, nullptr), array);
    EXPECT_TRUE(barrier::compare_exchange(array, offset, nullptr, array));
    barrier::copy_elements(array, 0, array, 100, 800);
    EXPECT_EQ(array->reference_at(600), array);
    EXPECT_EQ(dirty_cards(array), 0u);
    gc::tlab::retire(thread);
    gc::space.shut_down();
  }
  start_empty();
}

TEST_F(CardTableTest, ACopyMarksTheCardsOfItsTargetFromFirstToLastElement) {
  start_empty();
  for (bool upwards : {false, true}) {
    Object* array = wide_array();
    i32 from = upwards ? 0 : 300, to = upwards ? 300 : 0;
    barrier::copy_elements(array, from, array, to, 400);
    u8* first = barrier::card_of(array->address<char>(Object::element_offset(2, static_cast<u32>(to))));
    u8* last = barrier::card_of(array->address<char>(Object::element_offset(2, static_cast<u32>(to) + 399)));
    EXPECT_EQ(dirty_cards(array), static_cast<u32>(last - first) + 1);
    EXPECT_TRUE(card_table::is_dirty(first));
    EXPECT_TRUE(card_table::is_dirty(last));
  }
  Object* array = wide_array();
  barrier::copy_elements(array, 3, array, 7, 0);
  EXPECT_EQ(dirty_cards(array), 0u);
}

TEST_F(CardTableTest, RangesTouchEachCardTheyOverlap) {
  start_empty();
  card_table::dirty_range(region + 10, region + 3 * card_bytes + 1);
  u8* first = barrier::card_of(region);
  for (u32 i = 0; i < 4; ++i) EXPECT_TRUE(card_table::is_dirty(first + i)) << i;
  EXPECT_FALSE(card_table::is_dirty(first + 4));
  card_table::clean_range(region + card_bytes, region + 2 * card_bytes);
  EXPECT_FALSE(card_table::is_dirty(first + 1));
  EXPECT_TRUE(card_table::is_dirty(first + 2));
  EXPECT_EQ(card_table::next_to_scan(first + 1, first + 100, false), first + 2);
  EXPECT_EQ(card_table::next_to_scan(first + 4, first + 100, false), first + 100);
  EXPECT_EQ(card_table::start_of(first + 2), region + 2 * card_bytes);
  card_table::dirty_range(region + 77 * card_bytes, region + 77 * card_bytes + 8);
  EXPECT_EQ(card_table::next_to_scan(first + 4, first + 100, false), first + 77);
  EXPECT_EQ(card_table::next_to_scan(first + 4, first + 77, false), first + 77);
}

TEST_F(CardTableTest, RememberedCardsAreNotDirtyAndDirtyOnesAreNotRemembered) {
  start_empty();
  u8* first = barrier::card_of(region);
  for (u32 card : {3u, 40u, 41u}) card_table::remember(region + card * card_bytes + 8);
  barrier::mark(region + 41 * card_bytes);
  barrier::mark(region + 60 * card_bytes);
  card_table::remember(region + 60 * card_bytes);
  EXPECT_EQ(card_table::next_to_scan(first, first + 100, false), first + 41);
  EXPECT_EQ(card_table::next_to_scan(first + 42, first + 100, false), first + 60);
  EXPECT_EQ(card_table::next_to_scan(first, first + 100, true), first + 3);
  EXPECT_EQ(card_table::next_to_scan(first + 4, first + 100, true), first + 40);
  card_table::forget_range(region, region + 100 * card_bytes);
  EXPECT_EQ(card_table::next_to_scan(first, first + 100, true), first + 41);
  EXPECT_EQ(card_table::next_to_scan(first + 42, first + 100, true), first + 60);
  EXPECT_TRUE(card_table::is_clean(first + 3));
}

TEST_F(CardTableTest, EveryCardLeadsToTheObjectItBeginsIn) {
  start_empty();
  // Sizes of objects that end within a card, at a card's boundary or one word after it, or that cover several cards or
  // a power of two of cards.
  std::vector<u64> sizes{16, 496, 512, 8, 504, 520, 24, 1000, 1024, 16384, 8, 16392, 40, 100'000, 8, 8, 50'000};
  std::vector<char*> starts;
  char* position = region;
  for (u64 bytes : sizes) {
    card_table::record(position, bytes);
    starts.push_back(position);
    position += bytes;
  }
  for (char* boundary = region; boundary < position; boundary += card_bytes) {
    char* covering = nullptr;
    for (char* start : starts) {
      if (start <= boundary) covering = start;
    }
    EXPECT_EQ(reinterpret_cast<char*>(card_table::object_covering_card(boundary + 100)), covering) << boundary - region;
  }
}

}  // namespace
}  // namespace keyhole::test
