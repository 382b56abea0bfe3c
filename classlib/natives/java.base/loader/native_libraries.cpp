// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.loader.NativeLibraries: the JDK's own libraries count as built in (their natives are in
// classlib/natives.def), and users' JNI libraries are refused. All other libraries are opened, because programs may
// look up C functions in them. RawNativeLibraries opens every library that the system's loader opens.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/loader/shared_objects.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"

namespace keyhole::natives {

namespace {
constexpr std::array built_in = {"java",
                                 "jimage",
                                 "net",
                                 "nio",
                                 "zip",
                                 "verify",
                                 "extnet",
                                 "prefs",
                                 "management",
                                 "management_ext",
                                 "management_agent",
                                 "instrument",
                                 "jli",
                                 "rmi",
                                 "awt",
                                 "attach",
                                 "fallbackLinker",
                                 "jaas",
                                 "sctp"};
// Libraries of java.desktop without an implementation here: fonts, codecs, profiles, screens, sound.
constexpr std::array desktop = {"awt_headless", "awt_xawt", "fontmanager", "freetype",   "javajpeg",
                                "jawt",         "jsound",   "lcms",        "mlib_image", "splashscreen"};
constexpr i32 jni_version_10 = 0x000A0000;
constexpr i64 built_in_handle = 1;

// The library's name: "net" for "libnet.so", or for a path to it; empty when it is not a library's name.
std::string name_of_library(const std::string& file) {
  std::string base = file.substr(file.rfind('/') + 1);
  return base.starts_with("lib") && base.ends_with(".so") ? base.substr(3, base.size() - 6) : std::string();
}
bool contains(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
// The address of a symbol in an opened library, or 0.
i64 address_of(i64 handle, Handle name) TOUCHES_OBJECTS {
  if (handle == 0 || handle == built_in_handle || name.is_null()) return 0;
  return reinterpret_cast<i64>(dlsym(reinterpret_cast<void*>(handle), string_to_utf8(name.get()).c_str()));
}
void close(JavaThread* thread, bool is_built_in, i64 handle) MAY_SAFEPOINT {
  if (!is_built_in && handle != 0) close_shared_object(thread, reinterpret_cast<void*>(handle));
}
}  // namespace

// Returns the library's name when the file ("libnet.so") is built in, else null.
Object* NativeLibraries_findBuiltinLib(JavaThread* thread, Handle file) {
  if (file.is_null()) return throw_message(thread, names::java_lang_InternalError, "NULL filename for native library");
  std::string name = name_of_library(string_to_utf8(file.get()));
  if (!contains(built_in, name)) return nullptr;
  return make_string_utf8(thread, name);
}

bool NativeLibraries_load(JavaThread* thread, Handle library, Handle name, bool is_built_in, bool,
                          bool throw_on_failure) {
  const late::NativeLibrary* row = late::get<late::NativeLibrary>(thread);
  if (row == nullptr) return false;
  if (is_built_in) {
    library->set<i64>(row->handle, built_in_handle);
    library->set<i32>(row->jni_version, jni_version_10);
    return true;
  }
  std::string file = string_to_utf8(name.get());
  if (!throw_on_failure && ::access(file.c_str(), F_OK) != 0) return false;
  if (contains(desktop, name_of_library(file)))
    return throw_new(thread, names::java_lang_UnsatisfiedLinkError,
                     "{}: java.desktop: native rendering is not available", file);
  if (serves_jni(file))
    return throw_new(thread, names::java_lang_UnsatisfiedLinkError, "{}: Keyhole does not run native code of users",
                     file);
  std::string failure;
  void* opened = open_shared_object(thread, file, failure);
  if (opened == nullptr) return throw_new(thread, names::java_lang_UnsatisfiedLinkError, "{}: {}", file, failure);
  library->set<i64>(row->handle, reinterpret_cast<i64>(opened));
  library->set<i32>(row->jni_version, jni_version_10);
  return true;
}

void NativeLibraries_unload(JavaThread* thread, Handle, bool is_built_in, bool, i64 handle) {
  close(thread, is_built_in, handle);
}
i64 NativeLibraries_findEntry0(JavaThread* thread, Handle library, Handle name) {
  const late::NativeLibrary* row = late::get<late::NativeLibrary>(thread);
  return row == nullptr ? 0 : address_of(library->get<i64>(row->handle), name);
}

// Since 21 it has no parameter for JNI.
bool NativeLibraries_load_21(JavaThread* thread, Handle library, Handle name, bool is_built_in, bool throw_on_failure) {
  return NativeLibraries_load(thread, library, name, is_built_in, true, throw_on_failure);
}
void NativeLibraries_unload_21(JavaThread* thread, Handle, bool is_built_in, i64 handle) {
  close(thread, is_built_in, handle);
}
i64 NativeLibrary_findEntry0(JavaThread*, i64 handle, Handle name) { return address_of(handle, name); }

bool RawNativeLibraries_load0(JavaThread* thread, Handle library, Handle name) {
  const late::RawNativeLibrary* row = late::get<late::RawNativeLibrary>(thread);
  if (row == nullptr) return false;
  std::string failure;
  void* opened = open_shared_object(thread, string_to_utf8(name.get()), failure);
  library->set<i64>(row->handle, reinterpret_cast<i64>(opened));
  return opened != nullptr;
}
void RawNativeLibraries_unload0(JavaThread* thread, Handle, i64 handle) { close(thread, false, handle); }

}  // namespace keyhole::natives
