// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses fields and methods (JVMS 4.5, 4.6): headers, flags, and attributes other than Code.
#include <algorithm>
#include <vector>

#include "vm/classfile/annotations.h"
#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole::classfile {
namespace {

constexpr u32 field_flags = access::Public | access::Private | access::Protected | access::Static | access::Final |
                            access::Volatile | access::Transient | access::Synthetic | access::Enum;
constexpr u32 method_flags = access::Public | access::Private | access::Protected | access::Static | access::Final |
                             access::Synchronized | access::Bridge | access::Varargs | access::Native |
                             access::Abstract | access::Strict | access::Synthetic;
constexpr u32 largest_argument_slots = 255;
constexpr RawAttribute<Field> annotations_of_fields[] = {
    {"RuntimeVisibleAnnotations", &Field::annotations, &Field::annotations_length},
    {"RuntimeInvisibleAnnotations", nullptr, nullptr},
    {"RuntimeVisibleTypeAnnotations", &Field::type_annotations, &Field::type_annotations_length},
    {"RuntimeInvisibleTypeAnnotations", nullptr, nullptr}};
constexpr RawAttribute<Method> annotations_of_methods[] = {
    {"RuntimeVisibleAnnotations", &Method::annotations, &Method::annotations_length},
    {"RuntimeInvisibleAnnotations", nullptr, nullptr},
    {"RuntimeVisibleParameterAnnotations", &Method::parameter_annotations, &Method::parameter_annotations_length},
    {"RuntimeInvisibleParameterAnnotations", nullptr, nullptr},
    {"AnnotationDefault", &Method::annotation_default, &Method::annotation_default_length},
    {"RuntimeVisibleTypeAnnotations", &Method::type_annotations, &Method::type_annotations_length},
    {"RuntimeInvisibleTypeAnnotations", nullptr, nullptr}};

// Returns whether at most one of public, private and protected is set.
bool has_one_visibility(u32 flags) {
  u32 visibility = flags & (access::Public | access::Private | access::Protected);
  return (visibility & (visibility - 1)) == 0;
}

}  // namespace

bool Parser::is_module(u32 flags) {
  if ((flags & access::Module) == 0 || klass_.major_version < 53) return false;
  fail_with(ClassFileError::Kind::NoClassDefFound,
            fmt::format("{} is not a class because access_flag ACC_MODULE is set", shown_name_));
  return true;
}

void Parser::check_class_flags(u32 flags) {
  if (options_.trusted) return;
  bool is_interface = flags & access::Interface, is_abstract = flags & access::Abstract,
       is_final = flags & access::Final;
  bool is_annotation = flags & access::Annotation;
  bool bad = (is_abstract && is_final) || (is_interface && !is_abstract) ||
             (is_interface && klass_.major_version >= 49 && (flags & (access::Super | access::Enum)) != 0) ||
             (!is_interface && klass_.major_version >= 49 && is_annotation);
  if (bad) fail_text("Illegal class modifiers in class {}: 0x{:X}", shown_name_, flags);
}

void Parser::check_field_flags(u32 flags) {
  if (options_.trusted) return;
  constexpr u32 constant = access::Public | access::Static | access::Final;
  bool bad;
  if (klass_.is_interface()) {
    bad = (flags & constant) != constant ||
          (flags & (access::Private | access::Protected | access::Volatile | access::Transient)) != 0 ||
          (klass_.major_version >= 49 && (flags & access::Enum) != 0);
  } else {
    bad = !has_one_visibility(flags) || ((flags & access::Final) != 0 && (flags & access::Volatile) != 0);
  }
  if (bad) fail_text("Illegal field modifiers in class {}: 0x{:X}", shown_name_, flags);
}

// Checks a method's flags. `written` has the flags in the file, which the message shows.
void Parser::check_method_flags(const Method& method, u32 written) {
  if (options_.trusted) return;
  u32 flags = method.access_flags;
  bool is_abstract = method.is_abstract(), is_static = method.is_static(), is_initializer = method.is_initializer();
  u16 major = klass_.major_version;
  bool bad = false;
  constexpr u16 generics = 49, default_methods = 52, strict_everywhere = 61;
  bool is_strict = (flags & access::Strict) != 0 && major < strict_everywhere;
  if (klass_.is_interface()) {
    u32 visibility = flags & (access::Public | access::Private);
    u32 forbidden = access::Final | access::Native;
    if (major >= default_methods) {
      forbidden |= access::Protected | access::Synchronized;
      bad = visibility == 0 || visibility == (access::Public | access::Private) ||
            (is_abstract && ((flags & (access::Private | access::Static)) != 0 || is_strict));
    } else {
      forbidden |= access::Static;
      if (major >= generics) forbidden |= access::Private | access::Protected | access::Synchronized | access::Strict;
      bad = !is_abstract || (flags & access::Public) == 0;
    }
    bad = bad || (flags & forbidden) != 0;
  } else {
    bad = !has_one_visibility(flags);
    if (is_initializer) {
      u32 forbidden = access::Static | access::Final | access::Synchronized | access::Native | access::Abstract;
      if (major >= generics) forbidden |= access::Bridge;
      bad = bad || (flags & forbidden) != 0;
    } else if (is_abstract) {
      bad = bad || (flags & (access::Final | access::Native | access::Private)) != 0 || is_static ||
            (major >= generics && ((flags & access::Synchronized) != 0 || is_strict));
    }
  }
  if (bad) {
    fail_text("Method {} in class {} has illegal modifiers: 0x{:X}", method.name->text(), shown_name_, written);
  }
}

// Bounds the number of members for which memory is reserved: a member has at least eight bytes, and the file's rest is
// known.
usize Parser::possible_members(u16 count) const { return std::min<usize>(count, reader_.left() / 8 + 1); }

void Parser::parse_fields() {
  u16 count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  klass_.fields = array<Field>(possible_members(count));
  for (u16 i = 0; i < count && !failed(); ++i) {
    klass_.fields[i].field_index = i;
    parse_field(klass_.fields[i]);
  }
  if (!failed()) klass_.field_count = count;
}

void Parser::parse_field(Field& field) {
  u32 flags = reader_.u2() & field_flags;
  u16 name_index = reader_.u2(), descriptor_index = reader_.u2(), attribute_count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  field.access_flags = flags;
  check_field_flags(flags);
  if (failed()) return;
  if (!is_utf8(name_index)) return fail("Invalid constant pool index {} for field name", name_index);
  field.name = pool().utf8(name_index);
  if (!options_.trusted) check_field_name(field.name->text());
  if (failed()) return;
  if (!is_utf8(descriptor_index)) return fail("Invalid constant pool index {} for field signature", descriptor_index);
  field.descriptor = pool().utf8(descriptor_index);
  std::string_view descriptor = field.descriptor->text();
  if (!options_.trusted) check_field_descriptor(field.name->text(), descriptor);
  if (failed()) return;
  if (descriptor.empty() || basic_type_of_descriptor(descriptor[0]) == BasicType::Illegal || descriptor[0] == 'V')
    return refuse_signature("Field", field.name->text(), descriptor);
  field.type = basic_type_of_descriptor(descriptor[0]);

  constexpr const char* where = " for field";
  u32 annotations_seen = 0;
  bool has_signature = false, is_generic = klass_.major_version >= 49;
  for (u16 i = 0; i < attribute_count; ++i) {
    Attribute attribute;
    if (!next_attribute(reader_, "Invalid field attribute index {}", attribute)) return;
    if (attribute.name == "ConstantValue" && field.is_static()) {
      if (field.constant_value_index != 0) return fail("Duplicate ConstantValue attribute");
      parse_constant_value(field, attribute);
    } else if (is_marker(attribute, "field")) {
      if (attribute.name == "Synthetic") field.access_flags |= access::Synthetic;
    } else if (attribute.name == "Signature" && is_generic) {
      if (!once(has_signature, "Signature", where)) return;
      if (attribute.length != 2) return fail("Wrong size {} for field's Signature attribute", attribute.length);
      field.generic_signature = parse_signature(attribute);
    } else if (is_generic) {
      keep_raw(attribute, field, annotations_of_fields, annotations_seen, where);
    }
    if (!failed() && attribute.is_cut()) fail_truncated();
    if (failed()) return;
  }
}

// Parses the Signature attribute of a field or method, which is two bytes long.
const Symbol* Parser::parse_signature(const Attribute& attribute) {
  if (attribute.is_cut()) {
    fail_truncated();
    return nullptr;
  }
  u16 index = read_u16(attribute.content);
  if (!is_utf8(index)) {
    fail("Invalid Signature attribute at constant pool index {}", index);
    return nullptr;
  }
  return pool().utf8(index);
}

void Parser::parse_constant_value(Field& field, const Attribute& attribute) {
  if (attribute.length != 2) return fail("Invalid ConstantValue field attribute length {}", attribute.length);
  if (attribute.is_cut()) return fail_truncated();
  u16 index = read_u16(attribute.content);
  if (index == 0 || index >= pool().count) return fail("Bad initial value index {} in ConstantValue attribute", index);
  ConstantTag wanted;
  switch (field.type) {
    case BasicType::Long: wanted = ConstantTag::Long; break;
    case BasicType::Float: wanted = ConstantTag::Float; break;
    case BasicType::Double: wanted = ConstantTag::Double; break;
    case BasicType::Reference: wanted = ConstantTag::String; break;
    default: wanted = ConstantTag::Integer;
  }
  bool is_right = pool().tag(index) == wanted;
  if (field.type == BasicType::Reference) {
    std::string_view type = field.descriptor->text();
    if (type.starts_with('[')) return fail("Unable to set initial value {}", index);
    if (!is_right || type != "Ljava/lang/String;") return fail("Bad string initial value");
  }
  if (!is_right) return fail("Inconsistent constant value type");
  field.constant_value_index = index;
}

void Parser::parse_methods() {
  u16 count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  klass_.methods = array<Method*>(possible_members(count));
  Method* methods = array<Method>(possible_members(count));
  for (u16 i = 0; i < count && !failed(); ++i) {
    klass_.methods[i] = &methods[i];
    methods[i].method_index = i;
    parse_method(methods[i]);
  }
  if (!failed()) klass_.method_count = count;
}

void Parser::parse_method(Method& method) {
  u32 written_flags = reader_.u2(), flags = written_flags & method_flags;
  u16 name_index = reader_.u2(), descriptor_index = reader_.u2(), attribute_count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  method.constants = klass_.constants;
  method.vtable_index = -1;
  method.itable_index = -1;
  if (!is_utf8(name_index)) return fail("Illegal constant pool index {} for method name", name_index);
  method.name = pool().utf8(name_index);
  std::string_view name = method.name->text();
  if (!options_.trusted) check_method_name(name);
  if (failed()) return;
  if (!is_utf8(descriptor_index)) return fail("Illegal constant pool index {} for method signature", descriptor_index);
  method.descriptor = pool().utf8(descriptor_index);
  // A class initialiser is identified by its name; of its flags only "static" counts (JVMS 2.9.2).
  if (method.is_class_initializer()) {
    if (klass_.major_version < 51) flags = access::Static;
    flags &= access::Static | (klass_.major_version < 61 ? access::Strict : 0);
    if ((flags & access::Static) == 0) return fail_text("Method <clinit> is not static in class file {}", shown_name_);
  }
  method.access_flags = flags;
  if (!method.is_class_initializer()) check_method_flags(method, written_flags);
  if (!failed() && method.is_initializer() && klass_.is_interface() && !options_.trusted)
    fail_text("Interface cannot have a method named <init>, class file {}", shown_name_);
  if (failed()) return;
  MethodShape shape = check_method_descriptor(name, method.descriptor->text());
  if (failed()) return;
  if (method.is_class_initializer() && method.descriptor == names::void_no_arguments)
    klass_.class_initializer = &method;
  u32 slots = shape.argument_slots + (method.is_static() ? 0 : 1);
  if (slots > largest_argument_slots) return fail("Too many arguments in method signature");
  method.argument_slots = static_cast<u16>(slots);
  method.argument_count = static_cast<u8>(shape.argument_count);
  method.return_type = shape.return_type;
  // set here for native and abstract methods; for other methods the Code attribute sets it
  method.max_locals = method.argument_slots;
  parse_method_attributes(method, attribute_count);
  if (failed()) return;
  if (options_.trusted) find_method_hints(method);
  if (name == "finalize" && method.descriptor == names::void_no_arguments && !method.is_static() &&
      method.code != nullptr && method.code_length > 1 && klass_.name != names::java_lang_Object) {
    klass_.has_finalizer = true;  // except for a body of one byte, which is empty
  }
  if (klass_.is_interface() && !method.is_static() && !method.is_abstract()) klass_.has_default_methods = true;
}

void Parser::parse_method_attributes(Method& method, u16 count) {
  constexpr const char* where = " for method";
  u32 annotations_seen = 0;
  bool has_code = false, has_exceptions = false, has_signature = false, has_parameters = false;
  bool is_generic = klass_.major_version >= 49;
  for (u16 i = 0; i < count; ++i) {
    Attribute attribute;
    if (!next_attribute(reader_, "Invalid method attribute name index {}", attribute)) return;
    if (attribute.name == "Code") {
      if (method.is_native() || method.is_abstract()) return fail("Code attribute in native or abstract methods");
      if (!once(has_code, "Code")) return;
      parse_code(method, attribute);
    } else if (attribute.name == "Exceptions") {
      if (once(has_exceptions, "Exceptions")) parse_exceptions(method, attribute);
    } else if (attribute.name == "MethodParameters") {
      if (!once(has_parameters, "MethodParameters")) return;
      ByteReader rest = attribute.rest();
      if (attribute.length != 1 + u32{rest.u1()} * 4) {
        return fail_text("Invalid MethodParameters method attribute length {} in class file", attribute.length);
      }
      method.parameters = attribute.content;
      method.parameters_length = attribute.length;
    } else if (is_marker(attribute, "method")) {
      if (attribute.name == "Synthetic") method.access_flags |= access::Synthetic;
    } else if (attribute.name == "Signature" && is_generic) {
      if (!once(has_signature, "Signature", where)) return;
      if (attribute.length != 2) return fail("Invalid Signature attribute length {}", attribute.length);
      method.generic_signature = parse_signature(attribute);
    } else if (is_generic) {
      keep_raw(attribute, method, annotations_of_methods, annotations_seen, where);
    }
    if (!failed() && attribute.is_cut()) fail_truncated();
    if (failed()) return;
  }
  if (!has_code && !method.is_native() && !method.is_abstract())
    fail("Absent Code attribute in method that is not native or abstract");
}

void Parser::parse_exceptions(Method& method, const Attribute& attribute) {
  ByteReader rest = attribute.rest();
  u16 count = rest.u2();
  const u8* raw = rest.take(usize{count} * 2);
  if (rest.overrun()) return fail_truncated();
  u16* exceptions = array<u16>(count);
  for (u16 i = 0; i < count; ++i) {
    exceptions[i] = read_u16(raw + 2 * i);
    if (!is_class(exceptions[i])) return fail("Exception name has bad type at constant pool {}", exceptions[i]);
  }
  if (!check_length(attribute, rest, "Exceptions attribute has wrong length")) return;
  method.checked_exceptions = exceptions;
  method.checked_exception_count = count;
}

// Finds annotations of java.base's methods that matter to the VM.
void Parser::find_method_hints(Method& method) {
  if (method.annotations != nullptr) {
    for_each_annotation(pool(), {method.annotations, method.annotations_length}, [&](std::string_view type) {
      if (type == "Ljdk/internal/reflect/CallerSensitive;") method.caller_sensitive = true;
      else if (type == "Ljdk/internal/vm/annotation/Hidden;" || type == "Ljava/lang/invoke/LambdaForm$Hidden;")
        method.hidden_frame = true;
      else if (type == "Ljdk/internal/vm/annotation/ForceInline;") method.force_inline = true;
      else if (type == "Ljdk/internal/vm/annotation/DontInline;") method.dont_inline = true;
      else if (type == "Ljdk/internal/vm/annotation/IntrinsicCandidate;") method.intrinsic_candidate = true;
    });
  }
  // Signature-polymorphic methods are defined by their shape (JVMS 2.9.3), not by their annotation.
  if (method.is_native() && (method.access_flags & access::Varargs) != 0 &&
      method.descriptor->text().starts_with("([Ljava/lang/Object;)") &&
      (klass_.name->text() == "java/lang/invoke/MethodHandle" || klass_.name->text() == "java/lang/invoke/VarHandle")) {
    method.polymorphic_signature = true;
  }
}

void Parser::check_duplicate_members() {
  using Key = std::pair<const Symbol*, const Symbol*>;
  std::vector<Key> keys;
  auto duplicate = [&keys]() -> const Key* {
    std::sort(keys.begin(), keys.end());
    auto found = std::adjacent_find(keys.begin(), keys.end());
    return found == keys.end() ? nullptr : &*found;
  };
  for (u16 i = 0; i < klass_.field_count; ++i) keys.emplace_back(klass_.fields[i].name, klass_.fields[i].descriptor);
  if (const Key* key = duplicate()) {
    return fail("Duplicate field name \"{}\" with signature \"{}\"", key->first->text(), key->second->text());
  }
  keys.clear();
  for (u16 i = 0; i < klass_.method_count; ++i)
    keys.emplace_back(klass_.methods[i]->name, klass_.methods[i]->descriptor);
  if (const Key* key = duplicate()) {
    fail("Duplicate method name \"{}\" with signature \"{}\"", key->first->text(), key->second->text());
  }
}

}  // namespace keyhole::classfile
