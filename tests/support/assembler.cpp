// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles in one pass over the lines. Branches, handlers and frames are filled in when all labels are known.
#include "tests/support/assembler.h"

#include <cstdlib>

#include "runtime/base/check.h"

namespace keyhole::testing {
namespace {

// Splits a line into the words between blanks. A string in quotes is one word, with its quotes. With `brackets`, a
// bracket is a word of its own, even if it touches another word.
std::vector<std::string> words_of(std::string_view text, bool brackets) {
  std::vector<std::string> words;
  usize at = 0;
  while (at < text.size()) {
    char c = text[at];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    if (c == ';') break;
    usize end = at;
    if (c == '"') {
      end = text.find('"', at + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
    } else if (brackets && (c == '{' || c == '}')) {
      end = at + 1;
    } else {
      while (end < text.size() && text[end] != ' ' && text[end] != '\t' &&
             !(brackets && (text[end] == '{' || text[end] == '}')))
        ++end;
    }
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

i64 integer(const std::string& word) { return std::strtoll(word.c_str(), nullptr, 0); }

int opcode_named(std::string_view mnemonic) {
  for (u32 opcode = 0; opcode < bytecode::opcode_count; ++opcode)
    if (bytecode::row(static_cast<u8>(opcode)).mnemonic == mnemonic) return static_cast<int>(opcode);
  return -1;
}

}  // namespace

void Assembler::fail(const char* why) const { KEYHOLE_FATAL("cannot assemble \"{}\": {}", current_, why); }

u32 Assembler::place(const std::string& label) const {
  if (label == "end") return code_.size();
  auto found = labels_.find(label);
  if (found == labels_.end()) KEYHOLE_FATAL("no label {} in {}", label, builder_.name());
  return found->second;
}

void Assembler::run(std::string_view text) {
  for (usize at = 0; at < text.size();) {
    usize end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    line(text.substr(at, end - at));
    at = end + 1;
  }
  for (auto& action : at_end_) action();
  body_.code = code_.bytes();

  // Writes the frames by position, each as a full_frame (JVMS 4.7.4) with its distance from the frame before.
  ByteWriter out;
  i64 previous = -1;
  auto put_types = [&](const Words& types) {
    out.put2(static_cast<u32>(types.size()));
    for (const std::string& type : types) {
      static const char* const simple[] = {"top", "int", "float", "double", "long", "null", "this"};
      u32 tag = 0;
      while (tag < 7 && type != simple[tag]) ++tag;
      if (type.starts_with("new:")) {
        out.put1(8);
        out.put2(place(type.substr(4)));
      } else if (tag < 7) {
        out.put1(tag);
      } else {
        out.put1(7);
        out.put2(builder_.class_constant(type));
      }
    }
  };
  for (const PendingFrame& frame : frames_) {
    out.put1(255);
    out.put2(static_cast<u32>(frame.bci - (previous < 0 ? 0 : previous + 1)));
    previous = frame.bci;
    put_types(frame.locals);
    put_types(frame.stack);
  }
  body_.stack_map = out.bytes();
  body_.frame_count = static_cast<u16>(frames_.size());
}

void Assembler::line(std::string_view text) {
  current_ = text;
  Words words = words_of(text, text.find(".frame") != std::string_view::npos);
  if (words.empty()) return;
  while (words[0].ends_with(':')) {
    labels_[words[0].substr(0, words[0].size() - 1)] = code_.size();
    words.erase(words.begin());
    if (words.empty()) return;
  }
  if (words[0].starts_with('.')) directive(words);
  else instruction(words);
}

void Assembler::directive(const Words& words) {
  if (words[0] == ".stack") {
    body_.max_stack = static_cast<u16>(integer(words.at(1)));
  } else if (words[0] == ".locals") {
    body_.max_locals = static_cast<u16>(integer(words.at(1)));
  } else if (words[0] == ".byte") {
    for (usize index = 1; index < words.size(); ++index) code_.put1(static_cast<u32>(integer(words[index])));
  } else if (words[0] == ".catch") {
    u16 type = words.at(1) == "any" ? u16{0} : builder_.class_constant(words.at(1));
    at_end_.push_back([this, type, words] {
      body_.handlers.push_back({static_cast<u16>(place(words.at(2))), static_cast<u16>(place(words.at(3))),
                                static_cast<u16>(place(words.at(4))), type});
    });
  } else if (words[0] == ".local") {
    u16 slot = static_cast<u16>(integer(words.at(1)));
    u16 name = builder_.utf8(words.at(2)), descriptor = builder_.utf8(words.at(3));
    at_end_.push_back([this, slot, name, descriptor, words] {
      u32 start = place(words.at(4)), end = place(words.at(5));
      body_.local_variables.push_back({static_cast<u16>(start), static_cast<u16>(end - start), name, descriptor, slot});
    });
  } else if (words[0] == ".frame") {
    frame(words);
  } else {
    fail("unknown directive");
  }
}

void Assembler::frame(const Words& words) {
  PendingFrame frame{code_.size(), {}, {}};
  Words* into = nullptr;
  u32 lists = 0;
  for (usize index = 1; index < words.size(); ++index) {
    if (words[index] == "{") into = lists++ == 0 ? &frame.locals : &frame.stack;
    else if (words[index] == "}") into = nullptr;
    else if (into == nullptr) fail("types stand in braces");
    else into->push_back(words[index]);
  }
  frames_.push_back(std::move(frame));
}

void Assembler::branch(u32 from, const std::string& label, u32 bytes) {
  u32 at = code_.size();
  bytes == 2 ? code_.put2(0) : code_.put4(0);
  at_end_.push_back([this, from, label, at, bytes] {
    u32 offset = place(label) - from;
    bytes == 2 ? code_.patch2(at, offset) : code_.patch4(at, offset);
  });
}

void Assembler::instruction(const Words& given) {
  Words words = given;
  bool widened = words[0] == "wide";
  if (widened) words.erase(words.begin());
  if (words.empty()) fail("nothing to widen");
  int found = opcode_named(words[0]);
  if (found < 0) fail("unknown mnemonic");
  u8 opcode = static_cast<u8>(found);
  u32 bci = code_.size();
  auto operand = [&](usize index) -> const std::string& {
    if (index >= words.size()) fail("operand missing");
    return words[index];
  };
  using enum bytecode::OperandFormat;
  switch (bytecode::row(opcode).operands) {
    case none: code_.put1(opcode); break;
    case byte1:
      code_.put1(opcode);
      code_.put1(static_cast<u32>(integer(operand(1))));
      break;
    case short2:
      code_.put1(opcode);
      code_.put2(static_cast<u32>(integer(operand(1))));
      break;
    case local1: {
      u32 local = static_cast<u32>(integer(operand(1)));
      if (widened || local > 255) {
        code_.put1(WIDE);
        code_.put1(opcode);
        code_.put2(local);
      } else {
        code_.put1(opcode);
        code_.put1(local);
      }
      break;
    }
    case increment: {
      u32 local = static_cast<u32>(integer(operand(1)));
      i64 amount = integer(operand(2));
      if (widened || local > 255 || amount < -128 || amount > 127) {
        code_.put1(WIDE);
        code_.put1(opcode);
        code_.put2(local);
        code_.put2(static_cast<u32>(amount));
      } else {
        code_.put1(opcode);
        code_.put1(local);
        code_.put1(static_cast<u32>(amount));
      }
      break;
    }
    case branch2:
      code_.put1(opcode);
      branch(bci, operand(1), 2);
      break;
    case branch4:
      code_.put1(opcode);
      branch(bci, operand(1), 4);
      break;
    case table_switch:
    case lookup_switch: switch_instruction(opcode, words); break;
    case array_type: {
      static const char* const names[] = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};
      u32 type = 0;
      while (type < 8 && operand(1) != names[type]) ++type;
      code_.put1(opcode);
      code_.put1(type < 8 ? type + 4 : static_cast<u32>(integer(operand(1))));
      break;
    }
    case multi_array:
      code_.put1(opcode);
      code_.put2(builder_.class_constant(operand(1)));
      code_.put1(static_cast<u32>(integer(operand(2))));
      break;
    case dynamic_call:
      code_.put1(opcode);
      code_.put2(builder_.constant(ConstantTag::InvokeDynamic, static_cast<u64>(integer(operand(1))) << 16 |
                                                                   builder_.name_and_type(operand(2), operand(3))));
      code_.put2(0);
      break;
    case constant1: load_constant(opcode, words); break;
    case constant2:
      if (opcode == LDC_W || opcode == LDC2_W) load_constant(opcode, words);
      else if (opcode == NEW || opcode == ANEWARRAY || opcode == CHECKCAST || opcode == INSTANCEOF) {
        code_.put1(opcode);
        code_.put2(builder_.class_constant(operand(1)));
      } else member_instruction(opcode, words);
      break;
    case interface_call: member_instruction(opcode, words); break;
    case wide: fail("wide needs an instruction");
  }
}

void Assembler::load_constant(u8 opcode, const Words& words) {
  if (words.size() < 2) fail("operand missing");
  const std::string& word = words[1];
  u16 index = 0;
  if (word == "class") index = builder_.class_constant(words.at(2));
  else if (word == "methodtype") index = builder_.constant(ConstantTag::MethodType, builder_.utf8(words.at(2)));
  else if (word == "dynamic")
    index = builder_.constant(ConstantTag::Dynamic, static_cast<u64>(integer(words.at(2))) << 16 |
                                                        builder_.name_and_type(words.at(3), words.at(4)));
  else if (word == "index") index = static_cast<u16>(integer(words.at(2)));
  else if (word[0] == '"') index = builder_.string_constant(std::string_view(word).substr(1, word.size() - 2));
  else if (opcode == LDC2_W && word.back() == 'L')
    index = builder_.number(ConstantTag::Long, static_cast<u64>(integer(word)));
  else if (opcode == LDC2_W)
    index = builder_.number(ConstantTag::Double, __builtin_bit_cast(u64, std::strtod(word.c_str(), nullptr)));
  else if (word.back() == 'f' && !word.starts_with("0x"))
    index = builder_.number(ConstantTag::Float, __builtin_bit_cast(u32, std::strtof(word.c_str(), nullptr)));
  else index = builder_.number(ConstantTag::Integer, static_cast<u32>(integer(word)));
  code_.put1(opcode);
  if (opcode == LDC) {
    if (index > 255) fail("constant index needs ldc_w");
    code_.put1(index);
  } else {
    code_.put2(index);
  }
}

void Assembler::member_instruction(u8 opcode, const Words& given) {
  Words words = given;
  bool interface = opcode == INVOKEINTERFACE;
  if (words.size() > 1 && words[1] == "interface") {
    interface = true;
    words.erase(words.begin() + 1);
  }
  if (words.size() < 3) fail("operand missing");
  usize dot = words[1].rfind('.');
  if (dot == std::string::npos) fail("Owner.name expected");
  bool field = opcode >= GETSTATIC && opcode <= PUTFIELD;
  ConstantTag tag = field       ? ConstantTag::Fieldref
                    : interface ? ConstantTag::InterfaceMethodref
                                : ConstantTag::Methodref;
  u16 index = builder_.member(tag, std::string_view(words[1]).substr(0, dot),
                              std::string_view(words[1]).substr(dot + 1), words[2]);
  code_.put1(opcode);
  code_.put2(index);
  if (opcode == INVOKEINTERFACE) {
    code_.put1(1 + argument_slots_of(words[2]));
    code_.put1(0);
  }
}

void Assembler::switch_instruction(u8 opcode, const Words& words) {
  u32 bci = code_.size();
  code_.put1(opcode);
  while (code_.size() % 4 != 0) code_.put1(0);
  if (words.size() < 3 || words[words.size() - 2] != "default") fail("default label expected");
  branch(bci, words.back(), 4);
  usize first = opcode == TABLESWITCH ? 2 : 1;
  usize count = words.size() - 2 - first;
  if (opcode == TABLESWITCH) {
    code_.put4(static_cast<u32>(integer(words[1])));
    code_.put4(static_cast<u32>(integer(words[1]) + static_cast<i64>(count) - 1));
  } else {
    code_.put4(static_cast<u32>(count));
  }
  for (usize index = first; index < first + count; ++index) {
    std::string label = words[index];
    if (opcode == LOOKUPSWITCH) {
      usize colon = label.find(':');
      code_.put4(static_cast<u32>(integer(label.substr(0, colon))));
      label = label.substr(colon + 1);
    }
    branch(bci, label, 4);
  }
}

}  // namespace keyhole::testing
