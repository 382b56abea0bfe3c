// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.ClassLoader.
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/class_tables.h"
#include "classlib/natives/java.base/lang/define_class.h"
#include "classlib/natives/late_bound.h"

namespace keyhole::natives {

namespace {

// Converts a class name to its internal form: "java.lang.String" -> java/lang/String; null for null.
SymbolHandle internal_name(Handle name) TOUCHES_OBJECTS {
  if (name.is_null()) return {};
  std::string text = string_to_modified_utf8(name.get());
  for (char& c : text)
    if (c == '.') c = '/';
  return SymbolHandle(text);
}

Object* define(JavaThread* thread, Handle loader, Handle name, std::span<const u8> bytes, Handle domain,
               DefineOptions options) MAY_SAFEPOINT {
  options.domain = domain;
  LoaderData* loader_data = loader_data_of(thread, loader.get());
  if (loader_data == nullptr) return nullptr;
  if (!name.is_null() && string_length(name.get()) > 0xFFFF)
    return throw_message(thread, names::java_lang_NoClassDefFoundError, "Class name exceeds maximum length of 65535");
  InstanceKlass* klass = define_class(thread, internal_name(name), bytes, loader_data, options);
  if (klass == nullptr) return nullptr;
  if (!domain.is_null()) set_protection_domain(klass, domain.get());
  return klass->mirror;
}

// Flags of Lookup.defineHiddenClass (java.lang.invoke.MethodHandleNatives.Constants).
constexpr i32 nestmate_class = 1, hidden_class = 2, strong_loader_link = 4;

}  // namespace

Object* define_from_array(JavaThread* thread, Handle loader, Handle name, Handle bytes, i32 offset, i32 length,
                          Handle domain, const DefineOptions& options) {
  if (bytes.is_null()) return throw_null_pointer(thread);
  if (length < 0 || offset < 0 || offset > bytes->length() - length)
    return throw_message(thread, names::java_lang_ArrayIndexOutOfBoundsException, nullptr);
  const u8* start = bytes->elements<u8>() + offset;
  std::vector<u8> copy(start, start + length);
  return define(thread, loader, name, copy, domain, options);
}

Object* ClassLoader_defineClass1(JavaThread* thread, Handle loader, Handle name, Handle bytes, i32 offset, i32 length,
                                 Handle domain, Handle source) {
  std::string source_text = source.is_null() ? std::string() : string_to_utf8(source.get());
  DefineOptions options;
  if (!source_text.empty()) options.source = source_text.c_str();
  return define_from_array(thread, loader, name, bytes, offset, length, domain, options);
}

Object* ClassLoader_defineClass2(JavaThread* thread, Handle loader, Handle name, Handle buffer, i32 offset, i32 length,
                                 Handle domain, Handle source) {
  if (buffer.is_null()) return throw_null_pointer(thread);
  const late::Buffer* row = late::get<late::Buffer>(thread);
  if (row == nullptr) return nullptr;
  const u8* start = reinterpret_cast<const u8*>(buffer->get<i64>(row->address)) + offset;
  std::string source_text = source.is_null() ? std::string() : string_to_utf8(source.get());
  DefineOptions options;
  if (!source_text.empty()) options.source = source_text.c_str();
  return define(thread, loader, name, {start, static_cast<usize>(length)}, domain, options);
}

// Lookup.defineClass and defineHiddenClass.
Object* ClassLoader_defineClass0(JavaThread* thread, Handle loader, Handle lookup, Handle name, Handle bytes,
                                 i32 offset, i32 length, Handle domain, bool initialize, i32 flags, Handle class_data) {
  if (lookup.is_null()) return throw_message(thread, names::java_lang_IllegalArgumentException, "Lookup class is null");
  DefineOptions options;
  options.class_data = class_data;
  options.hidden = (flags & hidden_class) != 0;
  if (!options.hidden && (flags & nestmate_class) != 0)
    return throw_message(thread, names::java_lang_IllegalArgumentException,
                         "dynamic nestmate is only applicable to hidden classes");
  if (!options.hidden && !class_data.is_null())
    return throw_message(thread, names::java_lang_IllegalArgumentException,
                         "classData is only applicable for hidden classes");
  if ((flags & nestmate_class) != 0) {
    options.nest_host = nest_host_of(thread, klass_of(lookup)->as_instance());
    if (options.nest_host == nullptr) return nullptr;
  }
  if (options.hidden && (flags & strong_loader_link) != 0) options.unit = &loader_data_of(thread, loader.get())->unit;
  HandleScope scope(thread);
  Object* defined = define_from_array(thread, loader, name, bytes, offset, length, domain, options);
  if (defined == nullptr) return nullptr;
  Handle mirror = scope.make(defined);
  InstanceKlass* klass = klass_of(mirror)->as_instance();
  barrier::store(mirror.get(), well_known::Class_class_data, class_data.get());
  if (options.hidden && !link_class(thread, klass)) return nullptr;
  if (initialize && !initialize_class(thread, klass)) return nullptr;
  return mirror.get();
}

Object* ClassLoader_findBootstrapClass(JavaThread* thread, Handle name) {
  if (name.is_null()) return nullptr;
  return mirror_or_null(find_boot_class_or_null(thread, internal_name(name)));
}

Object* ClassLoader_findLoadedClass0(JavaThread* thread, Handle self, Handle name) {
  if (name.is_null()) return nullptr;
  LoaderData* loader_data = loader_data_of(thread, self.get());
  return loader_data == nullptr ? nullptr : mirror_or_null(find_loaded_class(internal_name(name), loader_data));
}

}  // namespace keyhole::natives
