// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads legal descriptors (JVMS 4.3) from the beginning: class names may contain '(' and ')', so searching for these
// characters does not find the end of the parameters. legal_names.h decides which texts are legal.
#pragma once

#include <string_view>

#include "runtime/base/symbol.h"
#include "runtime/base/types.h"

namespace keyhole {

// Returns the length of the field type ("I", "[[J", "Ljava/lang/String;") that begins at `position`.
constexpr usize type_length(std::string_view text, usize position = 0) {
  usize end = position;
  while (text[end] == '[') ++end;
  if (text[end] == 'L') end = text.find(';', end);
  return end + 1 - position;
}

// Walks the argument types of a method descriptor: for (DescriptorIterator it(d); !it.at_end(); it.next()) ...
class DescriptorIterator {
 public:
  explicit constexpr DescriptorIterator(std::string_view descriptor) : text_(descriptor) {}
  explicit DescriptorIterator(const Symbol* descriptor) : text_(descriptor->text()) {}
  constexpr bool at_end() const { return text_[position_] == ')'; }
  constexpr BasicType type() const { return basic_type_of_descriptor(text_[position_]); }
  constexpr std::string_view text() const { return text_.substr(position_, type_length(text_, position_)); }
  constexpr void next() { position_ += type_length(text_, position_); }
  // The return descriptor; valid when the iterator is at the end.
  constexpr std::string_view return_text() const { return text_.substr(position_ + 1); }

 private:
  std::string_view text_;
  usize position_ = 1;
};

// The return descriptor of a method descriptor.
constexpr std::string_view return_descriptor_of(std::string_view method_descriptor) {
  DescriptorIterator it(method_descriptor);
  while (!it.at_end()) it.next();
  return it.return_text();
}
constexpr BasicType return_type_of(std::string_view method_descriptor) {
  return basic_type_of_descriptor(return_descriptor_of(method_descriptor)[0]);
}
// The number of slots of the arguments, without a receiver.
constexpr u32 argument_slots_of(std::string_view method_descriptor) {
  u32 slots = 0;
  for (DescriptorIterator it(method_descriptor); !it.at_end(); it.next()) slots += slot_count(it.type());
  return slots;
}

}  // namespace keyhole
