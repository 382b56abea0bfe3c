// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Natives of the overlay's BuiltinClassLoader and BootLoader: classes and resources of the class path and of
// lib/modules.
//
// Searching the class path reads files, so it runs in a NativeScope. The bytes of a class stay mapped or unpacked until
// it is defined.
#include <algorithm>
#include <set>

#include "classlib/natives/java.base/io/io_support.h"
#include "classlib/natives/java.base/loader/declarations.h"
#include "classlib/natives/java.base/loader/system_modules.h"
#include "classlib/natives/late_bound.h"
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/classfile/class_path.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/class_file_hook.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/metadata/packages.h"

namespace keyhole::natives {
namespace {

std::optional<Resource> find_on_class_path(JavaThread* thread, const std::string& name, u64 largest_bytes)
    MAY_SAFEPOINT {
  NativeScope native(thread);
  return application_class_path().find(name, largest_bytes);
}

// Makes a String[] of UTF-8 texts.
Object* make_string_array(JavaThread* thread, const std::vector<std::string>& texts) MAY_SAFEPOINT {
  Klass* string_class = resolve_class(thread, names::java_lang_String, boot_loader());
  if (string_class == nullptr) return nullptr;
  Klass* array_class = array_klass_of(thread, string_class);
  if (array_class == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle array = scope.make(heap::allocate_array(thread, array_class, static_cast<i32>(texts.size())));
  if (array.is_null()) return throw_out_of_memory(thread, "Java heap space");
  for (usize i = 0; i < texts.size(); ++i) {
    Object* text = make_string_utf8(thread, texts[i]);
    if (text == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), text);
  }
  return array.get();
}

}  // namespace

// --- BuiltinClassLoader ----------------------------------------------------------------------------------------------

Object* BuiltinClassLoader_findInJdk0(JavaThread* thread, Handle name) {
  std::string internal = string_to_modified_utf8(name.get());
  if (internal.find('/') != std::string::npos || internal.starts_with('[')) return nullptr;
  std::replace(internal.begin(), internal.end(), '.', '/');
  Klass* klass = load_from_jdk(thread, SymbolHandle(internal));
  return klass == nullptr ? nullptr : klass->mirror;
}

Object* BuiltinClassLoader_defineFromClassPath0(JavaThread* thread, Handle loader, Handle name, bool locate_only) {
  std::string internal = string_to_modified_utf8(name.get());
  std::replace(internal.begin(), internal.end(), '.', '/');
  if (jdk_owns_package(thread, package_of_name(internal)) || has_exception(thread)) return nullptr;
  std::optional<Resource> found =
      find_on_class_path(thread, internal + ".class", locate_only ? 0 : heap::maximum_bytes());
  // Like java's loaders, does not search further jars when a class is damaged.
  if (!found || found->is_damaged) return nullptr;
  if (found->is_indexed) return make_string_utf8(thread, "");
  if (locate_only || found->needs_checks) return make_string_utf8(thread, found->location);
  // java's loaders would read the bytes into the heap, which is too small for them.
  if (found->is_too_large) return throw_out_of_memory(thread, "Java heap space");
  DefineOptions options;
  options.source = found->location.c_str();
  HandleScope scope(thread);
  if (class_file_hook.load(std::memory_order_relaxed) != nullptr) {
    const late::ClassLoaders* row = late::get<late::ClassLoaders>(thread);
    if (row == nullptr) return nullptr;
    Slot arguments[] = {slot_of(name)};
    options.domain = scope.make(object_of(call_java(thread, row->protection_domain_of_name, arguments)));
    if (has_exception(thread)) return nullptr;
  }
  InstanceKlass* klass =
      define_class(thread, SymbolHandle(internal), found->bytes, loader_data_of(thread, loader.get()), options);
  return klass == nullptr ? nullptr : klass->mirror;
}

Object* BuiltinClassLoader_packagesOf0(JavaThread* thread, Handle loader) {
  LoaderData* data = loader_data_of(thread, loader.get());
  std::set<std::string> packages;
  {
    MutexLock guard(data->mutex);
    for (const auto& [name, klass] : data->dictionary) {
      if (klass->loader != data || !klass->is_instance()) continue;
      std::string package(package_of_name(name->text()));
      std::replace(package.begin(), package.end(), '/', '.');
      if (!package.empty()) packages.insert(std::move(package));
    }
  }
  return make_string_array(thread, {packages.begin(), packages.end()});
}

Object* BuiltinClassLoader_locations0(JavaThread* thread, Handle name, bool all) {
  std::string resource = string_to_utf8(name.get());
  std::vector<Place> places;
  {
    NativeScope native(thread);
    if (all) places = application_class_path().locate_all(resource);
    else if (auto found = application_class_path().locate(resource)) places.push_back(std::move(*found));
  }
  std::vector<std::string> pairs;
  for (Place& place : places) {
    if (place.is_indexed) return nullptr;
    pairs.push_back(std::move(place.location));
    pairs.push_back(std::move(place.name));
  }
  return make_string_array(thread, pairs);
}

Object* BuiltinClassLoader_manifest0(JavaThread* thread, Handle name) {
  // Looks for the location only, not for the bytes
  std::optional<Resource> found = find_on_class_path(thread, string_to_utf8(name.get()), 0);
  if (!found || !found->in_archive) return nullptr;
  std::vector<Resource> manifests;
  {
    NativeScope native(thread);
    manifests = application_class_path().find_all("META-INF/MANIFEST.MF");
  }
  for (const Resource& each : manifests) {
    if (each.location == found->location) return io::make_byte_array(thread, each.bytes.data(), each.bytes.size());
  }
  return nullptr;
}

// Judges by the names, because opening each entry would cost time at the start. Directories have no manifest.
bool BuiltinClassLoader_hasArchives0(JavaThread*) {
  std::string path = application_class_path().text();
  std::transform(path.begin(), path.end(), path.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return path.find(".jar") != std::string::npos || path.find(".zip") != std::string::npos ||
         path.find('*') != std::string::npos;
}

// --- BootLoader ------------------------------------------------------------------------------------------------------

Object* BootLoader_resource0(JavaThread* thread, Handle module, Handle name) {
  std::string from = string_to_utf8(module.get()), what = string_to_utf8(name.get());
  std::optional<Resource> patched = boot_find_in_patch(from, what);
  std::span<const u8> bytes = patched ? patched->bytes : system_modules::resource(from, what);
  return bytes.data() == nullptr ? nullptr : io::make_byte_array(thread, bytes.data(), bytes.size());
}

Object* BootLoader_moduleOf0(JavaThread* thread, Handle package) {
  std::string_view module = boot_module_of_package(string_to_utf8(package.get()));
  return module.empty() ? nullptr : make_string_utf8(thread, module);
}

Object* BootLoader_defaultModuleNames0(JavaThread* thread) {
  return make_string_array(thread, system_modules::default_names());
}

Object* BootLoader_modulesWith0(JavaThread* thread, Handle resource) {
  std::string name = string_to_utf8(resource.get());
  std::vector<std::string> holders;
  for (const std::string& module : system_modules::names()) {
    bool has = boot_find_in_patch(module, name) || system_modules::resource(module, name).data() != nullptr;
    if (has) holders.push_back(module);
  }
  return make_string_array(thread, holders);
}

bool BootLoader_usesService0(JavaThread*, Handle module, Handle service) {
  return system_modules::uses(string_to_utf8(module.get()), string_to_utf8(service.get()));
}

// --- ServicesCatalog -------------------------------------------------------------------------------------------------

Object* ServicesCatalog_serviceProviders0(JavaThread* thread, Handle service) {
  std::vector<std::string> pairs;
  for (system_modules::Provider& each : system_modules::providers(string_to_utf8(service.get()))) {
    pairs.emplace_back(each.module);
    pairs.push_back(std::move(each.implementation));
  }
  return make_string_array(thread, pairs);
}

}  // namespace keyhole::natives
