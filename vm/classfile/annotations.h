// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Iterates over the annotation types in a raw RuntimeVisibleAnnotations attribute (JVMS 4.7.16), and skips their
// values.
//
//   for_each_annotation(constants, bytes, [](std::string_view type) { ... "Ljdk/internal/vm/annotation/Hidden;" ... });
//
// Malformed bytes end the iteration; reflection reports them.
#pragma once

#include "vm/classfile/byte_reader.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole::classfile {

// Skips an element_value or an annotation. Returns false if it is malformed, or nested more deeply than any compiler
// generates.
bool skip_element_value(ByteReader& reader, u32 depth = 0);
bool skip_annotation_body(ByteReader& reader, u32 depth);

template <typename Visitor>
void for_each_annotation(const ConstantPool& constants, std::span<const u8> bytes, Visitor&& visit) {
  ByteReader reader(bytes);
  for (u32 count = reader.u2(); count > 0 && !reader.overrun(); --count) {
    u16 type = reader.u2();
    if (type == 0 || type >= constants.count || constants.tag(type) != ConstantTag::Utf8) return;
    visit(constants.utf8_text(type));
    if (!skip_annotation_body(reader, 0)) return;
  }
}

}  // namespace keyhole::classfile
