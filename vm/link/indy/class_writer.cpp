// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class files in memory: constant pool with sharing, code with tracked operand depth.
#include "vm/link/indy/class_writer.h"

#include "runtime/base/check.h"
#include "vm/metadata/constant_pool.h"

namespace keyhole::indy {

namespace {

// The change of operand depth by an opcode without operand bytes. Covers only the opcodes that this folder uses.
i32 depth_change(u8 code) {
  using namespace opcode;
  switch (code) {
    case aconst_null:
    case iconst_m1:
    case iconst_0:
    case iconst_1:
    case fconst_0:
    case dup:
    case dup_x1: return 1;
    case lconst_0:
    case dconst_0:
    case i2l:
    case i2d:
    case f2d: return code == lconst_0 || code == dconst_0 ? 2 : 1;
    case aaload:
    case pop:
    case iadd:
    case imul:
    case ishl:
    case lshl:
    case iand:
    case ior:
    case ixor:
    case l2i:
    case l2f: return -1;
    case pop2:
    case ladd: return -2;
    case lcmp:
    case aastore: return -3;
    case i2f:
    case l2d:
    case i2b:
    case i2c:
    case i2s:
    case swap:
    case arraylength: return 0;
    case ireturn:
    case freturn:
    case areturn:
    case athrow: return -1;
    case lreturn:
    case dreturn: return -2;
    case return_: return 0;
    default: KEYHOLE_FATAL("opcode {} has operands or no known depth", code);
  }
}

void append_half(std::vector<u8>& bytes, u32 value) {
  bytes.push_back(static_cast<u8>(value >> 8));
  bytes.push_back(static_cast<u8>(value));
}
void append_word(std::vector<u8>& bytes, u32 value) {
  append_half(bytes, value >> 16);
  append_half(bytes, value);
}
void append(std::vector<u8>& bytes, const std::vector<u8>& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::string half_text(u32 value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }
std::string word_text(u32 value) { return half_text(value >> 16) + half_text(value); }

u32 slots_of(std::string_view field_descriptor) { return slot_count(basic_type_of_descriptor(field_descriptor[0])); }

u8 typed(BasicType type, u8 int_form) {  // iload..aload, istore..astore, ireturn..areturn are in the order I J F D A
  switch (type) {
    case BasicType::Long: return int_form + 1;
    case BasicType::Float: return int_form + 2;
    case BasicType::Double: return int_form + 3;
    case BasicType::Reference: return int_form + 4;
    default: return int_form;
  }
}

}  // namespace

std::string_view wrapper_of(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'Z': return "java/lang/Boolean";
    case 'C': return "java/lang/Character";
    case 'B': return "java/lang/Byte";
    case 'S': return "java/lang/Short";
    case 'I': return "java/lang/Integer";
    case 'J': return "java/lang/Long";
    case 'F': return "java/lang/Float";
    case 'D': return "java/lang/Double";
    default: return {};
  }
}

std::string_view class_name_of(std::string_view descriptor) {
  return descriptor[0] == 'L' ? descriptor.substr(1, descriptor.size() - 2) : descriptor;
}

// --- ClassWriter -----------------------------------------------------------------------------------------------------

ClassWriter::ClassWriter(u32 access_flags, std::string_view name, std::string_view super,
                         const std::vector<std::string>& interfaces)
    : name_(name), access_flags_(access_flags) {
  this_class_ = class_index(name);
  super_class_ = class_index(super);
  for (const std::string& interface : interfaces) interfaces_.push_back(class_index(interface));
}

u16 ClassWriter::entry(std::string key, u32 slots) {
  auto [found, fresh] = entries_.try_emplace(std::move(key), static_cast<u16>(pool_count_));
  if (fresh) {
    KEYHOLE_CHECK(pool_count_ + slots < 0xFFFF, "generated class {} needs too many constants", name_);
    pool_.insert(pool_.end(), found->first.begin(), found->first.end());
    pool_count_ += slots;
  }
  return found->second;
}

u16 ClassWriter::utf8(std::string_view text) {
  return entry('\1' + half_text(static_cast<u32>(text.size())) + std::string(text));
}
u16 ClassWriter::class_index(std::string_view internal_name) { return entry('\7' + half_text(utf8(internal_name))); }
u16 ClassWriter::string_index(std::string_view modified_utf8) { return entry('\10' + half_text(utf8(modified_utf8))); }
u16 ClassWriter::integer_index(i32 value) { return entry('\3' + word_text(static_cast<u32>(value))); }
u16 ClassWriter::long_index(i64 value) {
  return entry('\5' + word_text(static_cast<u32>(value >> 32)) + word_text(static_cast<u32>(value)), 2);
}
u16 ClassWriter::reference(u8 tag, std::string_view owner, std::string_view name, std::string_view descriptor) {
  u16 pair = entry('\14' + half_text(utf8(name)) + half_text(utf8(descriptor)));
  return entry(static_cast<char>(tag) + half_text(class_index(owner)) + half_text(pair));
}

void ClassWriter::field(u32 access_flags, std::string_view name, std::string_view descriptor) {
  append_half(fields_, access_flags);
  append_half(fields_, utf8(name));
  append_half(fields_, utf8(descriptor));
  append_half(fields_, 0);
  ++field_count_;
}

CodeWriter ClassWriter::method(u32 access_flags, std::string_view name, std::string_view descriptor) {
  return CodeWriter(*this, access_flags, name, descriptor);
}

void ClassWriter::native_method(u32 access_flags, std::string_view name, std::string_view descriptor) {
  append_half(methods_, access_flags | access::Native);
  append_half(methods_, utf8(name));
  append_half(methods_, utf8(descriptor));
  append_half(methods_, 0);
  ++method_count_;
}

std::vector<u8> ClassWriter::finish() {
  constexpr u32 magic = 0xCAFEBABE, major_version = 55;  // 55: nestmate access to private members
  std::vector<u8> file;
  file.reserve(pool_.size() + fields_.size() + methods_.size() + 64);
  append_word(file, magic);
  append_half(file, 0);
  append_half(file, major_version);
  append_half(file, pool_count_);
  append(file, pool_);
  append_half(file, access_flags_);
  append_half(file, this_class_);
  append_half(file, super_class_);
  append_half(file, static_cast<u32>(interfaces_.size()));
  for (u16 interface : interfaces_) append_half(file, interface);
  append_half(file, field_count_);
  append(file, fields_);
  append_half(file, method_count_);
  append(file, methods_);
  append_half(file, 0);
  return file;
}

// --- CodeWriter ------------------------------------------------------------------------------------------------------

CodeWriter::CodeWriter(ClassWriter& owner, u32 access_flags, std::string_view name, std::string_view descriptor)
    : owner_(owner), access_flags_(static_cast<u16>(access_flags)), name_index_(owner.utf8(name)),
      descriptor_index_(owner.utf8(descriptor)) {
  max_locals_ = argument_slots_of(descriptor) + ((access_flags & access::Static) != 0 ? 0 : 1);
}

void CodeWriter::adjust(i32 change) {
  depth_ += change;
  KEYHOLE_ASSERT(depth_ >= 0, "operand depth below zero in generated class {}", owner_.name());
  if (depth_ > max_depth_) max_depth_ = depth_;
}

void CodeWriter::op(u8 code) {
  byte(code);
  adjust(depth_change(code));
}

void CodeWriter::load(BasicType type, u32 local) {
  u8 code = typed(type, opcode::iload);
  if (local < 256) {
    byte(code);
    byte(local);
  } else {
    byte(196);
    byte(code);
    half(local);
  }
  adjust(static_cast<i32>(slot_count(type)));
}

void CodeWriter::store(BasicType type, u32 local) {
  u8 code = typed(type, opcode::istore);
  if (local < 256) {
    byte(code);
    byte(local);
  } else {
    byte(196);
    byte(code);
    half(local);
  }
  adjust(-static_cast<i32>(slot_count(type)));
  max_locals_ = std::max(max_locals_, local + slot_count(type));
}

void CodeWriter::return_value(BasicType type) {
  op(type == BasicType::Void ? opcode::return_ : typed(type, opcode::ireturn));
}

void CodeWriter::integer(i32 value) {
  if (value >= -1 && value <= 5) byte(static_cast<u32>(opcode::iconst_0 + value));
  else if (value >= -128 && value <= 127) {
    byte(opcode::bipush);
    byte(static_cast<u32>(value));
  } else if (value >= -32768 && value <= 32767) {
    byte(opcode::sipush);
    half(static_cast<u32>(value));
  } else {
    byte(opcode::ldc_w);
    half(owner_.integer_index(value));
  }
  adjust(1);
}

void CodeWriter::long_value(i64 value) {
  byte(opcode::ldc2_w);
  half(owner_.long_index(value));
  adjust(2);
}

void CodeWriter::string(std::string_view modified_utf8) {
  byte(opcode::ldc_w);
  half(owner_.string_index(modified_utf8));
  adjust(1);
}

void CodeWriter::class_constant(std::string_view internal_name) {
  byte(opcode::ldc_w);
  half(owner_.class_index(internal_name));
  adjust(1);
}

void CodeWriter::type_op(u8 code, std::string_view internal_name) {
  byte(code);
  half(owner_.class_index(internal_name));
  adjust(code == opcode::new_ ? 1 : 0);
}

void CodeWriter::field(u8 code, std::string_view owner, std::string_view name, std::string_view descriptor) {
  byte(code);
  half(owner_.reference(static_cast<u8>(ConstantTag::Fieldref), owner, name, descriptor));
  i32 slots = static_cast<i32>(slots_of(descriptor));
  switch (code) {
    case opcode::getstatic: adjust(slots); break;
    case opcode::putstatic: adjust(-slots); break;
    case opcode::getfield: adjust(slots - 1); break;
    default: adjust(-slots - 1); break;
  }
}

void CodeWriter::invoke(u8 code, std::string_view owner, std::string_view name, std::string_view descriptor,
                        bool owner_is_interface) {
  byte(code);
  half(owner_.reference(static_cast<u8>(owner_is_interface ? ConstantTag::InterfaceMethodref : ConstantTag::Methodref),
                        owner, name, descriptor));
  u32 arguments = argument_slots_of(descriptor) + (code == opcode::invokestatic ? 0 : 1);
  if (code == opcode::invokeinterface) {
    byte(arguments);
    byte(0);
  }
  adjust(-static_cast<i32>(arguments));
  adjust(static_cast<i32>(slot_count(return_type_of(descriptor))));
}

void CodeWriter::jump(u8 code, Label& label) {
  switch (code) {
    case opcode::goto_: break;
    case opcode::if_icmpeq:
    case opcode::if_icmpne:
    case opcode::if_icmpge:
    case opcode::if_acmpeq:
    case opcode::if_acmpne: adjust(-2); break;
    default: adjust(-1); break;
  }
  if (label.depth < 0) label.depth = depth_;
  KEYHOLE_ASSERT(label.depth == depth_, "jumps with different operand depths in {}", owner_.name());
  u32 position = static_cast<u32>(bytes_.size());
  byte(code);
  if (label.position >= 0) half(static_cast<u32>(label.position - static_cast<i32>(position)));
  else {
    label.uses.push_back(position);
    half(0);
  }
}

void CodeWriter::bind(Label& label) {
  label.position = static_cast<i32>(bytes_.size());
  if (label.depth < 0) label.depth = depth_;
  depth_ = label.depth;
  for (u32 use : label.uses) {
    u32 distance = static_cast<u32>(label.position) - use;
    bytes_[use + 1] = static_cast<u8>(distance >> 8);
    bytes_[use + 2] = static_cast<u8>(distance);
  }
  label.uses.clear();
}

void CodeWriter::box(std::string_view descriptor) {
  std::string_view wrapper = wrapper_of(descriptor);
  if (wrapper.empty()) return;
  invoke(opcode::invokestatic, wrapper, "valueOf", fmt::format("({})L{};", descriptor[0], wrapper));
}

void CodeWriter::unbox(std::string_view descriptor) {
  static constexpr const char* names[] = {"booleanValue", "charValue",  "floatValue", "doubleValue",
                                          "byteValue",    "shortValue", "intValue",   "longValue"};
  std::string_view wrapper = wrapper_of(descriptor);
  if (wrapper.empty()) return;
  BasicType type = basic_type_of_descriptor(descriptor[0]);
  type_op(opcode::checkcast, wrapper);
  invoke(opcode::invokevirtual, wrapper, names[static_cast<u32>(type) - static_cast<u32>(BasicType::Boolean)],
         fmt::format("(){}", descriptor[0]));
}

void CodeWriter::widen(BasicType from, BasicType to) {
  bool from_int = from != BasicType::Long && from != BasicType::Float && from != BasicType::Double;
  switch (to) {
    case BasicType::Long:
      if (from_int) op(opcode::i2l);
      break;
    case BasicType::Float:
      if (from_int) op(opcode::i2f);
      else if (from == BasicType::Long) op(opcode::l2f);
      break;
    case BasicType::Double:
      if (from_int) op(opcode::i2d);
      else if (from == BasicType::Long) op(opcode::l2d);
      else if (from == BasicType::Float) op(opcode::f2d);
      break;
    default: break;
  }
}

void CodeWriter::end() {
  std::vector<u8>& out = owner_.methods_;
  u16 attribute = owner_.utf8("Code");
  append_half(out, access_flags_);
  append_half(out, name_index_);
  append_half(out, descriptor_index_);
  append_half(out, 1);
  append_half(out, attribute);
  append_word(out, static_cast<u32>(bytes_.size()) + 12);
  append_half(out, static_cast<u32>(max_depth_));
  append_half(out, max_locals_);
  append_word(out, static_cast<u32>(bytes_.size()));
  append(out, bytes_);
  append_half(out, 0);  // exception table
  append_half(out, 0);  // attributes of Code
  ++owner_.method_count_;
}

}  // namespace keyhole::indy
