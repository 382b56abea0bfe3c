// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the attributes of a class (JVMS 4.7): bootstrap methods, nests, inner classes, records, sealed hierarchies.
#include <algorithm>
#include <vector>

#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole::classfile {
namespace {

template <typename Owner>
constexpr RawAttribute<Owner> annotations_of[] = {
    {"RuntimeVisibleAnnotations", &Owner::annotations, &Owner::annotations_length},
    {"RuntimeInvisibleAnnotations", nullptr, nullptr},
    {"RuntimeVisibleTypeAnnotations", &Owner::type_annotations, &Owner::type_annotations_length},
    {"RuntimeInvisibleTypeAnnotations", nullptr, nullptr}};

}  // namespace

void Parser::parse_class_attributes() {
  u16 count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  u32 annotations_seen = 0;
  bool has_bootstraps = false, has_inner_classes = false, has_enclosing_method = false, has_source_file = false,
       has_debug_extension = false, has_signature = false, has_nest_host = false, has_nest_members = false,
       has_record = false, has_permitted = false;
  // These attributes are parsed after all others, because errors in the others come first.
  Attribute inner_classes, nest_members, record, permitted;
  u16 major = klass_.major_version;
  for (u16 i = 0; i < count && !failed(); ++i) {
    Attribute attribute;
    if (!next_attribute(reader_, "Attribute name has bad constant pool index {}", attribute)) return;
    std::string_view name = attribute.name;
    if (name == "SourceFile") {
      if (attribute.length != 2) return fail("Wrong SourceFile attribute length");
      if (!once(has_source_file, "SourceFile")) return;
      u16 index = attribute.rest().u2();
      if (!attribute.is_cut() && !is_utf8(index))
        return fail("Invalid SourceFile attribute at constant pool index {}", index);
      klass_.source_file = attribute.is_cut() ? nullptr : pool().utf8(index);
    } else if (name == "SourceDebugExtension") {
      once(has_debug_extension, "SourceDebugExtension");
    } else if (name == "InnerClasses") {
      if (once(has_inner_classes, "InnerClasses")) inner_classes = attribute;
    } else if (is_marker(attribute, "classfile")) {
      if (name != "Synthetic") continue;
      klass_.access_flags |= access::Synthetic;
      klass_.modifiers |= access::Synthetic;
    } else if (major < 49) {
      // In class files before version 49 the attributes below have no meaning.
    } else if (name == "Signature") {
      if (!once(has_signature, "Signature")) return;
      if (attribute.length != 2) return fail("Wrong Signature attribute length {}", attribute.length);
      u16 index = attribute.rest().u2();
      if (!attribute.is_cut() && !is_utf8(index))
        return fail("Invalid constant pool index {} in Signature attribute", index);
      klass_.generic_signature = attribute.is_cut() ? nullptr : pool().utf8(index);
    } else if (name == "EnclosingMethod") {
      if (once(has_enclosing_method, "EnclosingMethod")) parse_enclosing_method(attribute);
    } else if (name == "BootstrapMethods" && major >= 51) {
      if (once(has_bootstraps, "BootstrapMethods")) parse_bootstrap_methods(attribute);
    } else if (name == "NestHost" && major >= 55) {
      if (!once(has_nest_host, "NestHost")) return;
      if (attribute.length != 2) return fail("Wrong NestHost attribute length");
      klass_.nest_host_index = attribute.rest().u2();
      if (!attribute.is_cut() && !is_class(klass_.nest_host_index))
        return fail("Nest-host class_info_index {} has bad constant type", klass_.nest_host_index);
    } else if (name == "NestMembers" && major >= 55) {
      if (once(has_nest_members, "NestMembers")) nest_members = attribute;
    } else if (name == "PermittedSubclasses" && major >= 61) {
      if (!once(has_permitted, "PermittedSubclasses")) return;
      if ((klass_.access_flags & access::Final) != 0)
        return fail("PermittedSubclasses attribute in final class file {}", shown_name_);
      permitted = attribute;
    } else if (name == "Record" && major >= 60) {
      if (once(has_record, "Record")) record = attribute;
    } else {
      keep_raw(attribute, klass_, annotations_of<InstanceKlass>, annotations_seen, "");
    }
    if (!failed() && attribute.is_cut()) fail_truncated();
  }
  if (failed()) return;
  if (has_nest_host && has_nest_members) return fail("Conflicting NestHost and NestMembers attributes");
  if (has_inner_classes) parse_inner_classes(inner_classes);
  if (has_dynamic_constants_ && !has_bootstraps && !failed()) return fail("Missing BootstrapMethods attribute");
  if (has_nest_members && !failed())
    klass_.nest_members = parse_class_list(nest_members, klass_.nest_member_count, "Nest member");
  if (has_permitted && !failed()) {
    klass_.is_sealed = true;
    klass_.permitted_subclasses = parse_class_list(permitted, klass_.permitted_subclass_count, "Permitted subclass");
  }
  if (has_record && !failed()) parse_record(record);
  // Like HotSpot, ignores this attribute in other classes.
  bool may_be_record = (klass_.access_flags & access::Final) != 0 && result_.super_name != nullptr &&
                       result_.super_name->text() == "java/lang/Record";
  if (has_record && !may_be_record) {
    klass_.is_record = false;
    klass_.record_component_count = 0;
  }
}

void Parser::parse_inner_classes(const Attribute& attribute) {
  ByteReader rest = attribute.rest();
  u16 count = rest.u2();
  const u8* raw = rest.take(usize{count} * 8);
  if (rest.overrun()) return fail_truncated();
  auto* classes = array<InnerClass>(count);
  bool is_checked = !options_.trusted && klass_.major_version >= 49;
  for (u16 i = 0; i < count; ++i, raw += 8) {
    InnerClass& inner = classes[i];
    inner = {read_u16(raw), read_u16(raw + 2), read_u16(raw + 4), read_u16(raw + 6)};
    if (!is_class(inner.inner_class)) return fail("inner_class_info_index {} has bad constant type", inner.inner_class);
    if (inner.outer_class != 0 && !is_class(inner.outer_class)) {
      return fail("outer_class_info_index {} has bad constant type", inner.outer_class);
    }
    if (inner.name != 0 && !is_utf8(inner.name)) return fail("inner_name_index {} has bad constant type", inner.name);
    if (!options_.trusted && inner.inner_class == inner.outer_class) return fail("Class is both outer and inner class");
    if (is_module(inner.access_flags)) return;
    u32 flags = inner.access_flags & inner_class_flags;
    // Old compilers omitted ACC_ABSTRACT for interfaces.
    if ((flags & access::Interface) != 0 && klass_.major_version < 50) flags |= access::Abstract;
    check_class_flags(flags);
    if (failed()) return;
    for (u16 k = 0; is_checked && k < i; ++k) {
      if (classes[k].inner_class == inner.inner_class && classes[k].outer_class == inner.outer_class &&
          classes[k].name == inner.name && classes[k].access_flags == inner.access_flags) {
        return fail("Duplicate entry in InnerClasses attribute");
      }
    }
    if (pool().utf8_text(static_cast<u32>(pool().values[inner.inner_class])) == klass_.name->text()) {
      // The flags of the class in its InnerClasses entry. They include flags of the source, such as private and static,
      // that a class file's access_flags cannot express.
      constexpr u32 written = access::Public | access::Private | access::Protected | access::Static | access::Final |
                              access::Interface | access::Abstract | access::Synthetic | access::Annotation |
                              access::Enum;
      klass_.modifiers = inner.access_flags & written;
    }
  }
  if (is_checked && !check_length(attribute, rest, "Wrong InnerClasses attribute length")) return;
  klass_.inner_classes = classes;
  klass_.inner_class_count = count;
}

void Parser::parse_enclosing_method(const Attribute& attribute) {
  if (attribute.length != 4) return fail("Wrong EnclosingMethod attribute length {}", attribute.length);
  if (attribute.is_cut()) return fail_truncated();
  ByteReader content = attribute.rest();
  klass_.enclosing_class_index = content.u2();
  klass_.enclosing_method_index = content.u2();
  if (klass_.enclosing_class_index == 0) return fail("Invalid class index in EnclosingMethod attribute");
  if (!is_class(klass_.enclosing_class_index))
    return fail("Invalid or out-of-bounds class index in EnclosingMethod attribute");
  if (klass_.enclosing_method_index != 0 && !index_has_tag(klass_.enclosing_method_index, ConstantTag::NameAndType)) {
    return fail("Invalid or out-of-bounds method index in EnclosingMethod attribute");
  }
}

const u16* Parser::parse_class_list(const Attribute& attribute, u16& count, const char* what) {
  ByteReader rest = attribute.rest();
  u16 entries = rest.u2();
  const u8* raw = rest.take(usize{entries} * 2);
  if (rest.overrun()) {
    fail_truncated();
    return nullptr;
  }
  u16* list = array<u16>(entries);
  for (u16 i = 0; i < entries; ++i) {
    list[i] = read_u16(raw + 2 * i);
    if (!is_class(list[i])) {
      fail("{} class_info_index {} has bad constant type", what, list[i]);
      return nullptr;
    }
  }
  if (attribute.length != 2 + u32{entries} * 2) {
    fail("Wrong {} attribute length", attribute.name);
    return nullptr;
  }
  count = entries;
  return list;
}

void Parser::parse_bootstrap_methods(const Attribute& attribute) {
  if (attribute.length < 2) return fail("Invalid BootstrapMethods attribute length {}", attribute.length);
  if (attribute.is_cut()) return fail_truncated();
  u16 count = read_u16(attribute.content);
  if (has_dynamic_constants_ && largest_bootstrap_index_ >= count) return fail("Short length on BootstrapMethods");
  constexpr const char* bad_count = "Invalid BootstrapMethods num_bootstrap_methods or num_bootstrap_arguments value";
  ByteReader rest = attribute.rest();
  rest.u2();
  u64 words = (attribute.length - 2) / 2, used = 0;
  if (usize{count} * 4 > rest.left()) return fail_truncated();
  auto** bootstraps = array<const u16*>(count);
  for (u16 i = 0; i < count; ++i) {
    u16 handle = rest.u2(), argument_count = rest.u2();
    if (rest.overrun()) return fail_truncated();
    if (!index_has_tag(handle, ConstantTag::MethodHandle))
      return fail("bootstrap_method_index {} has bad constant type", handle);
    used += 2 + u64{argument_count};
    if (used > words) return fail("{}", bad_count);
    const u8* raw = rest.take(usize{argument_count} * 2);
    if (rest.overrun()) return fail_truncated();
    u16* entry = array<u16>(usize{argument_count} + 2);
    entry[0] = handle;
    entry[1] = argument_count;
    for (u16 k = 0; k < argument_count; ++k) {
      entry[2 + k] = read_u16(raw + 2 * k);
      switch (entry[2 + k] < pool().count ? pool().tag(entry[2 + k]) : ConstantTag::Unused) {
        case ConstantTag::Integer:
        case ConstantTag::Float:
        case ConstantTag::Long:
        case ConstantTag::Double:
        case ConstantTag::Class:
        case ConstantTag::String:
        case ConstantTag::MethodHandle:
        case ConstantTag::MethodType:
        case ConstantTag::Dynamic: break;
        default: return fail("argument_index {} has bad constant type", entry[2 + k]);
      }
    }
    bootstraps[i] = entry;
  }
  if (!check_length(attribute, rest, "Bad length on BootstrapMethods")) return;
  klass_.constants->bootstraps = bootstraps;
  klass_.constants->bootstrap_count = count;
}

void Parser::parse_record(const Attribute& attribute) {
  ByteReader rest = attribute.rest();
  u16 count = rest.u2();
  if (rest.overrun() || usize{count} * 6 > rest.left()) return fail_truncated();
  auto* components = array<RecordComponent>(count);
  for (u16 i = 0; i < count && !failed(); ++i) parse_record_component(components[i], rest);
  if (failed() || !check_length(attribute, rest, "Record attribute has wrong length")) return;
  klass_.is_record = true;
  klass_.record_components = components;
  klass_.record_component_count = count;
}

void Parser::parse_record_component(RecordComponent& component, ByteReader& rest) {
  u16 name_index = rest.u2(), descriptor_index = rest.u2(), attribute_count = rest.u2();
  if (rest.overrun()) return fail_truncated();
  if (!is_utf8(name_index)) return fail("Invalid constant pool index {} for name in Record attribute", name_index);
  component.name = pool().utf8(name_index);
  check_field_name(component.name->text());
  if (failed()) return;
  if (!is_utf8(descriptor_index))
    return fail("Invalid constant pool index {} for descriptor in Record attribute", descriptor_index);
  component.descriptor = pool().utf8(descriptor_index);
  check_field_descriptor(component.name->text(), component.descriptor->text());
  if (failed()) return;
  u32 annotations_seen = 0;
  bool has_signature = false;
  for (u16 i = 0; i < attribute_count && !failed(); ++i) {
    Attribute attribute;
    if (!next_attribute(rest, "Invalid attribute index {} in Record attribute", attribute)) return;
    if (attribute.name == "Signature") {
      if (has_signature) return fail("Multiple Signature attributes for Record component");
      has_signature = true;
      if (attribute.length != 2)
        return fail("Invalid Signature attribute length {} in Record component", attribute.length);
      component.generic_signature = parse_signature(attribute);
    } else {
      keep_raw(attribute, component, annotations_of<RecordComponent>, annotations_seen, " for Record component");
    }
    if (!failed() && attribute.is_cut()) fail_truncated();
  }
}

}  // namespace keyhole::classfile
