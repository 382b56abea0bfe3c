// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the texts of linkage errors, and searches the images of newer libraries for the missing class or method.
#include "vm/launcher/newer_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "vm/classfile/byte_reader.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/classfile/jimage.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

constexpr u32 class_file_version_of_release_0 = 44;

// The members and supertypes of a class file.
struct Outline {
  std::vector<std::string_view> supers;  // "java/util/List"
  std::vector<std::string_view> methods;
};

Outline outline_of(std::span<const u8> bytes) {
  classfile::ByteReader reader(bytes);
  reader.take(8);  // magic number and version
  std::vector<std::string_view> texts(reader.u2());
  std::vector<u16> class_names(texts.size());
  for (usize i = 1; i < texts.size() && !reader.overrun(); ++i) {
    switch (reader.u1()) {
      case 1: {
        u16 length = reader.u2();
        if (const u8* text = reader.take(length)) texts[i] = {reinterpret_cast<const char*>(text), length};
        break;
      }
      case 7: class_names[i] = reader.u2(); break;
      case 8:
      case 16:
      case 19:
      case 20: reader.take(2); break;
      case 15: reader.take(3); break;
      case 5:
      case 6: reader.take(8), ++i; break;
      default: reader.take(4); break;
    }
  }
  Outline outline;
  auto text = [&](u16 index) { return index < texts.size() ? texts[index] : std::string_view(); };
  auto class_name = [&](u16 index) { return index < class_names.size() ? text(class_names[index]) : text(0); };
  reader.take(4);  // access flags, this class
  outline.supers.push_back(class_name(reader.u2()));
  for (u16 count = reader.u2(); count > 0 && !reader.overrun(); --count)
    outline.supers.push_back(class_name(reader.u2()));
  for (bool are_methods : {false, true}) {
    for (u16 count = reader.u2(); count > 0 && !reader.overrun(); --count) {
      reader.take(2);
      std::string_view name = text(reader.u2());
      if (are_methods) outline.methods.push_back(name);
      reader.take(2);
      for (u16 attributes = reader.u2(); attributes > 0 && !reader.overrun(); --attributes) {
        reader.take(2);
        reader.take(reader.u4());
      }
    }
  }
  return outline;
}

// The module of a class ("java/util/List"); empty where the image does not have its package.
std::string_view module_of(const JImage& image, std::string_view class_name) {
  usize slash = class_name.rfind('/');
  if (slash == std::string_view::npos) return {};
  std::string package(class_name.substr(0, slash));
  std::replace(package.begin(), package.end(), '/', '.');
  return image.module_of_package(package);
}

// Does an image have the class, and the class or one of its supertypes a method of that name? An empty name asks for
// the class alone.
bool has(const JImage& image, std::string_view class_name, std::string_view method) {
  std::string_view module = module_of(image, class_name);
  auto bytes = image.find(module, std::string(class_name) + ".class");
  if (module.empty() || !bytes) return false;
  if (method.empty()) return true;
  Outline outline = outline_of(*bytes);
  return std::ranges::find(outline.methods, method) != outline.methods.end() ||
         std::ranges::any_of(outline.supers, [&](std::string_view super) { return has(image, super, method); });
}

// Does the newer library have a class or method that the library in use lacks? False when the class's whole module is
// missing from the library in use, because then the module graph or the runtime image is the cause.
bool has_alone(const Library& library, std::string_view class_name, std::string_view method) {
  std::string internal(class_name);
  std::replace(internal.begin(), internal.end(), '.', '/');
  JImage newer, own;
  return newer.open(library.home + "/lib/modules").empty() && own.open(java_home() + "/lib/modules").empty() &&
         has(newer, internal, method) && !has(own, internal, method) &&
         own.find(module_of(newer, internal), "module-info.class");
}

// Would the library have the missing class or method that a linkage error's message names?
bool would_help(const Library& library, std::string_view throwable, std::string_view message) {
  if (throwable == "java.lang.UnsupportedClassVersionError") {
    constexpr std::string_view before = "(class file version ";
    usize at = message.find(before);
    u32 version = 0;
    if (at == std::string_view::npos) return false;
    std::string_view digits = message.substr(at + before.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), version);
    return version <= library.release + class_file_version_of_release_0;
  }
  if (throwable == "java.lang.NoClassDefFoundError" || throwable == "java.lang.ClassNotFoundException")
    return has_alone(library, message, "");
  if (throwable == "java.lang.NoSuchMethodError") {  // 'boolean java.lang.String.isNew(int)'
    std::string_view text = message.substr(0, message.find('('));
    text = text.substr(text.rfind(' ') + 1);
    usize dot = text.rfind('.');
    return dot != std::string_view::npos && has_alone(library, text.substr(0, dot), text.substr(dot + 1));
  }
  return false;
}

}  // namespace

std::string newer_library_line(std::string_view throwable, std::string_view message) {
  std::optional<Library> library = newer_library();
  if (!library || !would_help(*library, throwable, message)) return {};
  return fmt::format(
      "keyhole: this needs a library that is newer than that of Java {}; KEYHOLE_JAVA_HOME={} chooses "
      "that of Java {}\n",
      library_release(), library->home, library->release);
}

std::string newer_library_line(Object* throwable) {
  for (int depth = 0; throwable != nullptr && depth < 4; ++depth) {
    const Object* message = throwable->get_reference(well_known::Throwable_detail_message);
    std::string line =
        newer_library_line(throwable->klass()->name->dotted(), message == nullptr ? "" : string_to_utf8(message));
    if (!line.empty()) return line;
    Object* cause = throwable->get_reference(well_known::Throwable_cause);
    throwable = cause == throwable ? nullptr : cause;
  }
  return {};
}

}  // namespace keyhole
