// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.util.SystemProps$Raw: two String arrays from which System.initPhase1 makes the properties.
//
//   platformProperties   one element per constant of SystemProps.Raw, whose order is another one in each release; null
//                        where the platform has none
//   vmProperties         key, value, key, value ..., null
#include "classlib/natives/java.base/lang/system_properties.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <set>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "runtime/base/execution_mode.h"
#include "runtime/base/process/users.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"

namespace keyhole::natives {

namespace {

PropertyList command_line_properties;
std::string initial_class_path, command_text;

const char* variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr || *value == 0 ? nullptr : value;
}

// The locale that the environment selects for a category; "C" if it selects none.
std::string chosen_locale(const char* category) {
  for (const char* name : {"LC_ALL", category, "LANG"})
    if (const char* value = variable(name)) return value;
  return "C";
}

// Is a locale installed? A locale is installed with all its categories, so one of some 20 bytes is searched. (setlocale
// would open 24 files and map a third of a megabyte at each start, and the process itself must stay in "C".)
bool is_installed(const std::string& locale) {
  if (locale == "C" || locale == "POSIX") return true;
  // Most containers and services use these. The C library would search an archive, aliases and converters first.
  bool is_utf8 = locale == "C.UTF-8" || locale == "C.utf8";
  if (is_utf8 && ::access("/usr/lib/locale/C.utf8/LC_MEASUREMENT", R_OK) == 0) return true;
  locale_t handle = newlocale(LC_MEASUREMENT_MASK, locale.c_str(), nullptr);
  if (handle != nullptr) freelocale(handle);
  return handle != nullptr;
}

// The locale for a category; "C" if that of any category is not installed, as after setlocale(LC_ALL, "").
std::string locale_name(const char* category) {
  static const bool all_are_installed = [] {
    std::set<std::string> locales;
    for (const char* each :
         {"LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LC_PAPER", "LC_NAME",
          "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"})
      locales.insert(chosen_locale(each));
    return std::all_of(locales.begin(), locales.end(), is_installed);
  }();
  return all_are_installed ? chosen_locale(category) : "C";
}

struct LocaleParts {
  std::string language, country, variant;
};

// Splits a locale: "de_AT.UTF-8@euro" -> de, AT, EURO. As in java, "C" means American English, and "C.UTF-8" English
// without a country.
LocaleParts parse_locale(std::string name) {
  if (name == "C" || name == "POSIX") return {"en", "US", ""};
  LocaleParts parts;
  if (usize at = name.find('@'); at != std::string::npos) {
    if (name.substr(at + 1) == "euro") parts.variant = "EURO";
    else if (name.substr(at + 1) == "nynorsk") parts.variant = "NY";
    name.resize(at);
  }
  name = name.substr(0, name.find('.'));
  if (name == "C" || name == "POSIX" || name.empty()) {
    parts.language = "en";
    return parts;
  }
  usize underscore = name.find('_');
  parts.language = name.substr(0, underscore);
  if (underscore != std::string::npos) parts.country = name.substr(underscore + 1);
  return parts;
}

// The charset of the environment's locale, by java's name.
std::string encoding_of(const std::string& locale) {
  std::string codeset;
  if (locale == "C.UTF-8" || locale == "C.utf8") {
    codeset = "UTF-8";
  } else if (locale != "C" && locale != "POSIX") {
    if (locale_t handle = newlocale(LC_CTYPE_MASK, locale.c_str(), nullptr)) {
      codeset = nl_langinfo_l(CODESET, handle);
      freelocale(handle);
    }
  }
  if (codeset.empty()) codeset = "ANSI_X3.4-1968";
  if (codeset == "ISO-8859-15" || codeset == "ISO8859-15") codeset = "ISO8859-15";
  return codeset;
}

std::string home_folder(const User& user) {
  // A home folder of fewer than three characters does not count; then $HOME does, and finally "?".
  if (user.home.size() >= 3) return user.home;
  const char* home = variable("HOME");
  return home == nullptr ? "?" : home;
}

std::string working_folder() {
  char buffer[PATH_MAX];
  return getcwd(buffer, sizeof buffer) == nullptr ? std::string() : buffer;
}

constexpr std::string_view library_path =
    "/usr/java/packages/lib:/usr/lib/x86_64-linux-gnu/jni:/lib/x86_64-linux-gnu:"
    "/usr/lib/x86_64-linux-gnu:/usr/lib/jni:/lib:/usr/lib";

std::string java_library_path() {
  std::string path(library_path);
  if (const char* first = variable("LD_LIBRARY_PATH")) path = std::string(first) + ":" + path;
  return path;
}

// The class whose constants are the indices of properties, and one of its constants; -1: this release does not have it.
const InstanceKlass* raw_properties(JavaThread* thread) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern("jdk/internal/util/SystemProps$Raw"), boot_loader());
  return klass == nullptr ? nullptr : klass->as_instance();
}
i32 index_of(const InstanceKlass* raw, std::string_view name) TOUCHES_OBJECTS {
  std::string constant = name == "FIXED_LENGTH" ? std::string(name) : "_" + std::string(name) + "_NDX";
  const Field* field = raw->find_declared_field(Symbol::intern(constant), Symbol::intern("I"));
  return field == nullptr ? -1 : raw->mirror->get<i32>(field->offset);
}

}  // namespace

void set_system_properties(const PropertyList& properties, const std::string& class_path, const std::string& command) {
  command_line_properties = properties;
  initial_class_path = class_path;
  command_text = command;
}

const std::string& java_command() { return command_text; }
const std::string& java_class_path() { return initial_class_path; }

Object* SystemProps_platformProperties(JavaThread* thread) {
  std::vector<std::pair<i32, std::string>> values;
  const InstanceKlass* raw = raw_properties(thread);
  if (raw == nullptr) return nullptr;
  auto set = [&](std::string_view name, std::string value) TOUCHES_OBJECTS {
    if (i32 index = index_of(raw, name); index >= 0) values.emplace_back(index, std::move(value));
  };
  utsname system{};
  uname(&system);
  User user = user_of(getuid());
  std::string encoding = encoding_of(locale_name("LC_CTYPE"));
  LocaleParts format = parse_locale(locale_name("LC_CTYPE"));
  LocaleParts display = parse_locale(locale_name("LC_MESSAGES"));

  set("display_country", display.country);
  set("display_language", display.language);
  set("display_variant", display.variant);
  set("format_country", format.country);
  set("format_language", format.language);
  set("format_variant", format.variant);
  set("file_encoding", encoding);
  set("native_encoding", encoding);
  set("sun_jnu_encoding", encoding);
  for (const char* name : {"sun_stdout_encoding", "stdout_encoding"})
    if (isatty(STDOUT_FILENO) == 1) set(name, encoding);
  for (const char* name : {"sun_stderr_encoding", "stderr_encoding"})
    if (isatty(STDERR_FILENO) == 1) set(name, encoding);
  if (isatty(STDIN_FILENO) == 1) set("stdin_encoding", encoding);
  set("file_separator", "/");
  set("path_separator", ":");
  set("line_separator", "\n");
  set("java_io_tmpdir", "/tmp");
  set("os_arch", "amd64");
  set("os_name", system.sysname);
  set("os_version", system.release);
  set("sun_arch_data_model", "64");
  set("sun_cpu_endian", "little");
  set("sun_io_unicode_encoding", "UnicodeLittle");
  set("user_dir", working_folder());
  set("user_home", home_folder(user));
  set("user_name", user.name.empty() ? "?" : user.name);

  HandleScope scope(thread);
  i32 length = index_of(raw, "FIXED_LENGTH");
  Object* object = new_reference_array(thread, well_known::String_class, length);
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (const auto& [index, value] : values) {
    if (value.empty()) continue;
    Object* text = make_string_utf8(thread, value);
    if (text == nullptr) return nullptr;
    barrier::store_element(array.get(), index, text);
  }
  return array.get();
}

PropertyList properties_of_vm() {
  std::string home = home_over(java_home());
  PropertyList properties;
  auto add = [&](std::string key, std::string value) { properties.emplace_back(std::move(key), std::move(value)); };
  add("java.home", home);
  add("java.class.path", initial_class_path);
  add("java.library.path", java_library_path());
  add("sun.boot.library.path", home + "/lib");
  add("java.vm.specification.name", "Java Virtual Machine Specification");
  add("java.vm.specification.vendor", "Oracle Corporation");
  add("java.vm.specification.version", std::to_string(library_release()));
  add("java.vm.name", "Keyhole VM");
  add("java.vm.vendor", "The Keyhole authors");
  add("java.vm.version", "0.1.0");
  add("java.vm.info", std::string(execution_mode()));
  add("java.vm.compressedOopsMode", "Zero based");
  if (flags::TieredStopAtLevel != 0) {
    add("sun.management.compiler",
        flags::TieredStopAtLevel >= 2 ? "Keyhole Tiered Compilers" : "Keyhole Baseline Compiler");
  }
  add("jdk.debug", "release");
  add("sun.java.launcher", "SUN_STANDARD");
  // VM.saveProperties removes this property
  if (flags::MaxDirectMemorySize != 0) add("sun.nio.MaxDirectMemorySize", std::to_string(flags::MaxDirectMemorySize));
  if (!command_text.empty()) add("sun.java.command", command_text);
  return properties;
}

Object* SystemProps_vmProperties(JavaThread* thread) {
  std::vector<std::string> texts;
  PropertyList properties = properties_of_vm();
  // java.home of the command line has only selected the library, so it is dropped
  for (const auto& each : command_line_properties)
    if (each.first != "java.home") properties.push_back(each);
  for (auto& [key, value] : properties) {
    texts.push_back(std::move(key));
    texts.push_back(std::move(value));
  }
  return new_string_array(thread, texts);
}

}  // namespace keyhole::natives
