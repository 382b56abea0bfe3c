// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of this folder's linkers: lazily found Java helpers, mirrors and method types of descriptors,
// generated classes.
#pragma once

#include <atomic>
#include <initializer_list>
#include <string>
#include <vector>

#include "vm/link/exceptions.h"
#include "vm/link/indy/class_writer.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::indy {

// A boot class found at first use: programs that do not use java.lang.invoke must not load it.
class LazyClass {
 public:
  constexpr explicit LazyClass(const char* name) : name_(name) {}
  InstanceKlass* get(JavaThread* thread) MAY_SAFEPOINT;  // initialised; null with a pending exception

 private:
  const char* name_;
  std::atomic<InstanceKlass*> klass_{nullptr};
};

// A static method of a boot class, found at first use.
class LazyMethod {
 public:
  constexpr LazyMethod(LazyClass& owner, const char* name, const char* descriptor)
      : owner_(owner), name_(name), descriptor_(descriptor) {}
  Method* get(JavaThread* thread) MAY_SAFEPOINT;
  // Calls the method, with arguments as for call_java. Null with a pending exception when it threw.
  Object* call(JavaThread* thread, std::initializer_list<Slot> arguments) MAY_SAFEPOINT;

 private:
  LazyClass& owner_;
  const char* name_;
  const char* descriptor_;
  std::atomic<Method*> method_{nullptr};
};

// Do call sites check the types that java.lang.invoke.TypeBoundary lists?
#if KEYHOLE_DEBUG
inline constexpr bool checks_types = true;
#else
inline constexpr bool checks_types = false;
#endif

inline constexpr std::string_view object_descriptor = "Ljava/lang/Object;";

extern LazyClass linkage_class;  // java.lang.invoke.Linkage: the Java side of this folder

// The descriptors of a method's parameters; `result` gets the return descriptor.
std::vector<std::string> parameters_of(std::string_view descriptor, std::string* result = nullptr);
std::string descriptor_of(const std::vector<std::string>& parameters, std::string_view result);
// The descriptor of an internal class name: "java/lang/String" -> "Ljava/lang/String;", "[I" stays.
std::string descriptor_of_class(std::string_view internal_name);
std::string descriptor_of_klass(const Klass* klass);  // primitives too
// References become java.lang.Object, primitives stay: the key by which adapters are generated and cached.
std::string erased(std::string_view descriptor);

// The java.lang.invoke.MethodType of a method descriptor, its classes as `from` sees them (JVMS 5.4.3.5).
[[nodiscard]] Object* method_type_of(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from)
    MAY_SAFEPOINT;
// Finds the classes of a method descriptor, without access checks. False: NoClassDefFoundError is pending.
[[nodiscard]] bool resolve_types_of(JavaThread* thread, std::string_view descriptor, LoaderData* loader) MAY_SAFEPOINT;
// Checks that the classes of a method descriptor exist and are accessible. False: an exception is pending.
[[nodiscard]] bool check_types_of(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from)
    MAY_SAFEPOINT;
// Replaces a pending exception that is no Error, such as one of a class loader, by BootstrapMethodError, whose cause it
// becomes (JVMS 5.4.3.6).
void wrap_in_bootstrap_error(JavaThread* thread) MAY_SAFEPOINT;
// The mirror of a field descriptor's class, accessible or not.
[[nodiscard]] Object* mirror_of(JavaThread* thread, std::string_view descriptor, LoaderData* loader) MAY_SAFEPOINT;
// The descriptor of a java.lang.invoke.MethodType object. May call Java.
[[nodiscard]] bool descriptor_of_method_type(JavaThread* thread, Handle type, std::string& descriptor) MAY_SAFEPOINT;

// A constant-pool entry as the argument of a bootstrap method: numbers boxed, a null Dynamic constant as null.
[[nodiscard]] bool bootstrap_argument(JavaThread* thread, ConstantPool* constants, u32 index, Handle result)
    MAY_SAFEPOINT;
// The bootstrap method of a Dynamic or InvokeDynamic entry, and its static arguments as an Object[].
[[nodiscard]] bool bootstrap_arguments(JavaThread* thread, ConstantPool* constants, u32 dynamic_index,
                                       Handle bootstrap_method, Handle arguments) MAY_SAFEPOINT;
[[nodiscard]] Object* box_integer(JavaThread* thread, i32 value) MAY_SAFEPOINT;
[[nodiscard]] Object* box_long(JavaThread* thread, i64 value) MAY_SAFEPOINT;
// Object[]; throws OutOfMemoryError.
[[nodiscard]] Object* allocate_objects(JavaThread* thread, i32 length) MAY_SAFEPOINT;

// Flags of java.lang.invoke.MemberName: access flags and three bits beside them.
inline constexpr u32 caller_sensitive_member = 1u << 20, trusted_final_member = 1u << 21, conflicting_member = 1u << 22;
u32 member_flags(const Method* method);
u32 member_flags(const Field* field);

// Defines a finished class as a hidden, initialised one. With `nestmate`, it joins that class's nest and uses its
// loader.
[[nodiscard]] InstanceKlass* define_generated(JavaThread* thread, ClassWriter& writer, InstanceKlass* nestmate,
                                              Handle class_data = {}) MAY_SAFEPOINT;
// Defines a class in java.base on behalf of the class `keeper`, with which it lives and dies.
[[nodiscard]] InstanceKlass* define_for(JavaThread* thread, ClassWriter& writer, InstanceKlass* keeper) MAY_SAFEPOINT;
// Returns the only method with that name.
Method* method_named(InstanceKlass* klass, std::string_view name);

}  // namespace keyhole::indy
