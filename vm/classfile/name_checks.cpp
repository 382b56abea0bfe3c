// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks names and descriptors for the parser, and makes the messages. Trusted classes are not checked.
#include "vm/classfile/legal_names.h"
#include "vm/classfile/parser.h"

namespace keyhole::classfile {
namespace {

constexpr u16 first_version_without_initializer_arguments = 51;

}  // namespace

void Parser::check_class_name(std::string_view name) {
  if (options_.trusted) return;
  if (!name.starts_with('[')) {
    if (!name_rules().is_class_name(name)) fail_text("Illegal class name \"{}\" in class file {}", name, shown_name_);
    return;
  }
  FieldShape shape = shape_of_field_descriptor(name, name_rules());
  if (refuse_descriptor(shape.fault)) return;
  if (shape.length != name.size()) fail_text("Illegal class name \"{}\" in class file {}", name, shown_name_);
}

void Parser::check_field_name(std::string_view name) {
  if (!options_.trusted && !name_rules().is_field_name(name))
    fail_text("Illegal field name \"{}\" in class {}", name, shown_name_);
}

void Parser::check_method_name(std::string_view name) {
  if (!options_.trusted && !name_rules().is_method_name(name))
    fail_text("Illegal method name \"{}\" in class {}", name, shown_name_);
}

// Rejects faults of descriptors that have messages of their own.
bool Parser::refuse_descriptor(DescriptorFault fault) {
  if (fault == DescriptorFault::ClassName) fail("Class name is empty or contains illegal character in descriptor");
  else if (fault == DescriptorFault::Dimensions) fail("Array type descriptor has more than 255 dimensions");
  return failed();
}

void Parser::refuse_signature(const char* kind, std::string_view name, std::string_view descriptor) {
  fail_text("{} \"{}\" in class {} has illegal signature \"{}\"", kind, name, shown_name_, descriptor);
}

void Parser::check_field_descriptor(std::string_view name, std::string_view descriptor) {
  if (options_.trusted) return;
  FieldShape shape = shape_of_field_descriptor(descriptor, name_rules());
  if (refuse_descriptor(shape.fault)) return;
  if (shape.length != descriptor.size() || descriptor.empty()) refuse_signature("Field", name, descriptor);
}

MethodShape Parser::check_method_descriptor(std::string_view name, std::string_view descriptor,
                                            bool initializers_are_void) {
  NameRules rules = name_rules();
  bool is_initializer = initializers_are_void && name == "<clinit>";
  if (!options_.trusted && is_initializer && descriptor != "()V" &&
      klass_.major_version >= first_version_without_initializer_arguments)
    refuse_signature("Method", name, descriptor);
  MethodShape shape = shape_of_method_descriptor(descriptor, options_.trusted ? nullptr : &rules);
  if (failed() || refuse_descriptor(shape.fault)) return shape;
  bool must_be_void = initializers_are_void && name.starts_with('<');
  if (shape.fault != DescriptorFault::None || (must_be_void && shape.return_type != BasicType::Void))
    refuse_signature("Method", name, descriptor);
  return shape;
}

}  // namespace keyhole::classfile
