// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores the options for assertions, and implements the natives that query them.
#include "classlib/natives/java.base/lang/assertions.h"

#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "vm/link/loading/loader_names.h"

namespace keyhole::natives {

namespace {
AssertionOptions options;
}

const AssertionOptions& assertion_options() { return options; }

void set_assertion_options(const std::vector<std::string>& words) {
  options = {};
  for (const std::string& word : words) {
    usize colon = word.find(':');
    std::string_view key = std::string_view(word).substr(0, colon);
    bool enabled = key == "-ea" || key == "-enableassertions" || key == "-esa" || key == "-enablesystemassertions";
    if (key.find("sa") == 2 || key.find("system") != std::string_view::npos) {
      options.system_enabled = enabled;
    } else if (colon == std::string::npos) {
      options.default_enabled = enabled;
    } else {
      std::string name = word.substr(colon + 1);
      for (char& c : name)
        if (c == '/') c = '.';
      bool package = name.ends_with("...");
      if (package) name.resize(name.size() - 3);
      auto& list = package ? options.packages : options.classes;
      list.insert(list.begin(), {std::move(name), enabled});
    }
  }
}

bool assertions_enabled(std::string_view class_name, bool boot_class) {
  for (const AssertionOption& option : options.classes)
    if (option.name == class_name) return option.enabled;
  if (!options.packages.empty()) {
    usize end = class_name.rfind('.');
    for (std::string_view package = end == std::string_view::npos ? "" : class_name.substr(0, end);;) {
      for (const AssertionOption& option : options.packages)
        if (option.name == package) return option.enabled;
      usize dot = package.rfind('.');
      if (dot == std::string_view::npos) break;
      package = package.substr(0, dot);
    }
  }
  return boot_class ? options.system_enabled : options.default_enabled;
}

bool Class_desiredAssertionStatus0(JavaThread* thread, Handle mirror) {
  if (mirror.is_null()) return throw_null_pointer(thread);
  const Klass* klass = klass_of(mirror);
  return klass->is_instance() && assertions_enabled(external_name(klass), klass->loader->is_boot());
}

namespace {

// Stores the names and the switches of one list, as String[] and boolean[].
bool store_options(JavaThread* thread, Handle directives, const std::vector<AssertionOption>& list, u32 names_offset,
                   u32 enabled_offset) MAY_SAFEPOINT {
  std::vector<std::string> texts;
  for (const AssertionOption& option : list) texts.push_back(option.name);
  Object* array = new_string_array(thread, texts);
  if (array == nullptr) return false;
  barrier::store(directives.get(), names_offset, array);
  array = new_primitive_array(thread, BasicType::Boolean, static_cast<i32>(list.size()));
  if (array == nullptr) return false;
  for (usize i = 0; i < list.size(); ++i) array->elements<u8>()[i] = list[i].enabled;
  barrier::store(directives.get(), enabled_offset, array);
  return true;
}

}  // namespace

Object* ClassLoader_retrieveDirectives(JavaThread* thread) {
  HandleScope scope(thread);
  const late::AssertionStatusDirectives* row = late::get<late::AssertionStatusDirectives>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  Handle directives = scope.make(object);
  if (!store_options(thread, directives, options.classes, row->classes, row->class_enabled)) return nullptr;
  if (!store_options(thread, directives, options.packages, row->packages, row->package_enabled)) return nullptr;
  directives->set<u8>(row->default_status, options.default_enabled);
  return directives.get();
}

}  // namespace keyhole::natives
