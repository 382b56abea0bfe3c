// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields and methods (JVMS 4.5, 4.6): headers, flags, the attributes that are not Code.
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

// At most one of public, private, protected.
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
             (is_interface && klass_.major_version >= 50 && (flags & (access::Super | access::Enum)) != 0) ||
             (!is_interface && klass_.major_version >= 50 && is_annotation);
  if (bad) fail_text("Illegal class modifiers in class {}: 0x{:X}", shown_name_, flags);
}

void Parser::check_field_flags(u32 flags) {
  if (options_.trusted) return;
  constexpr u32 constant = access::Public | access::Static | access::Final;
  bool bad;
  if (klass_.is_interface()) {
    bad = (flags & constant) != constant ||
          (flags & (access::Private | access::Protected | access::Volatile | access::Transient)) != 0 ||
          (klass_.major_version >= 50 && (flags & access::Enum) != 0);
  } else {
    bad = !has_one_visibility(flags) || ((flags & access::Final) != 0 && (flags & access::Volatile) != 0);
  }
  if (bad) fail_text("Illegal field modifiers in class {}: 0x{:X}", shown_name_, flags);
}

void Parser::check_method_flags(const Method& method) {
  if (options_.trusted) return;
  u32 flags = method.access_flags;
  bool is_abstract = method.is_abstract(), is_static = method.is_static(), is_initializer = method.is_initializer();
  u16 major = klass_.major_version;
  bool bad = false;
  if (klass_.is_interface()) {
    if (major >= 52) {
      u32 visibility = flags & (access::Public | access::Private);
      bad = visibility == 0 || visibility == (access::Public | access::Private) ||
            (flags & (access::Protected | access::Final | access::Synchronized | access::Native)) != 0 ||
            (is_abstract && (flags & (access::Private | access::Static | access::Strict)) != 0);
    } else {
      constexpr u32 forbidden = access::Static | access::Final | access::Synchronized | access::Native |
                                access::Strict | access::Private | access::Protected;
      bad = !is_abstract || (flags & access::Public) == 0 || (flags & forbidden) != 0;
    }
    if (is_initializer) bad = true;
  } else {
    bad = !has_one_visibility(flags);
    if (is_initializer) {
      constexpr u32 forbidden =
          access::Static | access::Final | access::Synchronized | access::Native | access::Abstract | access::Bridge;
      bad = bad || (flags & forbidden) != 0;
    } else if (is_abstract) {
      bad = bad || (flags & (access::Final | access::Native | access::Private)) != 0 || is_static ||
            (major < 60 && (flags & (access::Synchronized | access::Strict)) != 0) ||
            (flags & access::Synchronized) != 0;
    }
  }
  if (bad) {
    fail_text("Method {} in class {} has illegal modifiers: 0x{:X}", method.name->text(), shown_name_, flags);
  }
}

void Parser::parse_fields() {
  u16 count = reader_.u2();
  if (reader_.overrun() || usize{count} * 8 > reader_.left()) return fail_truncated();
  klass_.field_count = count;
  klass_.fields = array<Field>(count);
  for (u16 i = 0; i < count && !failed(); ++i) {
    klass_.fields[i].field_index = i;
    parse_field(klass_.fields[i]);
  }
}

void Parser::parse_field(Field& field) {
  u32 flags = reader_.u2() & field_flags;
  u16 name_index = reader_.u2(), descriptor_index = reader_.u2(), attribute_count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  field.access_flags = flags;
  check_field_flags(flags);
  field.name = symbol_at(name_index);
  field.descriptor = symbol_at(descriptor_index);
  if (failed()) return;
  std::string_view descriptor = field.descriptor->text();
  if (!options_.trusted && !is_field_name(field.name->text())) {
    return fail_text("Illegal field name \"{}\" in class {}", field.name->text(), shown_name_);
  }
  if (descriptor.empty() || (!options_.trusted && !is_field_descriptor(descriptor)) ||
      basic_type_of_descriptor(descriptor[0]) == BasicType::Illegal || descriptor[0] == 'V') {
    return fail_text("Field \"{}\" in class {} has illegal signature \"{}\"", field.name->text(), shown_name_,
                     descriptor);
  }
  field.type = basic_type_of_descriptor(descriptor[0]);

  for (u16 i = 0; i < attribute_count; ++i) {
    std::string_view name;
    ByteReader content;
    if (!next_attribute(reader_, name, content)) return;
    if (name == "ConstantValue") {
      if (field.is_static()) {
        if (field.constant_value_index != 0) return fail("Duplicate ConstantValue attribute");
        parse_constant_value(field, content);
      }
    } else if (name == "Signature") {
      if (content.left() != 2) return fail("Invalid Signature field attribute length {}", content.left());
      field.generic_signature = symbol_at(content.u2());
    } else if (name == "RuntimeVisibleAnnotations") {
      keep_raw(content, field.annotations, field.annotations_length);
    } else if (name == "RuntimeVisibleTypeAnnotations") {
      keep_raw(content, field.type_annotations, field.type_annotations_length);
    } else if (name == "Synthetic") {
      field.access_flags |= access::Synthetic;
    }
    if (failed()) return;
  }
}

void Parser::parse_constant_value(Field& field, ByteReader attribute) {
  if (attribute.left() != 2) return fail("Invalid ConstantValue field attribute length {}", attribute.left());
  u16 index = attribute.u2();
  if (index == 0 || index >= pool().count) return fail("Bad initial value index {} in ConstantValue", index);
  ConstantTag wanted;
  switch (field.type) {
    case BasicType::Long: wanted = ConstantTag::Long; break;
    case BasicType::Float: wanted = ConstantTag::Float; break;
    case BasicType::Double: wanted = ConstantTag::Double; break;
    case BasicType::Reference: wanted = ConstantTag::String; break;
    default: wanted = ConstantTag::Integer;
  }
  if (field.type == BasicType::Reference && field.descriptor->text() != "Ljava/lang/String;")
    return fail("Bad string initial value");
  if (pool().tag(index) != wanted) return fail("Inconsistent constant value type");
  field.constant_value_index = index;
}

void Parser::parse_methods() {
  u16 count = reader_.u2();
  if (reader_.overrun() || usize{count} * 8 > reader_.left()) return fail_truncated();
  klass_.method_count = count;
  klass_.methods = array<Method*>(count);
  Method* methods = array<Method>(count);
  for (u16 i = 0; i < count && !failed(); ++i) {
    klass_.methods[i] = &methods[i];
    methods[i].method_index = i;
    parse_method(methods[i]);
  }
}

void Parser::parse_method(Method& method) {
  u32 flags = reader_.u2() & method_flags;
  u16 name_index = reader_.u2(), descriptor_index = reader_.u2(), attribute_count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  method.constants = klass_.constants;
  method.vtable_index = -1;
  method.itable_index = -1;
  method.name = symbol_at(name_index);
  method.descriptor = symbol_at(descriptor_index);
  if (failed()) return;
  std::string_view name = method.name->text(), descriptor = method.descriptor->text();
  if (!options_.trusted && !is_method_name(name))
    return fail_text("Illegal method name \"{}\" in class {}", name, shown_name_);
  MethodShape shape = shape_of_method_descriptor(descriptor, !options_.trusted);
  if (!shape.legal || (name.starts_with('<') && shape.return_type != BasicType::Void)) {
    return fail_text("Method \"{}\" in class {} has illegal signature \"{}\"", name, shown_name_, descriptor);
  }
  // A class initialiser is identified by name and descriptor; of its flags only "static" counts (JVMS 2.9.2).
  if (method.is_class_initializer()) {
    if (klass_.major_version < 51) flags |= access::Static;
    flags &= access::Static | (klass_.major_version < 60 ? access::Strict : 0);
    bool is_valid = (flags & access::Static) != 0 && method.descriptor == names::void_no_arguments;
    if (!is_valid) {
      if ((flags & access::Static) == 0)
        return fail_text("Method <clinit> is not static in class file {}", shown_name_);
      return fail_text("Method \"{}\" in class {} has illegal signature \"{}\"", name, shown_name_, descriptor);
    }
    klass_.class_initializer = &method;
  }
  method.access_flags = flags;
  if (!method.is_class_initializer()) check_method_flags(method);
  u32 slots = shape.argument_slots + (method.is_static() ? 0 : 1);
  if (slots > largest_argument_slots) return fail("Too many arguments in method signature");
  method.argument_slots = static_cast<u16>(slots);
  method.argument_count = static_cast<u8>(shape.argument_count);
  method.return_type = shape.return_type;
  method.max_locals = method.argument_slots;   // native and abstract methods; else set by Code

  bool has_code = false, has_exceptions = false;
  for (u16 i = 0; i < attribute_count && !failed(); ++i) {
    std::string_view attribute;
    ByteReader content;
    if (!next_attribute(reader_, attribute, content)) return;
    if (attribute == "Code") {
      if (method.is_native() || method.is_abstract()) return fail("Code attribute in native or abstract methods");
      if (has_code) return fail("Multiple Code attributes");
      has_code = true;
      parse_code(method, content);
    } else if (attribute == "Exceptions") {
      if (has_exceptions) return fail("Multiple Exceptions attributes");
      has_exceptions = true;
      u16 count = content.u2();
      const u8* raw = content.take(usize{count} * 2);
      if (!check_whole(content, "Exceptions")) return;
      u16* exceptions = array<u16>(count);
      for (u16 k = 0; k < count; ++k) {
        exceptions[k] = read_u16(raw + 2 * k);
        if (!is_class(exceptions[k])) return fail("Checked exception index {} has bad constant type", exceptions[k]);
      }
      method.checked_exceptions = exceptions;
      method.checked_exception_count = count;
    } else if (attribute == "Signature") {
      if (content.left() != 2) return fail("Invalid Signature attribute length {}", content.left());
      method.generic_signature = symbol_at(content.u2());
    } else if (attribute == "RuntimeVisibleAnnotations") {
      keep_raw(content, method.annotations, method.annotations_length);
    } else if (attribute == "RuntimeVisibleParameterAnnotations") {
      keep_raw(content, method.parameter_annotations, method.parameter_annotations_length);
    } else if (attribute == "AnnotationDefault") {
      keep_raw(content, method.annotation_default, method.annotation_default_length);
    } else if (attribute == "RuntimeVisibleTypeAnnotations") {
      keep_raw(content, method.type_annotations, method.type_annotations_length);
    } else if (attribute == "MethodParameters") {
      if (content.left() < 1 || content.left() != 1 + usize{content.position()[0]} * 4) {
        return fail("Invalid MethodParameters method attribute length {}", content.left());
      }
      keep_raw(content, method.parameters, method.parameters_length);
    } else if (attribute == "Synthetic") {
      method.access_flags |= access::Synthetic;
    }
  }
  if (failed()) return;
  if (!has_code && !method.is_native() && !method.is_abstract()) {
    return fail("Absent Code attribute in method that is not native or abstract");
  }
  if (options_.trusted) find_method_hints(method);
  if (name == "finalize" && method.descriptor == names::void_no_arguments && !method.is_static() && has_code &&
      method.code_length > 1 && klass_.name != names::java_lang_Object) {
    klass_.has_finalizer = true;   // a body of one byte is an empty one
  }
  if (klass_.is_interface() && !method.is_static() && !method.is_abstract()) klass_.has_default_methods = true;
}

// Annotations of java.base's methods that matter to the VM.
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
  // JVMS 2.9.3 defines them by shape, not by their annotation.
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
