// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reflective calls: Method.invoke and Constructor.newInstance. They use the JDK's native accessors, which the JDK
// replaces by generated classes after 15 calls (vm/link/reflection_accessors.h says what these may do). In libraries
// from 18 on accessors call method handles. There, natives replace the handles (NativeAccessors.java): they throw the
// exception that a handle would throw, and the accessor converts it for the caller. Methods that are called often have
// generated code (direct_call.h).
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/late_bound.h"
#include "vm/link/indy/direct_call.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"

namespace keyhole::natives {

namespace {

// Selects the messages: those of 17's native accessors, of later native accessors, or of method handles.
enum class Words : u8 { OfNativeAccessors, OfLaterNativeAccessors, OfHandle };

Thrown throw_argument_count(JavaThread* thread, Words words, i32 found, i32 expected) MAY_SAFEPOINT {
  if (words == Words::OfNativeAccessors) return throw_illegal_argument(thread, "wrong number of arguments");
  return throw_new(thread, names::java_lang_IllegalArgumentException, "wrong number of arguments: {} expected: {}",
                   found, expected);
}

Thrown throw_receiver(JavaThread* thread, Handle receiver, const Klass* expected) MAY_SAFEPOINT {
  if (!release::names_wrong_receiver())
    return throw_illegal_argument(thread, "object is not an instance of declaring class");
  return throw_new(thread, names::java_lang_IllegalArgumentException, "object of type {} is not an instance of {}",
                   external_name(receiver->klass()), external_name(expected));
}

// Throws for an argument that is no value of its parameter's type. Java code makes the exception that a handle would
// throw.
Thrown throw_mismatch(JavaThread* thread, Words words, Handle type, Handle argument) MAY_SAFEPOINT {
  if (words != Words::OfHandle)
    return throw_illegal_argument(thread, argument.is_null() ? nullptr : "argument type mismatch");
  const late::NativeAccessors* accessors = late::get<late::NativeAccessors>(thread);
  if (accessors == nullptr) return {};
  Slot slots[] = {slot_of(type), slot_of(argument)};
  Object* refusal = object_of(call_java(thread, accessors->refusal, slots));
  if (!has_exception(thread)) throw_object(thread, refusal);
  return {};
}

// Converts the Object[] of a reflective call to slots of the parameter types. The slots are raw: no safepoint may be
// reached between this and the call.
bool convert_arguments(JavaThread* thread, Words words, Handle parameter_types, Handle arguments,
                       std::vector<Slot>& slots) MAY_SAFEPOINT {
  i32 count = arguments.is_null() ? 0 : arguments->length();
  if (count != parameter_types->length()) return throw_argument_count(thread, words, count, parameter_types->length());
  for (i32 i = 0; i < count; ++i) {
    const Klass* type = klass_of_mirror(parameter_types->reference_at(i));
    Object* argument = arguments->reference_at(i);
    auto mismatch = [&]() MAY_SAFEPOINT {
      HandleScope scope(thread);
      return throw_mismatch(thread, words, scope.make(parameter_types->reference_at(i)), scope.make(argument));
    };
    if (!type->is_primitive()) {
      if (argument != nullptr && !argument->klass()->is_subtype_of(type)) return mismatch();
      slots.push_back(slot_of(argument));
      continue;
    }
    if (argument == nullptr) return mismatch();
    Unboxed value = unbox(argument);
    if (value.type == BasicType::Illegal || !widen(value.type, type->element_type, value.value)) return mismatch();
    if (slot_count(type->element_type) == 2) slots.push_back(0);
    slots.push_back(value.value);
  }
  return true;
}

// Wraps the callee's exception in InvocationTargetException, unless an accessor in Java does so.
Thrown wrap_exception(JavaThread* thread, Words words) MAY_SAFEPOINT {
  if (words == Words::OfHandle) return {};
  HandleScope scope(thread);
  Handle target = scope.make(take_exception(thread));
  return throw_message(thread, names::java_lang_reflect_InvocationTargetException, nullptr, target);
}

}  // namespace

// Calls `method`: the VM's method of `reflected`, or its adapter, whose last parameter is the caller. Null: an
// exception is pending.
static Object* invoke(JavaThread* thread, Words words, Method* method, Handle reflected, Handle receiver,
                      Handle arguments, const Handle* caller = nullptr) MAY_SAFEPOINT {
  HandleScope scope(thread);
  const late::Method* row = late::get<late::Method>(thread);
  if (method == nullptr || row == nullptr || !load_boxes(thread)) return nullptr;
  Handle parameter_types = scope.make(reflected->get_reference(row->parameter_types));

  std::vector<Slot> slots;
  slots.reserve(method->argument_slots);
  if (method->is_static()) {
    if (!initialize_class(thread, method->holder)) return nullptr;
  } else {
    if (receiver.is_null()) return throw_null_pointer(thread);
    if (!receiver->klass()->is_subtype_of(method->holder)) return throw_receiver(thread, receiver, method->holder);
    slots.push_back(slot_of(receiver));
  }
  if (!convert_arguments(thread, words, parameter_types, arguments, slots)) return nullptr;
  if (caller != nullptr && method->argument_count > parameter_types->length()) slots.push_back(slot_of(*caller));
  bool direct = method->is_static() || method->is_private();
  u64 result = direct ? call_java(thread, method, slots) : call_java_virtual(thread, method, slots);
  if (has_exception(thread)) return wrap_exception(thread, words);
  return box(thread, method->return_type, result);
}

static Object* new_instance_by(JavaThread* thread, Words words, Handle reflected, Handle arguments) MAY_SAFEPOINT {
  HandleScope scope(thread);
  const late::Constructor* row = late::get<late::Constructor>(thread);
  if (row == nullptr || !load_boxes(thread)) return nullptr;
  Method* constructor = method_of(thread, reflected.get());
  if (constructor == nullptr) return nullptr;
  InstanceKlass* klass = constructor->holder;
  if (klass->is_abstract() || klass->is_interface())
    return throw_message(thread, names::java_lang_InstantiationException, external_name(klass));
  if (!initialize_class(thread, klass)) return nullptr;
  Handle parameter_types = scope.make(reflected->get_reference(row->parameter_types));
  Object* object = new_instance(thread, klass);
  if (object == nullptr) return nullptr;
  Handle made = scope.make(object);

  std::vector<Slot> slots;
  slots.reserve(constructor->argument_slots);
  slots.push_back(slot_of(made));
  if (!convert_arguments(thread, words, parameter_types, arguments, slots)) return nullptr;
  call_java(thread, constructor, slots);
  if (has_exception(thread)) return wrap_exception(thread, words);
  return made.get();
}

Object* NativeMethodAccessorImpl_invoke0(JavaThread* thread, Handle reflected, Handle receiver, Handle arguments) {
  Method* method = method_of(thread, reflected.get());
  return invoke(thread, Words::OfNativeAccessors, method, reflected, receiver, arguments);
}
Object* NativeConstructorAccessorImpl_newInstance0(JavaThread* thread, Handle reflected, Handle arguments) {
  return new_instance_by(thread, Words::OfNativeAccessors, reflected, arguments);
}
Object* DirectMethodHandleAccessor_invoke0(JavaThread* thread, Handle reflected, Handle receiver, Handle arguments) {
  Method* method = method_of(thread, reflected.get());
  return invoke(thread, Words::OfLaterNativeAccessors, method, reflected, receiver, arguments);
}
Object* DirectConstructorHandleAccessor_newInstance0(JavaThread* thread, Handle reflected, Handle arguments) {
  return new_instance_by(thread, Words::OfLaterNativeAccessors, reflected, arguments);
}

// Replaces the call of the accessor's handle, which is null. Only NativeAccessors makes such accessors.
static Object* invoke_by_accessor(JavaThread* thread, Handle self, Handle receiver, Handle arguments,
                                  const Handle* caller) MAY_SAFEPOINT {
  const late::OfMethod* row = late::get<late::OfMethod>(thread);
  if (row == nullptr) return nullptr;
  HandleScope scope(thread);
  auto* method = reinterpret_cast<Method*>(self->get<i64>(row->address));
  Handle reflected = scope.make(self->get_reference(row->method));
  return invoke(thread, Words::OfHandle, method, reflected, receiver, arguments, caller);
}
Object* NativeAccessors_invoke0(JavaThread* thread, Handle self, Handle receiver, Handle arguments) {
  return invoke_by_accessor(thread, self, receiver, arguments, nullptr);
}
Object* DirectMethodHandleAccessor_invokeImplFor(JavaThread* thread, Handle self, Handle receiver, Handle arguments,
                                                 Handle caller) {
  return invoke_by_accessor(thread, self, receiver, arguments, &caller);
}
Object* NativeAccessors_create(JavaThread* thread, Handle constructor, Handle arguments) {
  return new_instance_by(thread, Words::OfHandle, constructor, arguments);
}

i64 NativeAccessors_addressOf(JavaThread* thread, Handle reflected) {
  return reinterpret_cast<i64>(method_of(thread, reflected.get()));
}

Object* NativeAccessors_codeFor(JavaThread* thread, i64 address, Handle parameter_types) {
  auto* method = reinterpret_cast<Method*>(address);
  std::vector<const Klass*> parameters;
  for (i32 i = 0; i < parameter_types->length(); ++i)
    parameters.push_back(klass_of_mirror(parameter_types->reference_at(i)));
  auto kind = method->is_initializer() ? indy::ReferenceKind::NewInvokeSpecial : indy::ReferenceKind::InvokeVirtual;
  return indy::make_direct_call(thread, method, kind, indy::CallArguments::Checked, parameters);
}

// Called before the accessors' class is linked.
void NativeAccessors_takeOver(JavaThread* thread, Handle accessors) {
  const auto* klass = static_cast<const InstanceKlass*>(klass_of_mirror(accessors.get()));
  auto declared = [&](const char* descriptor) {
    return klass->find_declared_method(Symbol::intern("invokeImpl"), Symbol::intern(descriptor));
  };
  if (const late::NativeAccessors* row = late::get<late::NativeAccessors>(thread)) {
    well_known::take_body(declared("(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"), row->invoke);
    well_known::make_native(declared("(Ljava/lang/Object;[Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;"));
  }
}

}  // namespace keyhole::natives
