// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the seven shapes of a frame, which frame_type distinguishes.
#include "vm/verify/stack_map_table.h"

#include <fmt/format.h>

#include "vm/metadata/constant_pool.h"

namespace keyhole {
namespace {

u32 slots_of(const std::vector<StackMapReader::Type>& types) {
  u32 slots = 0;
  for (const StackMapReader::Type& type : types) slots += type.tag == 3 || type.tag == 4 ? 2 : 1;
  return slots;
}

}  // namespace

StackMapReader::StackMapReader(const Method* method)
    : method_(method), at_(method->stack_map), end_(method->stack_map + method->stack_map_length) {
  if (method->stack_map != nullptr) frame_count_ = read_u2();
}

u32 StackMapReader::read_u2() {
  if (end_ - at_ < 2) {
    fault_ = "access beyond the end of attribute";
    at_ = end_;
    return 0;
  }
  at_ += 2;
  return bytecode::read_u16(at_ - 2);
}

bool StackMapReader::read_types(std::vector<Type>& into, u32 count) {
  for (u32 index = 0; index < count && fault_ == nullptr; ++index) {
    if (at_ == end_) {
      fault_ = "access beyond the end of attribute";
      break;
    }
    Type type{*at_++, 0};
    if (type.tag > 8) {
      fault_ = "bad verification type";
      break;
    }
    if (type.tag >= 7) type.value = static_cast<u16>(read_u2());
    const ConstantPool* constants = method_->constants;
    bool is_class = type.tag != 7 || (type.value != 0 && type.value < constants->count &&
                                      constants->tag(type.value) == ConstantTag::Class);
    if (!is_class && fault_ == nullptr) fault_ = "bad class index";
    into.push_back(type);
  }
  return fault_ == nullptr;
}

std::optional<StackMapReader::Entry> StackMapReader::next(u32 most_locals) {
  if (fault_ != nullptr) return std::nullopt;
  if (at_ == end_) {
    fault_ = "access beyond the end of attribute";
    return std::nullopt;
  }
  Entry entry{*at_++, 0, 0};
  if (entry.kind < 64) {
    entry.bci_distance = entry.kind;
  } else if (entry.kind < 128) {
    entry.bci_distance = entry.kind - 64;
    read_types(entry.stack, 1);
  } else if (entry.kind < 247) {
    fault_ = "reserved frame type";
  } else {
    entry.bci_distance = static_cast<u16>(read_u2());
    if (entry.kind == 247) {
      read_types(entry.stack, 1);
    } else if (entry.kind < 251) {
      entry.chopped = static_cast<u8>(251 - entry.kind);
    } else if (entry.kind > 251 && entry.kind < 255) {
      read_types(entry.locals, entry.kind - 251u);
    } else if (entry.kind == 255) {
      if (read_types(entry.locals, read_u2()) && slots_of(entry.locals) <= most_locals)
        read_types(entry.stack, read_u2());
    }
  }
  if (fault_ != nullptr) return std::nullopt;
  return entry;
}

std::string describe_stack_map_table(const Method* method, std::string_view indent) {
  auto types = [](const std::vector<StackMapReader::Type>& list) {
    static constexpr const char* names[] = {"Top", "Integer", "Float", "Double", "Long", "Null", "UninitializedThis"};
    std::string text;
    for (const auto& type : list) {
      if (!text.empty()) text += ",";
      if (type.tag == 7) text += fmt::format("Object[#{}]", type.value);
      else if (type.tag == 8) text += fmt::format("Uninitialized[#{}]", type.value);
      else text += names[type.tag];
    }
    return text;
  };
  std::string text;
  StackMapReader reader(method);
  i64 bci = -1;
  for (u32 index = 0; index < reader.frame_count(); ++index) {
    auto entry = reader.next();
    if (!entry) break;
    bci += entry->bci_distance + 1;
    text += indent;
    if (entry->kind < 64) text += fmt::format("same_frame(@{})", bci);
    else if (entry->kind < 128) text += fmt::format("same_locals_1_stack_item_frame(@{},{})", bci, types(entry->stack));
    else if (entry->kind == 247)
      text += fmt::format("same_locals_1_stack_item_extended(@{},{})", bci, types(entry->stack));
    else if (entry->kind < 251) text += fmt::format("chop_frame(@{},{})", bci, entry->chopped);
    else if (entry->kind == 251) text += fmt::format("same_frame_extended(@{})", bci);
    else if (entry->kind < 255) text += fmt::format("append_frame(@{},{})", bci, types(entry->locals));
    else text += fmt::format("full_frame(@{},{{{}}},{{{}}})", bci, types(entry->locals), types(entry->stack));
    text += "\n";
  }
  return text;
}

}  // namespace keyhole
