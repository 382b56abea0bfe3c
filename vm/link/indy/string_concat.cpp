// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native that concatenates, and the linking of its sites.
#include "vm/link/indy/string_concat.h"

#include <charconv>
#include <cstring>
#include <unordered_map>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/no_safepoint.h"
#include "vm/link/well_known.h"

namespace keyhole::indy {

namespace {

constexpr u32 boxed_long_value_offset = layout::only_field_offset(BasicType::Long);

struct Text {  // a String argument's characters
  const u8* bytes;
  u32 length;  // in characters
  bool is_latin1;
};

Text text_of(Object* string) TOUCHES_OBJECTS {
  if (string == nullptr) return {reinterpret_cast<const u8*>("null"), 4, true};
  Object* value = string->get_reference(well_known::String_value);
  bool is_latin1 = string->get<u8>(well_known::String_coder) == 0;
  u32 bytes = static_cast<u32>(value->length());
  return {value->elements<u8>(), is_latin1 ? bytes : bytes / 2, is_latin1};
}

u32 decimal_length(i64 value) {
  u32 length = value < 0 ? 2 : 1;
  u64 magnitude = value < 0 ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value);
  for (; magnitude >= 10'000; magnitude /= 10'000) length += 4;
  return length + (magnitude >= 10 ? 1 : 0) + (magnitude >= 100 ? 1 : 0) + (magnitude >= 1000 ? 1 : 0);
}

// Appends characters to the result's bytes, in either coding.
class Writer {
 public:
  Writer(u8* bytes, bool latin1) : next_(bytes), latin1_(latin1) {}
  void character(u16 c) {
    *next_++ = static_cast<u8>(c);
    if (!latin1_) *next_++ = static_cast<u8>(c >> 8);
  }
  void latin1(const u8* bytes, u32 length) {
    if (latin1_) {
      copy(bytes, length);
      next_ += length;
    } else {
      for (u32 i = 0; i < length; ++i) character(bytes[i]);
    }
  }
  void utf16(const u8* bytes, u32 length) {  // only when the result is UTF-16
    std::memcpy(next_, bytes, usize{length} * 2);
    next_ += usize{length} * 2;
  }
  void literal(const ConcatRecipe::Piece& piece) {
    const std::string& bytes = piece.latin1_literal;
    if (latin1_) return latin1(reinterpret_cast<const u8*>(bytes.data()), static_cast<u32>(bytes.size()));
    for (char16_t c : piece.literal) character(c);
  }
  void text(const Text& text) { text.is_latin1 ? latin1(text.bytes, text.length) : utf16(text.bytes, text.length); }

 private:
  // Copies characters. Most pieces are short: those are copied as two words that may overlap.
  void copy(const u8* bytes, u32 length) {
    if (length < 8 || length > 16) {
      std::memcpy(next_, bytes, length);
      return;
    }
    u64 first, last;
    std::memcpy(&first, bytes, 8);
    std::memcpy(&last, bytes + length - 8, 8);
    std::memcpy(next_, &first, 8);
    std::memcpy(next_ + length - 8, &last, 8);
  }

  u8* next_;
  bool latin1_;
};

// Writes the characters of all pieces into the byte array.
void write_pieces(const ConcatRecipe& recipe, const Slot* arguments, Writer writer) TOUCHES_OBJECTS {
  NoSafepoint no_safepoint;
  for (const ConcatRecipe::Piece& piece : recipe.pieces) {
    switch (piece.type) {
      case BasicType::Illegal: writer.literal(piece); break;
      case BasicType::Reference: writer.text(text_of(object_of(arguments[piece.slot]))); break;
      case BasicType::Char: writer.character(static_cast<u16>(arguments[piece.slot])); break;
      case BasicType::Boolean:
        if ((arguments[piece.slot] & 1) != 0) writer.latin1(reinterpret_cast<const u8*>("true"), 4);
        else writer.latin1(reinterpret_cast<const u8*>("false"), 5);
        break;
      default: {
        char digits[24];
        i64 number = piece.type == BasicType::Long ? static_cast<i64>(arguments[piece.slot])
                                                   : static_cast<i32>(arguments[piece.slot]);
        char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        writer.latin1(reinterpret_cast<const u8*>(digits), static_cast<u32>(end - digits));
        break;
      }
    }
  }
}

u64 concat(JavaThread* thread, Slot* arguments, u32 argument_slots) MAY_SAFEPOINT {
  const Object* appendix = object_of(arguments[argument_slots - 1]);
  const ConcatRecipe& recipe = *appendix->get<const ConcatRecipe*>(boxed_long_value_offset);
  u64 length = 0;
  bool latin1 = true;
  for (const ConcatRecipe::Piece& piece : recipe.pieces) {
    switch (piece.type) {
      case BasicType::Illegal:
        length += piece.literal.size();
        latin1 &= piece.literal_is_latin1;
        break;
      case BasicType::Reference: {
        Text text = text_of(object_of(arguments[piece.slot]));
        length += text.length;
        latin1 &= text.is_latin1;
        break;
      }
      case BasicType::Char:
        length += 1;
        latin1 &= (arguments[piece.slot] & 0xFF00) == 0;
        break;
      case BasicType::Boolean: length += (arguments[piece.slot] & 1) != 0 ? 4 : 5; break;
      case BasicType::Long: length += decimal_length(static_cast<i64>(arguments[piece.slot])); break;
      default: length += decimal_length(static_cast<i32>(arguments[piece.slot])); break;
    }
  }
  u64 bytes = latin1 ? length : length * 2;
  if (bytes > 0x7FFF'FFFF) {
    throw_out_of_memory(thread, "Overflow: String length out of range");
    return 0;
  }

  Object* value = heap::allocate_array(thread, primitive_array_klass(BasicType::Byte), static_cast<i32>(bytes));
  if (value == nullptr) {
    throw_out_of_memory(thread, "Java heap space");
    return 0;
  }
  HandleScope scope(thread);
  Handle rooted = scope.make(value);
  write_pieces(recipe, arguments, Writer(value->elements<u8>(), latin1));
  Object* string = heap::allocate_instance(thread, well_known::String_class);
  if (string == nullptr) {
    throw_out_of_memory(thread, "Java heap space");
    return 0;
  }
  barrier::store(string, well_known::String_value, rooted.get());
  string->set<u8>(well_known::String_coder, latin1 ? 0 : 1);
  return slot_of(string);
}

u64 concat_native(JavaThread* thread, Slot* arguments) MAY_SAFEPOINT {
  return concat(thread, arguments, thread->top_frame->method->argument_slots);
}

// The native for a fixed number of argument slots. Most sites have few arguments, so the constant speeds them up.
template <u32 slots> u64 concat_slots(JavaThread* thread, Slot* arguments) MAY_SAFEPOINT {
  return concat(thread, arguments, slots);
}
constexpr NativeFunction by_slots[] = {
    nullptr,          concat_slots<1>,  concat_slots<2>,  concat_slots<3>, concat_slots<4>,
    concat_slots<5>,  concat_slots<6>,  concat_slots<7>,  concat_slots<8>, concat_slots<9>,
    concat_slots<10>, concat_slots<11>, concat_slots<12>,
};

bool is_string(std::string_view descriptor) { return descriptor == "Ljava/lang/String;"; }
// The type by which the native takes an argument.
std::string_view passed_as(std::string_view descriptor) {
  switch (descriptor[0]) {
    case 'L':
    case '[':
    case 'F':
    case 'D': return "Ljava/lang/String;";
    default: return descriptor;
  }
}

Mutex shapes_mutex{LockRank::concatenations};
std::unordered_map<std::string, Method*>& shapes() REQUIRES(shapes_mutex) {
  static std::unordered_map<std::string, Method*> table;
  return table;
}

}  // namespace

std::u16string utf16_of(std::string_view text) {
  std::u16string units;
  for (usize i = 0; i < text.size();) {
    u32 c = static_cast<u8>(text[i]);
    auto continuation = [&](usize at) { return at < text.size() ? static_cast<u8>(text[at]) & 0x3Fu : 0; };
    if (c < 0x80) {
      units.push_back(static_cast<char16_t>(c));
      i += 1;
    } else if (c < 0xE0) {
      units.push_back(static_cast<char16_t>((c & 0x1F) << 6 | continuation(i + 1)));
      i += 2;
    } else {
      units.push_back(static_cast<char16_t>((c & 0x0F) << 12 | continuation(i + 1) << 6 | continuation(i + 2)));
      i += 3;
    }
  }
  return units;
}

std::string add_concat_native(ClassWriter& writer, const std::vector<std::string>& arguments) {
  std::vector<std::string> passed;
  for (const std::string& argument : arguments) passed.emplace_back(passed_as(argument));
  passed.emplace_back("Ljava/lang/Object;");
  std::string descriptor = descriptor_of(passed, "Ljava/lang/String;");
  writer.native_method(access::Static, "concat", descriptor);
  return descriptor;
}

void convert_for_concat(CodeWriter& code, std::string_view argument) {
  if (passed_as(argument) == argument) return;
  std::string_view type =
      basic_type_of_descriptor(argument[0]) == BasicType::Reference ? std::string_view("Ljava/lang/Object;") : argument;
  code.invoke(opcode::invokestatic, "java/lang/String", "valueOf", fmt::format("({})Ljava/lang/String;", type));
}

Method* bind_concat_native(InstanceKlass* klass) {
  Method* native = method_named(klass, "concat");
  u32 slots = native->argument_slots;
  native->native.store(slots < std::size(by_slots) ? by_slots[slots] : concat_native, std::memory_order_release);
  return native;
}

Object* make_concat_recipe(JavaThread* thread, const InstanceKlass* caller, const std::vector<std::string>& arguments,
                           const std::vector<ConcatText>& parts) {
  auto* recipe = new ConcatRecipe;
  usize argument = 0;
  u32 slot = 0;
  std::u16string literal;
  auto flush = [&] {
    if (literal.empty()) return;
    bool latin1 = true;
    for (char16_t c : literal) latin1 &= c < 0x100;
    std::string bytes = latin1 ? std::string(literal.begin(), literal.end()) : std::string();
    recipe->pieces.push_back({BasicType::Illegal, 0, literal, latin1, bytes});
    literal.clear();
  };
  for (const ConcatText& part : parts) {
    if (!part.is_argument) {
      literal += part.text;
      continue;
    }
    flush();
    BasicType type = basic_type_of_descriptor(passed_as(arguments[argument++])[0]);
    slot += slot_count(type);
    recipe->pieces.push_back({type, static_cast<u16>(slot - 1), {}, true, {}});
  }
  flush();
  {
    MutexLock guard(caller->loader->mutex);
    caller->unit->adopt(recipe, [](void* thing) { delete static_cast<ConcatRecipe*>(thing); });
  }
  return box_long(thread, static_cast<i64>(reinterpret_cast<uptr>(recipe)));
}

namespace {

// Returns the target method, which all sites with arguments of these types share.
Method* concat_target(JavaThread* thread, std::vector<std::string> arguments) MAY_SAFEPOINT {
  bool converts = false;
  for (std::string& argument : arguments) {
    if (basic_type_of_descriptor(argument[0]) == BasicType::Reference && !is_string(argument))
      argument = "Ljava/lang/Object;";
    converts |= passed_as(argument) != argument;
  }
  std::string key = descriptor_of(arguments, "");
  {
    MutexLock guard(shapes_mutex);
    if (auto found = shapes().find(key); found != shapes().end()) return found->second;
  }
  static constexpr std::string_view name = "java/lang/invoke/StringConcat";
  ClassWriter writer(access::Final | access::Super | access::Synthetic, name, "java/lang/Object");
  std::string native_descriptor = add_concat_native(writer, arguments);
  if (converts) {
    std::vector<std::string> parameters = arguments;
    parameters.emplace_back("Ljava/lang/Object;");
    CodeWriter code = writer.method(access::Static, "convert", descriptor_of(parameters, "Ljava/lang/String;"));
    u32 local = 0;
    for (const std::string& argument : arguments) {
      BasicType type = basic_type_of_descriptor(argument[0]);
      code.load(type, local);
      local += slot_count(type);
      convert_for_concat(code, argument);
    }
    code.load(BasicType::Reference, local);
    code.invoke(opcode::invokestatic, name, "concat", native_descriptor);
    code.return_value(BasicType::Reference);
    code.end();
  }
  InstanceKlass* klass = define_generated(thread, writer, nullptr);
  if (klass == nullptr) return nullptr;
  Method* native = bind_concat_native(klass);
  Method* target = converts ? method_named(klass, "convert") : native;
  MutexLock guard(shapes_mutex);
  return shapes().try_emplace(key, target).first->second;
}

}  // namespace

bool link_concat(JavaThread* thread, const InstanceKlass* caller, std::string_view descriptor,
                 const std::vector<ConcatText>& parts, CallSiteLink& link) {
  std::vector<std::string> arguments = parameters_of(descriptor);
  link.target = concat_target(thread, arguments);
  if (link.target == nullptr) return false;
  link.appendix = make_concat_recipe(thread, caller, arguments, parts);
  return link.appendix != nullptr;
}

bool link_string_concat(JavaThread* thread, Method* method, u32 constant_index, bool with_constants, CallSiteLink& link,
                        bool& handled) {
  ConstantPool* constants = method->constants;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  std::string_view descriptor = constants->ref_descriptor(constant_index)->text();
  usize argument_count = parameters_of(descriptor).size();
  std::vector<ConcatText> parts;
  handled = false;
  if (!with_constants) {
    for (usize i = 0; i < argument_count; ++i) parts.push_back({{}, true});
  } else {
    if (bootstrap[1] < 1 || constants->tag(bootstrap[2]) != ConstantTag::String) return true;
    std::u16string recipe = utf16_of(constants->string_text(bootstrap[2])->text());
    u32 next_constant = 3, constants_end = bootstrap[1] + 2;
    usize arguments = 0;
    for (char16_t c : recipe) {
      if (c == 1) {
        parts.push_back({{}, true});
        ++arguments;
      } else if (c == 2) {
        // A constant of another kind, or too few constants: StringConcatFactory's Java code links the site or throws.
        if (next_constant >= constants_end || constants->tag(bootstrap[next_constant]) != ConstantTag::String)
          return true;
        parts.push_back({utf16_of(constants->string_text(bootstrap[next_constant++])->text()), false});
      } else {
        parts.push_back({std::u16string(1, c), false});
      }
    }
    if (arguments != argument_count || next_constant != constants_end) return true;
  }
  handled = true;
  return link_concat(thread, constants->holder, descriptor, parts, link);
}

}  // namespace keyhole::indy
