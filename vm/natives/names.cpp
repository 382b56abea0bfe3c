// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names as messages show them.
#include "vm/natives/names.h"

#include "vm/link/instance_klass.h"

namespace keyhole::natives {

namespace {

std::string_view primitive_name(char letter) {
  switch (letter) {
    case 'Z': return "boolean"; case 'B': return "byte"; case 'C': return "char"; case 'S': return "short"; case 'I': return "int";
    case 'J': return "long"; case 'F': return "float"; case 'D': return "double"; default: return "void";
  }
}

}  // namespace

std::string type_in_java(std::string_view descriptor) {
  usize dimensions = 0;
  while (descriptor[dimensions] == '[') ++dimensions;
  std::string_view element = descriptor.substr(dimensions);
  std::string text;
  if (element[0] == 'L') {
    text = element.substr(1, element.size() - 2);
    for (char& c : text) if (c == '/') c = '.';
  } else {
    text = primitive_name(element[0]);
  }
  for (; dimensions > 0; --dimensions) text += "[]";
  return text;
}

std::string class_in_java(const Klass* klass) {
  if (klass->is_array()) return type_in_java(klass->name->text());
  return class_get_name(klass);
}

std::string class_get_name(const Klass* klass) {
  std::string text = klass->name->dotted();
  // A hidden class is "pkg/Name/suffix" or "pkg/Name+suffix" inside the VM; Java sees "pkg.Name/suffix".
  if (klass->is_instance() && klass->as_instance()->is_hidden) text[klass->name->text().find_last_of("/+")] = '/';
  return text;
}

std::string signature_in_java(const Method* method) {
  DescriptorIterator argument(method->descriptor);
  std::string text = type_in_java(argument.return_text());
  text += ' ';
  text += class_get_name(method->holder);
  text += '.';
  text += method->name->text();
  text += '(';
  for (bool first = true; !argument.at_end(); argument.next(), first = false) {
    if (!first) text += ", ";
    text += type_in_java(argument.text());
  }
  text += ')';
  return text;
}

}  // namespace keyhole::natives
