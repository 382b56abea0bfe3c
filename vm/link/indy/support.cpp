// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lazily found Java helpers, method types, generated classes.
#include "vm/link/indy/support.h"

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/log.h"
#include "vm/link/well_known.h"

namespace keyhole::indy {

LazyClass linkage_class("java/lang/invoke/Linkage");

namespace {

LazyClass integer_class("java/lang/Integer"), long_class("java/lang/Long"), float_class("java/lang/Float"),
    double_class("java/lang/Double");
LazyMethod integer_value_of(integer_class, "valueOf", "(I)Ljava/lang/Integer;");
LazyMethod long_value_of(long_class, "valueOf", "(J)Ljava/lang/Long;");
LazyMethod float_value_of(float_class, "valueOf", "(F)Ljava/lang/Float;");
LazyMethod double_value_of(double_class, "valueOf", "(D)Ljava/lang/Double;");
LazyMethod make_method_type(linkage_class, "methodType",
                            "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;");
LazyMethod describe_method_type(linkage_class, "descriptor", "(Ljava/lang/invoke/MethodType;)Ljava/lang/String;");

}  // namespace

InstanceKlass* LazyClass::get(JavaThread* thread) {
  InstanceKlass* klass = klass_.load(std::memory_order_acquire);
  if (klass != nullptr) return klass;
  Klass* found = resolve_class(thread, Symbol::intern(name_), boot_loader());
  if (found == nullptr || !initialize_class(thread, found->as_instance())) return nullptr;
  klass_.store(found->as_instance(), std::memory_order_release);
  return found->as_instance();
}

Method* LazyMethod::get(JavaThread* thread) {
  Method* method = method_.load(std::memory_order_acquire);
  if (method != nullptr) return method;
  InstanceKlass* owner = owner_.get(thread);
  if (owner == nullptr) return nullptr;
  method = owner->find_declared_method(Symbol::intern(name_), Symbol::intern(descriptor_));
  KEYHOLE_CHECK(method != nullptr, "{}.{}{} is missing", owner->name->text(), name_, descriptor_);
  method_.store(method, std::memory_order_release);
  return method;
}

Object* LazyMethod::call(JavaThread* thread, std::initializer_list<Slot> arguments) {
  // Finding the method may run Java code, so references among the arguments are kept in handles.
  Method* method = method_.load(std::memory_order_acquire);
  if (method == nullptr) {
    HandleScope scope(thread);
    std::vector<Slot> copy(arguments);
    std::vector<Handle> rooted(copy.size());
    u32 position = 0;
    for (DescriptorIterator it(Symbol::intern(descriptor_)); !it.at_end(); it.next()) {
      if (it.type() == BasicType::Reference) rooted[position] = scope.make(object_of(copy[position]));
      position += slot_count(it.type());
    }
    method = get(thread);
    if (method == nullptr) return nullptr;
    for (usize i = 0; i < copy.size(); ++i)
      if (rooted[i].slot() != nullptr) copy[i] = slot_of(rooted[i]);
    return object_of(call_java(thread, method, copy));
  }
  return object_of(call_java(thread, method, std::span<const Slot>(arguments.begin(), arguments.size())));
}

// --- descriptors -----------------------------------------------------------------------------------------------------

std::vector<std::string> parameters_of(std::string_view descriptor, std::string* result) {
  std::vector<std::string> parameters;
  DescriptorIterator it(descriptor);
  for (; !it.at_end(); it.next()) parameters.emplace_back(it.text());
  if (result != nullptr) *result = it.return_text();
  return parameters;
}

std::string descriptor_of(const std::vector<std::string>& parameters, std::string_view result) {
  std::string text = "(";
  for (const std::string& parameter : parameters) text += parameter;
  text += ')';
  text += result;
  return text;
}

std::string descriptor_of_class(std::string_view internal_name) {
  return internal_name[0] == '[' ? std::string(internal_name) : fmt::format("L{};", internal_name);
}

std::string descriptor_of_klass(const Klass* klass) {
  if (!klass->is_primitive()) return descriptor_of_class(klass->name->text());
  static constexpr std::string_view letters = "ZCFDBSIJ?V";
  return std::string(1, letters[static_cast<u32>(klass->element_type) - static_cast<u32>(BasicType::Boolean)]);
}

std::string erased(std::string_view descriptor) {
  std::string result;
  std::vector<std::string> parameters = parameters_of(descriptor, &result);
  auto erase = [](std::string& type) {
    if (basic_type_of_descriptor(type[0]) == BasicType::Reference) type = "Ljava/lang/Object;";
  };
  for (std::string& parameter : parameters) erase(parameter);
  erase(result);
  return descriptor_of(parameters, result);
}

namespace {

template <typename Resolve> bool for_each_class(std::string_view descriptor, Resolve&& resolve) MAY_SAFEPOINT {
  std::string result;
  std::vector<std::string> types = parameters_of(descriptor, &result);
  types.push_back(result);
  for (const std::string& type : types) {
    if (basic_type_of_descriptor(type[0]) == BasicType::Reference && resolve(type) == nullptr) return false;
  }
  return true;
}

Klass* resolve_type(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from) MAY_SAFEPOINT {
  Klass* klass = resolve_descriptor(thread, descriptor, from->loader);
  return klass != nullptr && check_class_access(thread, from, klass) ? klass : nullptr;
}

}  // namespace

bool resolve_types_of(JavaThread* thread, std::string_view descriptor, LoaderData* loader) {
  return for_each_class(
      descriptor, [&](const std::string& type) MAY_SAFEPOINT { return resolve_descriptor(thread, type, loader); });
}

bool check_types_of(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from) {
  return for_each_class(descriptor,
                        [&](const std::string& type) MAY_SAFEPOINT { return resolve_type(thread, type, from); });
}

void wrap_in_bootstrap_error(JavaThread* thread) {
  static LazyClass error_class("java/lang/Error");
  HandleScope scope(thread);
  Handle cause = scope.make(take_exception(thread));
  InstanceKlass* error = error_class.get(thread);
  if (error == nullptr) return;
  if (cause->klass()->is_subtype_of(error)) {
    throw_object(thread, cause.get());
    return;
  }
  Method* to_string = find_method(cause->klass(), Symbol::intern("toString"), Symbol::intern("()Ljava/lang/String;"));
  Slot arguments[] = {slot_of(cause)};
  Object* text = object_of(call_java_virtual(thread, to_string, arguments));
  if (has_exception(thread)) return;
  std::string message = text == nullptr ? std::string() : string_to_utf8(text);
  throw_message(thread, Symbol::intern("java/lang/BootstrapMethodError"), text == nullptr ? nullptr : message.c_str(),
                cause);
}

Object* mirror_of(JavaThread* thread, std::string_view descriptor, LoaderData* loader) {
  Klass* klass = resolve_descriptor(thread, descriptor, loader);
  return klass == nullptr ? nullptr : klass->mirror;
}

Object* method_type_of(JavaThread* thread, std::string_view descriptor, const InstanceKlass* from) {
  std::string result_text;
  std::vector<std::string> parameters = parameters_of(descriptor, &result_text);
  std::vector<Klass*> klasses;
  for (const std::string& parameter : parameters) {
    klasses.push_back(resolve_type(thread, parameter, from));
    if (klasses.back() == nullptr) return nullptr;
  }
  Klass* result = resolve_type(thread, result_text, from);
  if (result == nullptr) return nullptr;
  Klass* class_array = array_klass_of(thread, well_known::Class_class);
  if (class_array == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle array = scope.make(heap::allocate_array(thread, class_array, static_cast<i32>(klasses.size())));
  if (array.is_null()) return throw_out_of_memory(thread, "Java heap space");
  for (usize i = 0; i < klasses.size(); ++i)
    barrier::store_element(array.get(), static_cast<i32>(i), klasses[i]->mirror);
  return make_method_type.call(thread, {slot_of(result->mirror), slot_of(array)});
}

bool descriptor_of_method_type(JavaThread* thread, Handle type, std::string& descriptor) {
  Object* text = describe_method_type.call(thread, {slot_of(type)});
  if (has_exception(thread)) return false;
  descriptor = string_to_modified_utf8(text);
  return true;
}

// --- objects ---------------------------------------------------------------------------------------------------------

Object* box_integer(JavaThread* thread, i32 value) { return integer_value_of.call(thread, {slot_of(value)}); }
Object* box_long(JavaThread* thread, i64 value) { return long_value_of.call(thread, {0, slot_of(value)}); }

Object* allocate_objects(JavaThread* thread, i32 length) {
  Klass* klass = array_klass_of(thread, well_known::Object_class);
  if (klass == nullptr) return nullptr;
  Object* array = heap::allocate_array(thread, klass, length);
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  return array;
}

bool bootstrap_argument(JavaThread* thread, ConstantPool* constants, u32 index, Handle result) {
  Object* value = nullptr;
  switch (constants->tag(index)) {
    case ConstantTag::Integer: value = box_integer(thread, constants->integer(index)); break;
    case ConstantTag::Long: value = box_long(thread, constants->long_value(index)); break;
    case ConstantTag::Float: value = float_value_of.call(thread, {static_cast<u32>(constants->integer(index))}); break;
    case ConstantTag::Double:
      value = double_value_of.call(thread, {0, static_cast<u64>(constants->long_value(index))});
      break;
    default: {
      bool is_null = false;
      value = resolve_object_at(thread, constants, index, &is_null);
      break;
    }
  }
  if (has_exception(thread)) return false;
  result.set(value);
  return true;
}

// --- generated classes -----------------------------------------------------------------------------------------------

namespace {

DefineOptions generated_class() {
  DefineOptions options;
  options.hidden = true;
  options.boot_trusted = true;
  options.source = "__JVM_LookupDefineClass__";
  return options;
}

bool complete(JavaThread* thread, InstanceKlass* klass, usize byte_count) MAY_SAFEPOINT {
  if (!initialize_class(thread, klass)) return false;
  for (u32 i = 0; i < klass->method_count; ++i) klass->methods[i]->hidden_frame = true;
  KEYHOLE_LOG(debug, indy, "generated {} ({} bytes)", klass->name->text(), byte_count);
  return true;
}

}  // namespace

InstanceKlass* define_for(JavaThread* thread, ClassWriter& writer, InstanceKlass* keeper) {
  std::vector<u8> bytes = writer.finish();
  InstanceKlass* klass = define_class(thread, nullptr, bytes, boot_loader(), generated_class());
  if (klass == nullptr) return nullptr;
  HandleScope scope(thread);
  [[maybe_unused]] Handle kept = scope.make(klass->mirror);  // keeps the class alive until its keeper does
  {
    MutexLock guard(keeper->loader->mutex);
    keeper->unit->keep(klass->unit);
  }
  return complete(thread, klass, bytes.size()) ? klass : nullptr;
}

InstanceKlass* define_generated(JavaThread* thread, ClassWriter& writer, InstanceKlass* nestmate, Handle class_data) {
  std::vector<u8> bytes = writer.finish();
  DefineOptions options = generated_class();
  options.class_data = class_data;
  LoaderData* loader = boot_loader();
  options.unit = &loader->unit;
  if (nestmate != nullptr) {
    options.nest_host = nest_host_of(thread, nestmate);
    if (options.nest_host == nullptr) return nullptr;
    loader = nestmate->loader;
    options.unit = nestmate->unit;
  }
  InstanceKlass* klass = define_class(thread, nullptr, bytes, loader, options);
  return klass != nullptr && complete(thread, klass, bytes.size()) ? klass : nullptr;
}

Method* method_named(InstanceKlass* klass, std::string_view name) {
  for (u32 i = 0; i < klass->method_count; ++i)
    if (klass->methods[i]->name->text() == name) return klass->methods[i];
  return nullptr;
}

}  // namespace keyhole::indy
