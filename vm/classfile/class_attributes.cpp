// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a class (JVMS 4.7): bootstrap methods, nests, inner classes, records, sealed hierarchies.
#include <algorithm>
#include <vector>

#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole::classfile {

void Parser::parse_class_attributes() {
  u16 count = reader_.u2();
  if (reader_.overrun()) return fail_truncated();
  bool has_bootstraps = false, has_inner_classes = false, has_enclosing_method = false, has_source_file = false,
       has_signature = false;
  bool has_nest_host = false, has_nest_members = false, has_record = false, has_permitted = false;
  auto once = [&](bool& seen, const char* name) {
    if (seen) fail("Multiple {} attributes", name);
    seen = true;
    return !failed();
  };
  u16 major = klass_.major_version;
  for (u16 i = 0; i < count && !failed(); ++i) {
    std::string_view name;
    ByteReader content;
    if (!next_attribute(reader_, name, content)) return;
    if (name == "SourceFile") {
      if (!once(has_source_file, "SourceFile")) return;
      if (content.left() != 2) return fail("Wrong SourceFile attribute length {}", content.left());
      klass_.source_file = symbol_at(content.u2());
    } else if (name == "InnerClasses") {
      if (once(has_inner_classes, "InnerClasses")) parse_inner_classes(content);
    } else if (name == "EnclosingMethod") {
      if (once(has_enclosing_method, "EnclosingMethod")) parse_enclosing_method(content);
    } else if (name == "Signature") {
      if (!once(has_signature, "Signature")) return;
      if (content.left() != 2) return fail("Wrong Signature attribute length {}", content.left());
      klass_.generic_signature = symbol_at(content.u2());
    } else if (name == "RuntimeVisibleAnnotations") {
      keep_raw(content, klass_.annotations, klass_.annotations_length);
    } else if (name == "RuntimeVisibleTypeAnnotations") {
      keep_raw(content, klass_.type_annotations, klass_.type_annotations_length);
    } else if (name == "BootstrapMethods" && major >= 51) {
      if (once(has_bootstraps, "BootstrapMethods")) parse_bootstrap_methods(content);
    } else if (name == "NestHost" && major >= 55) {
      if (!once(has_nest_host, "NestHost")) return;
      if (content.left() != 2) return fail("Wrong NestHost attribute length {}", content.left());
      klass_.nest_host_index = content.u2();
      if (!is_class(klass_.nest_host_index))
        return fail("Nest-host class_info_index {} has bad constant type", klass_.nest_host_index);
    } else if (name == "NestMembers" && major >= 55) {
      if (once(has_nest_members, "NestMembers"))
        klass_.nest_members = parse_class_list(content, klass_.nest_member_count, "Nest member");
    } else if (name == "PermittedSubclasses" && major >= 61) {
      if (!once(has_permitted, "PermittedSubclasses")) return;
      if ((klass_.access_flags & access::Final) != 0)
        return fail("PermittedSubclasses attribute in final class file {}", shown_name_);
      klass_.is_sealed = true;
      klass_.permitted_subclasses = parse_class_list(content, klass_.permitted_subclass_count, "Permitted subclass");
    } else if (name == "Record" && major >= 60) {
      if (once(has_record, "Record")) parse_record(content);
    } else if (name == "Synthetic") {
      klass_.access_flags |= access::Synthetic;
      klass_.modifiers |= access::Synthetic;
    }
  }
  if (failed()) return;
  if (has_nest_host && has_nest_members) return fail("Conflicting NestHost and NestMembers attributes");
  if (has_dynamic_constants_) {
    if (!has_bootstraps) return fail("Missing BootstrapMethods attribute");
    if (largest_bootstrap_index_ >= klass_.constants->bootstrap_count) {
      return fail("Short length on BootstrapMethods");
    }
  }
  if (has_record && ((klass_.access_flags & access::Final) == 0 || result_.super_name == nullptr ||
                     result_.super_name->text() != "java/lang/Record")) {
    klass_.is_record = false;   // as HotSpot: the attribute means nothing elsewhere
    klass_.record_component_count = 0;
  }
}

void Parser::parse_inner_classes(ByteReader attribute) {
  u16 count = attribute.u2();
  const u8* raw = attribute.take(usize{count} * 8);
  if (attribute.overrun() || !attribute.at_end()) return fail("Wrong InnerClasses attribute length");
  auto* classes = array<InnerClass>(count);
  for (u16 i = 0; i < count; ++i, raw += 8) {
    InnerClass& inner = classes[i];
    inner = {read_u16(raw), read_u16(raw + 2), read_u16(raw + 4), read_u16(raw + 6)};
    if (!is_class(inner.inner_class)) return fail("inner_class_info_index {} has bad constant type", inner.inner_class);
    if (inner.outer_class != 0 && !is_class(inner.outer_class)) {
      return fail("outer_class_info_index {} has bad constant type", inner.outer_class);
    }
    if (inner.name != 0 && !is_utf8(inner.name)) return fail("inner_name_index {} has bad constant type", inner.name);
    if (is_module(inner.access_flags)) return;
    u32 flags = inner.access_flags & inner_class_flags;
    // Old compilers omitted it.
    if ((flags & access::Interface) != 0 && klass_.major_version < 50) flags |= access::Abstract;
    check_class_flags(flags);
    if (failed()) return;
    if (!options_.trusted && inner.inner_class == inner.outer_class) return fail("Class is both outer and inner class");
    if (!options_.trusted) {
      for (u16 k = 0; k < i; ++k) {
        if (classes[k].inner_class == inner.inner_class && classes[k].outer_class == inner.outer_class &&
            classes[k].name == inner.name && classes[k].access_flags == inner.access_flags) {
          return fail("Duplicate entry in InnerClasses attribute");
        }
      }
    }
    if (pool().utf8_text(static_cast<u32>(pool().values[inner.inner_class])) == klass_.name->text()) {
      // The flags of the source, e.g. private and static, which the class's own flags cannot express.
      constexpr u32 written = access::Public | access::Private | access::Protected | access::Static | access::Final |
                              access::Interface | access::Abstract | access::Synthetic | access::Annotation |
                              access::Enum;
      klass_.modifiers = inner.access_flags & written;
    }
  }
  klass_.inner_classes = classes;
  klass_.inner_class_count = count;
}

void Parser::parse_enclosing_method(ByteReader attribute) {
  if (attribute.left() != 4) return fail("Wrong EnclosingMethod attribute length {}", attribute.left());
  klass_.enclosing_class_index = attribute.u2();
  klass_.enclosing_method_index = attribute.u2();
  if (!is_class(klass_.enclosing_class_index))
    return fail("Invalid or out-of-bounds class index in EnclosingMethod attribute");
  if (klass_.enclosing_method_index != 0 && !index_has_tag(klass_.enclosing_method_index, ConstantTag::NameAndType)) {
    return fail("Invalid or out-of-bounds method index in EnclosingMethod attribute");
  }
}

const u16* Parser::parse_class_list(ByteReader attribute, u16& count, const char* what) {
  u16 entries = attribute.u2();
  const u8* raw = attribute.take(usize{entries} * 2);
  if (attribute.overrun() || !attribute.at_end()) {
    fail("Wrong {} attribute length", what);
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
  count = entries;
  return list;
}

void Parser::parse_bootstrap_methods(ByteReader attribute) {
  u16 count = attribute.u2();
  if (attribute.overrun() || usize{count} * 4 > attribute.left()) return fail("Short length on BootstrapMethods");
  auto** bootstraps = array<const u16*>(count);
  for (u16 i = 0; i < count; ++i) {
    u16 handle = attribute.u2(), argument_count = attribute.u2();
    const u8* raw = attribute.take(usize{argument_count} * 2);
    if (attribute.overrun()) return fail("Short length on BootstrapMethods");
    if (!index_has_tag(handle, ConstantTag::MethodHandle))
      return fail("bootstrap_method_index {} has bad constant type", handle);
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
        case ConstantTag::Dynamic:
          break;
        default: return fail("argument_index {} has bad constant type", entry[2 + k]);
      }
    }
    bootstraps[i] = entry;
  }
  if (!attribute.at_end()) return fail("Long length on BootstrapMethods");
  klass_.constants->bootstraps = bootstraps;
  klass_.constants->bootstrap_count = count;
}

void Parser::parse_record(ByteReader attribute) {
  u16 count = attribute.u2();
  if (attribute.overrun() || usize{count} * 6 > attribute.left()) return fail("Record attribute has wrong length");
  auto* components = array<RecordComponent>(count);
  for (u16 i = 0; i < count; ++i) {
    RecordComponent& component = components[i];
    component.name = symbol_at(attribute.u2());
    component.descriptor = failed() ? nullptr : symbol_at(attribute.u2());
    if (failed()) return;
    if (!is_field_descriptor(component.descriptor->text())) {
      return fail_text("Field \"{}\" in class {} has illegal signature \"{}\"", component.name->text(), shown_name_,
                       component.descriptor->text());
    }
    u16 attribute_count = attribute.u2();
    for (u16 k = 0; k < attribute_count; ++k) {
      std::string_view name;
      ByteReader content;
      if (!next_attribute(attribute, name, content)) return;
      if (name == "Signature") {
        if (content.left() != 2) return fail("Invalid Signature attribute length {}", content.left());
        component.generic_signature = symbol_at(content.u2());
        if (failed()) return;
      } else if (name == "RuntimeVisibleAnnotations") {
        keep_raw(content, component.annotations, component.annotations_length);
      } else if (name == "RuntimeVisibleTypeAnnotations") {
        keep_raw(content, component.type_annotations, component.type_annotations_length);
      }
    }
  }
  if (!check_whole(attribute, "Record")) return;
  klass_.is_record = true;
  klass_.record_components = components;
  klass_.record_component_count = count;
}

}  // namespace keyhole::classfile
