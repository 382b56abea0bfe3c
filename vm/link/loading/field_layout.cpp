// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Placing fields in objects.
#include "vm/link/loading/field_layout.h"

#include <algorithm>
#include <vector>

namespace keyhole {

u32 class_loader_data_offset;

namespace {

// Tracks the bytes that are taken: one bit per byte, one mask per 8-byte word.
class Occupancy {
 public:
  explicit Occupancy(u32 start_bytes) : first_word_(start_bytes / 8), words_(start_bytes / 8, u8{0xFF}) {
    if (start_bytes % 8 != 0) words_.push_back(static_cast<u8>((1u << (start_bytes % 8)) - 1));
  }
  void take(u32 offset, u32 bytes) {
    u32 word = offset / 8;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= static_cast<u8>(((1u << bytes) - 1) << (offset % 8));
  }
  // Moves the start of the search to the first word that is not full. The superclass's masks must be known.
  void start_search_at_first_hole() {
    first_word_ = 0;
    while (first_word_ < words_.size() && words_[first_word_] == 0xFF) ++first_word_;
  }
  // The lowest free place for `bytes` (1, 2, 4, 8), aligned to itself.
  u32 place(u32 bytes) {
    u32 mask = (1u << bytes) - 1;
    for (u32 word = first_word_;; ++word) {
      if (word == words_.size()) words_.push_back(0);
      for (u32 shift = 0; shift < 8; shift += bytes) {
        if ((words_[word] & (mask << shift)) == 0) {
          words_[word] |= static_cast<u8>(mask << shift);
          return word * 8 + shift;
        }
      }
    }
  }
  // The lowest free 4 bytes between taken ones and the end; `end` (a multiple of 8) when there are none.
  u32 gap_of_four(u32 start, u32 end) const {
    for (u32 offset = align_up(start, 4u); offset < end; offset += 4) {
      u32 word = offset / 8;
      if (word >= words_.size() || (words_[word] & (0xF << offset % 8)) == 0) return offset;
    }
    return end;
  }
  u32 end_bytes() const {
    for (u32 word = static_cast<u32>(words_.size()); word > 0; --word) {
      if (words_[word - 1] != 0) return word * 8 - static_cast<u32>(__builtin_clz(words_[word - 1]) - 24);
    }
    return 0;
  }

 private:
  u32 first_word_;
  std::vector<u8> words_;
};

struct Injected {
  std::string_view owner;
  u32 bytes;
  u32* offset;
};
const Injected injected_fields[] = {
    {"java/lang/Class", 8, &mirror_klass_offset},
    {"java/lang/Class", 4, &mirror_bytes_offset},
    {"java/lang/ClassLoader", 8, &class_loader_data_offset},
};

void take_inherited(Occupancy& occupancy, const Klass* klass) {
  for (; klass != nullptr; klass = klass->super) {
    const InstanceKlass* owner = klass->as_instance();
    for (u32 i = 0; i < owner->field_count; ++i) {
      const Field& field = owner->fields[i];
      if (!field.is_static()) occupancy.take(field.offset, 1u << element_shift(field.type));
    }
    if (!owner->loader->is_boot()) continue;
    for (const Injected& injected : injected_fields) {
      if (injected.owner == owner->name->text()) occupancy.take(*injected.offset, injected.bytes);
    }
  }
}

// Sets the class's spans of references: its own sorted offsets and the superclass's spans, as one list.
void set_reference_spans(InstanceKlass* klass, std::vector<u32>& own, Arena& arena) {
  const Klass* super = klass->super;
  u32 inherited = super == nullptr ? 0 : super->reference_span_count;
  if (own.empty()) {
    klass->reference_spans = super == nullptr ? nullptr : super->reference_spans;
    klass->reference_span_count = static_cast<u16>(inherited);
    return;
  }
  std::vector<ReferenceSpan> spans;
  for (u32 i = 0; i < inherited; ++i) spans.push_back(super->reference_spans[i]);
  for (u32 offset : own) spans.push_back({offset, 1});
  std::sort(spans.begin(), spans.end(),
            [](const ReferenceSpan& a, const ReferenceSpan& b) { return a.offset < b.offset; });
  std::vector<ReferenceSpan> merged;
  for (const ReferenceSpan& span : spans) {
    if (!merged.empty() && merged.back().offset + merged.back().count * 4 == span.offset)
      merged.back().count += span.count;
    else merged.push_back(span);
  }
  auto* stored = arena.create_array<ReferenceSpan>(merged.size());
  std::copy(merged.begin(), merged.end(), stored);
  klass->reference_spans = stored;
  klass->reference_span_count = static_cast<u16>(merged.size());
}

}  // namespace

void layout_instance_fields(InstanceKlass* klass, Arena& arena) {
  const Klass* super = klass->super;
  u32 own_count = 0;
  for (u32 i = 0; i < klass->field_count; ++i) own_count += !klass->fields[i].is_static();
  bool injects = false;
  if (klass->loader->is_boot()) {
    for (const Injected& injected : injected_fields) injects |= injected.owner == klass->name->text();
  }
  std::vector<u32> references;
  if (own_count == 0 && !injects) {
    klass->instance_bytes = super == nullptr ? layout::minimum_object_bytes : super->instance_bytes;
    klass->hash_offset = super == nullptr ? align_up(layout::header_bytes, 4u) : super->hash_offset;
    return set_reference_spans(klass, references, arena);
  }

  Occupancy occupancy(layout::header_bytes);
  if (super != nullptr && super->instance_bytes > layout::header_bytes) {
    take_inherited(occupancy, super);
    occupancy.start_search_at_first_hole();
  }
  for (u32 shift = 4; shift-- > 0;) {
    if (injects) {
      for (const Injected& injected : injected_fields) {
        if (injected.owner == klass->name->text() && injected.bytes == 1u << shift) {
          *injected.offset = occupancy.place(injected.bytes);
        }
      }
    }
    // References before other fields of their size, so that they form one run.
    for (bool of_references : {true, false}) {
      if (of_references && shift != 2) continue;
      for (u32 i = 0; i < klass->field_count; ++i) {
        Field& field = klass->fields[i];
        if (field.is_static() || element_shift(field.type) != shift ||
            (field.type == BasicType::Reference) != of_references)
          continue;
        field.offset = occupancy.place(1u << shift);
        // The referent of a Reference is not a strong reference: the collector treats it separately.
        bool is_referent = klass->name->text() == "java/lang/ref/Reference" && field.name->text() == "referent";
        if (of_references && !is_referent) references.push_back(field.offset);
      }
    }
  }
  klass->instance_bytes = align_up(occupancy.end_bytes(), layout::object_alignment);
  if (super != nullptr && klass->instance_bytes < super->instance_bytes) klass->instance_bytes = super->instance_bytes;
  klass->hash_offset = occupancy.gap_of_four(layout::header_bytes, klass->instance_bytes);
  set_reference_spans(klass, references, arena);
}

void layout_static_fields(InstanceKlass* klass, u32 base) {
  klass->static_reference_offset = base;
  u32 next = base, references = 0;
  for (u32 i = 0; i < klass->field_count; ++i) {
    Field& field = klass->fields[i];
    if (!field.is_static() || field.type != BasicType::Reference) continue;
    field.offset = next;
    next += 4;
    ++references;
  }
  klass->static_reference_count = references;
  Occupancy occupancy(next);
  for (u32 shift = 4; shift-- > 0;) {
    for (u32 i = 0; i < klass->field_count; ++i) {
      Field& field = klass->fields[i];
      if (!field.is_static() || field.type == BasicType::Reference || element_shift(field.type) != shift) continue;
      field.offset = occupancy.place(1u << shift);
    }
  }
  klass->mirror_bytes = align_up(std::max(occupancy.end_bytes(), next), layout::object_alignment);
  klass->static_bytes = klass->mirror_bytes - base;
}

}  // namespace keyhole
