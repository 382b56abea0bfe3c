// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the names of classes, types and methods for messages.
#include "vm/metadata/external_names.h"

#include <fmt/format.h>

#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

const char* primitive_in_source(char letter) {
  switch (letter) {
    case 'Z': return "boolean";
    case 'B': return "byte";
    case 'C': return "char";
    case 'S': return "short";
    case 'I': return "int";
    case 'J': return "long";
    case 'F': return "float";
    case 'D': return "double";
    default: return "void";
  }
}

}  // namespace

std::string external_name(const Klass* klass) {
  std::string text = klass->name->dotted();
  const Klass* bottom = bottom_class(klass);
  if (bottom != nullptr && bottom->is_instance() && bottom->as_instance()->is_hidden) {
    if (usize mark = text.rfind('+'); mark != std::string::npos) text[mark] = '/';
  }
  return text;
}

const char* external_kind(const Klass* klass) {
  return klass->is_interface() ? "interface" : klass->is_abstract() ? "abstract class" : "class";
}

const char* visibility_in_words(u32 flags) {
  if ((flags & access::Private) != 0) return "private ";
  if ((flags & access::Protected) != 0) return "protected ";
  return "";
}

std::string external_type(std::string_view descriptor) {
  usize dimensions = 0;
  while (descriptor[dimensions] == '[') ++dimensions;
  std::string text;
  if (descriptor[dimensions] == 'L') {
    text = descriptor.substr(dimensions + 1, descriptor.size() - dimensions - 2);
    for (char& c : text)
      if (c == '/') c = '.';
  } else {
    text = primitive_in_source(descriptor[dimensions]);
  }
  for (; dimensions > 0; --dimensions) text += "[]";
  return text;
}

std::string external_method_name(const Klass* holder, const Symbol* name, const Symbol* descriptor) {
  DescriptorIterator arguments(descriptor);
  std::string text = fmt::format("{} {}{}(", external_type(return_descriptor_of(descriptor->text())),
                                 holder == nullptr ? std::string() : external_name(holder) + ".", name->text());
  for (bool first = true; !arguments.at_end(); arguments.next(), first = false) {
    if (!first) text += ", ";
    text += external_type(arguments.text());
  }
  return text + ")";
}

}  // namespace keyhole
