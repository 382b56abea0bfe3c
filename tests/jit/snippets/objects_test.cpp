// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests snippets of objects and strings, compiled from the bitcode to machine code, on a heap without a VM.
#include "gc/plan.h"
#include "jit/snippets/declarations.h"
#include "runtime/object/identity.h"
#include "tests/gc/heap_fixture.h"
#include "vm/link/well_known.h"

namespace keyhole::test {
namespace {

class SnippetsTest : public HeapTest {
 protected:
  // A TLAB with room.
  void warm_up() { node(0); }
};

TEST_F(SnippetsTest, AllocateBumpsAndWritesTheHeader) {
  start(16_MiB);
  EXPECT_FALSE(snippet_has_room(thread, k.node.id, node_bytes)) << "there is no TLAB yet";
  warm_up();
  EXPECT_TRUE(snippet_has_room(thread, k.node.id, node_bytes));
  char* top = thread->tlab_top;
  Object* object = snippet_allocate(thread, k.node.id, node_bytes);
  EXPECT_EQ(reinterpret_cast<char*>(object), top);
  EXPECT_EQ(thread->tlab_top, top + node_bytes);
  EXPECT_EQ(object->klass(), &k.node);
  EXPECT_EQ(object->header_word() & layout::lock_mask, layout::unlocked);
  EXPECT_EQ(object->get<u64>(node_id), 0u);
  u64 rest = static_cast<u64>(thread->tlab_end - thread->tlab_top);
  EXPECT_TRUE(snippet_has_room(thread, k.node.id, rest));
  EXPECT_FALSE(snippet_has_room(thread, k.node.id, rest + 8));
  EXPECT_EQ(thread->tlab_top, top + node_bytes) << "nothing has happened";
}

TEST_F(SnippetsTest, AllocateArrayRefusesLongAndNegativeLengths) {
  start(16_MiB);
  warm_up();
  ASSERT_TRUE(snippet_has_room_for_array(thread, k.longs.id, 3, 5));
  Object* array = snippet_allocate_array(thread, k.longs.id, 3, 5);
  EXPECT_EQ(array->klass(), &k.longs);
  EXPECT_EQ(array->length(), 5);
  EXPECT_EQ(thread->tlab_top, reinterpret_cast<char*>(array) + layout::array_bytes(3, 5));
  char* top = thread->tlab_top;
  EXPECT_FALSE(snippet_has_room_for_array(thread, k.bytes.id, 0, heap::longest_fast_array + 1));
  EXPECT_FALSE(snippet_has_room_for_array(thread, k.bytes.id, 0, static_cast<u32>(-1)));
  EXPECT_EQ(thread->tlab_top, top);
  EXPECT_EQ(verify(), "");
}

TEST_F(SnippetsTest, ReferenceStoresMarkWhatThePlanAsksFor) {
  for (const char* plan : {"generational", "evacuating", "none"}) {
    flags::GCPlan = plan;
    start(16_MiB);
    bool marks = gc::plan().properties().barrier == barrier::Kind::CardMark;
    EXPECT_EQ(marks, std::string_view(plan) == "generational");
    Object* holder = node(1);
    Object* value = node(2);
    u8* card = barrier::card_of(holder->address<char>(node_left));
    auto expect_mark = [&](const char* store) {
      EXPECT_EQ(*card, marks ? barrier::dirty_card : barrier::clean_card) << plan << " " << store;
      *card = barrier::clean_card;
    };
    *card = barrier::clean_card;
    snippet_store_reference(holder, node_left, value);
    EXPECT_EQ(holder->get_reference(node_left), value);
    expect_mark("store");
    EXPECT_EQ(snippet_exchange_reference(holder, node_left, holder), value);
    EXPECT_EQ(holder->get_reference(node_left), holder);
    expect_mark("exchange");
    EXPECT_FALSE(snippet_compare_exchange_reference(holder, node_left, value, value));
    EXPECT_EQ(holder->get_reference(node_left), holder);
    *card = barrier::clean_card;
    EXPECT_TRUE(snippet_compare_exchange_reference(holder, node_left, holder, nullptr));
    EXPECT_EQ(holder->get_reference(node_left), nullptr);
    expect_mark("compare and exchange");
    EXPECT_EQ(snippet_compare_exchange_witness(holder, node_left, value, value), nullptr);
    EXPECT_EQ(holder->get_reference(node_left), nullptr);
    *card = barrier::clean_card;
    EXPECT_EQ(snippet_compare_exchange_witness(holder, node_left, nullptr, value), nullptr);
    EXPECT_EQ(holder->get_reference(node_left), value);
    expect_mark("compare and exchange, witness");
    snippet_store_volatile_reference(holder, node_left, holder);
    EXPECT_EQ(holder->get_reference(node_left), holder);
    expect_mark("volatile store");
    gc::tlab::retire(thread);
    gc::stop_workers();
    gc::space.shut_down();
  }
  flags::GCPlan = "evacuating";
  start(16_MiB);
}

TEST_F(SnippetsTest, TypeTestsAnswerAsTheVmDoes) {
  start(16_MiB);
  EXPECT_EQ(snippet_klass_of(node(1)), &k.node);
  EXPECT_EQ(snippet_klass_id_of(node(1)), k.node.id);
  Klass base{}, derived{}, interface{};
  base.kind = derived.kind = interface.kind = KlassKind::Instance;
  interface.access_flags = 0x0200;
  base.supers[0] = derived.supers[0] = &base;
  derived.depth = 1;
  derived.supers[1] = &derived;
  Klass* secondary[] = {&interface};
  derived.secondary_supers = secondary;
  derived.secondary_super_count = 1;
  EXPECT_TRUE(base.is_in_displays());
  EXPECT_TRUE(derived.has_in_display(&base));
  EXPECT_TRUE(derived.has_in_display(&derived));
  EXPECT_FALSE(base.has_in_display(&derived));
  EXPECT_FALSE(interface.is_in_displays());
  EXPECT_FALSE(snippet_is_known_subtype(&derived, &interface));
  EXPECT_TRUE(derived.is_subtype_of(&interface));  // this call caches its result, which the next call reads
  EXPECT_TRUE(snippet_is_known_subtype(&derived, &interface));
  EXPECT_TRUE(snippet_is_known_subtype(&interface, &interface));
}

TEST_F(SnippetsTest, IdentityHashOfWhatHasOneAndIsUnlocked) {
  start(16_MiB);
  roots = {node(1), heap::allocate_instance(thread, &k.leaf)};
  for (Object*& object : roots) {
    EXPECT_EQ(snippet_identity_hash(object), 0u);
    layout::Word fresh = object->header_word();
    object->header().store(layout::hashed(fresh, 12345));
    u32 hash = snippet_identity_hash(object);
    EXPECT_NE(hash, 0u);
    EXPECT_EQ(hash, layout::hash_at(object, object->header_word()));
    collect();  // the object moves; with narrow headers, its hash is stored
    EXPECT_EQ(snippet_identity_hash(object), hash);
    layout::Word unlocked = object->header_word();
    object->header().store(unlocked ^ layout::unlocked);
    EXPECT_EQ(snippet_identity_hash(object), 0u) << "whoever holds it may have displaced it";
    object->header().store(unlocked);
  }
}

TEST_F(SnippetsTest, BytesAreCopiedAlsoOntoThemselves) {
  start(16_MiB);
  warm_up();
  // One array serves all copies, because a TLAB has no room for hundreds of arrays.
  ASSERT_TRUE(snippet_has_room_for_array(thread, k.bytes.id, 0, 100));
  Object* array = snippet_allocate_array(thread, k.bytes.id, 0, 100);
  for (i32 count = 0; count <= 40; ++count) {
    for (i32 shift : {0, 1, 3, 8, 50}) {
      for (bool is_up : {false, true}) {
        for (i32 i = 0; i < 100; ++i) array->elements<u8>()[i] = static_cast<u8>(i);
        i32 from = is_up ? 2 : 2 + shift, to = is_up ? 2 + shift : 2;
        snippet_copy_bytes(array, from, array, to, count);
        for (i32 i = 0; i < 100; ++i) {
          bool is_copied = i >= to && i < to + count;
          EXPECT_EQ(array->elements<u8>()[i], is_copied ? i - to + from : i) << count << " " << shift << " " << is_up;
        }
      }
    }
  }
}

TEST_F(SnippetsTest, CopyElementsCopiesAll) {
  start(16_MiB);
  warm_up();
  for (u32 length = 0; length <= 40; ++length) {
    Object* from = snippet_allocate_array(thread, k.bytes.id, 0, length);
    Object* to = snippet_allocate_array(thread, k.bytes.id, 0, length + 1);
    for (u32 i = 0; i < length; ++i) from->elements<u8>()[i] = static_cast<u8>(i + 1);
    snippet_copy_elements(from, to, 0, static_cast<i32>(length));
    for (u32 i = 0; i <= length; ++i) EXPECT_EQ(to->elements<u8>()[i], i < length ? i + 1 : 0) << length;
  }
}

class StringSnippetsTest : public SnippetsTest {
 protected:
  // Objects of class Node stand in for Strings: the bytes are in `left`, the coder is in the low byte of the id.
  void start_with_strings() {
    start(16_MiB);
    well_known::String_value = node_left;
    well_known::String_coder = node_id;
  }
  // Makes a string and a root that refers to it, because the string may move. Returns the index of the root.
  usize make_string(std::string_view text, u8 coder) {
    roots.push_back(heap::allocate_array(thread, &k.bytes, static_cast<i32>(text.size())));
    memcpy(roots.back()->elements<char>(), text.data(), text.size());
    Object* string = node(0);
    string->set<u8>(node_id, coder);
    barrier::store(string, node_left, roots.back());
    roots.back() = string;
    return roots.size() - 1;
  }
};

TEST_F(StringSnippetsTest, LengthAndCharAt) {
  start_with_strings();
  Object* latin1 = roots[make_string("caf\xe9", 0)];
  Object* utf16 = roots[make_string(std::string_view("a\0\x3c\x26", 4), 1)];
  Object* unfinished = node(0);
  EXPECT_EQ(snippet_string_length(latin1), 4);
  EXPECT_EQ(snippet_string_length(utf16), 2);
  EXPECT_EQ(snippet_string_length(unfinished), -1);
  EXPECT_EQ(snippet_string_char_at(latin1, 3), 0xe9);
  EXPECT_EQ(snippet_string_char_at(utf16, 0), 'a');
  EXPECT_EQ(snippet_string_char_at(utf16, 1), 0x263c);
  for (i32 outside : {-1, 4, 2147483647}) EXPECT_EQ(snippet_string_char_at(latin1, outside), -1) << outside;
  EXPECT_EQ(snippet_string_char_at(utf16, 2), -1);
  EXPECT_EQ(snippet_string_char_at(unfinished, 0), -1);
}

TEST_F(StringSnippetsTest, EqualsAndHashCode) {
  start_with_strings();
  std::string text = "twenty-one characters";
  Object* one = roots[make_string(text, 0)];
  EXPECT_EQ(snippet_string_equals(one, one), 1);
  EXPECT_EQ(snippet_string_equals(one, nullptr), 0);
  EXPECT_EQ(snippet_string_equals(one, roots[make_string(text, 0)]), 1);
  EXPECT_EQ(snippet_string_equals(one, roots[make_string(text, 1)]), 0);
  EXPECT_EQ(snippet_string_equals(one, roots[make_string(text.substr(1), 0)]), 0);
  EXPECT_EQ(snippet_string_equals(one, heap::allocate_instance(thread, &k.leaf)), 0);
  EXPECT_EQ(snippet_string_equals(one, node(0)), -1);
  for (usize at = 0; at < text.size(); ++at) {
    std::string other = text;
    other[at] ^= 1;
    EXPECT_EQ(snippet_string_equals(one, roots[make_string(other, 0)]), 0) << at;
  }
  EXPECT_EQ(snippet_latin1_hash_code(one->get_reference(node_left)), 1313684416u);
  Object* empty = heap::allocate_array(thread, &k.bytes, 0);
  EXPECT_EQ(snippet_latin1_hash_code(empty), 0u);
}

}  // namespace
}  // namespace keyhole::test
