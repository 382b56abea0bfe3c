// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.loader.NativeLibraries: the JDK's own libraries count as built in (their natives are in
// classlib/natives.def), users' JNI libraries are refused.
#include <algorithm>
#include <array>

#include "classlib/natives/declarations.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"

namespace keyhole::natives {

namespace {
constexpr std::array built_in = {"java", "jimage", "net", "nio", "zip", "verify", "extnet", "prefs",
                                 "management", "management_ext", "management_agent", "instrument", "jli", "rmi",
                                 "awt", "attach"};
// Libraries of java.desktop without an implementation here: fonts, codecs, profiles, screens, sound.
constexpr std::array desktop = {"awt_headless", "awt_xawt", "fontmanager", "freetype", "javajpeg",
                                "jawt", "jsound", "lcms", "mlib_image", "splashscreen"};
constexpr i32 jni_version_10 = 0x000A0000;

// "net" of "libnet.so", or of a path to it; empty when it is not a library's name.
std::string name_of_library(const std::string& file) {
  std::string base = file.substr(file.rfind('/') + 1);
  return base.starts_with("lib") && base.ends_with(".so") ? base.substr(3, base.size() - 6) : std::string();
}
bool contains(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
}  // namespace

// `file` is "libnet.so"; returns the library's name when it is built in, else null.
Object* NativeLibraries_findBuiltinLib(JavaThread* thread, Handle file) {
  if (file.is_null()) return throw_message(thread, names::java_lang_InternalError, "NULL filename for native library");
  std::string name = name_of_library(string_to_utf8(file.get()));
  if (!contains(built_in, name)) return nullptr;
  return make_string_utf8(thread, name);
}

bool NativeLibraries_load(JavaThread* thread, Handle library, Handle name, bool is_built_in, bool,
                          bool throw_on_failure) {
  if (is_built_in) {
    const late::NativeLibrary* row = late::get<late::NativeLibrary>(thread);
    if (row == nullptr) return false;
    library->set<i64>(row->handle, 1);
    library->set<i32>(row->jni_version, jni_version_10);
    return true;
  }
  if (!throw_on_failure) return false;
  std::string file = string_to_utf8(name.get());
  if (contains(desktop, name_of_library(file)))
    return throw_new(thread, names::java_lang_UnsatisfiedLinkError,
                     "{}: java.desktop: native rendering is not available", file);
  return throw_new(thread, names::java_lang_UnsatisfiedLinkError, "{}: Keyhole does not run native code of users",
                   file);
}

void NativeLibraries_unload(JavaThread*, Handle, bool, bool, i64) {}
i64 NativeLibraries_findEntry0(JavaThread*, Handle, Handle) { return 0; }

// From 21 on the flag for JNI is gone.
bool NativeLibraries_load_21(JavaThread* thread, Handle library, Handle name, bool is_built_in, bool throw_on_failure) {
  return NativeLibraries_load(thread, library, name, is_built_in, true, throw_on_failure);
}
void NativeLibraries_unload_21(JavaThread*, Handle, bool, i64) {}
i64 NativeLibrary_findEntry0(JavaThread*, i64, Handle) { return 0; }

}  // namespace keyhole::natives
