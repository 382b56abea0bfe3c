// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.internal.reflect.ConstantPool: the annotation parser's view of a class's constants. `constantPoolOop` is the
// class's mirror.
#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/late_bound.h"

namespace keyhole::natives {

Object* Class_getConstantPool(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  const late::ConstantPool* row = late::get<late::ConstantPool>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* object = new_instance(thread, row->klass);
  if (object != nullptr) barrier::store(object, row->owner, self.get());
  return object;
}

namespace {

ConstantPool* pool_of(Handle mirror) TOUCHES_OBJECTS { return klass_of(mirror)->as_instance()->constants; }

// Checks an index. False: an IllegalArgumentException is pending, as for every index or tag that does not fit.
bool check(JavaThread* thread, const ConstantPool* pool, i32 index) MAY_SAFEPOINT {
  if (index > 0 && index < pool->count) return true;
  return throw_message(thread, names::java_lang_IllegalArgumentException, "Constant pool index out of bounds");
}
bool check(JavaThread* thread, const ConstantPool* pool, i32 index, std::initializer_list<ConstantTag> tags)
    MAY_SAFEPOINT {
  if (!check(thread, pool, index)) return false;
  for (ConstantTag tag : tags)
    if (pool->tag(static_cast<u32>(index)) == tag) return true;
  return throw_message(thread, names::java_lang_IllegalArgumentException, "Wrong type at constant pool index");
}
constexpr std::initializer_list<ConstantTag> member_tags = {ConstantTag::Fieldref, ConstantTag::Methodref,
                                                            ConstantTag::InterfaceMethodref};
constexpr std::initializer_list<ConstantTag> method_tags = {ConstantTag::Methodref, ConstantTag::InterfaceMethodref};

// The class of a member reference. With `only_loaded` the class is not loaded.
Klass* member_class(JavaThread* thread, ConstantPool* pool, u32 index, bool only_loaded) MAY_SAFEPOINT {
  if (only_loaded) return find_loaded_class(pool->ref_class_name(index), pool->holder->loader);
  return resolve_class_at(thread, pool, pool->first(index));
}

Object* method_at(JavaThread* thread, Handle mirror, i32 at, bool only_loaded) MAY_SAFEPOINT {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, at, method_tags)) return nullptr;
  u32 index = static_cast<u32>(at);
  Klass* klass = member_class(thread, pool, index, only_loaded);
  if (klass == nullptr) return nullptr;
  Method* method = find_method(klass, pool->ref_name(index), pool->ref_descriptor(index));
  if (method == nullptr)
    return throw_message(thread, Symbol::intern("java/lang/RuntimeException"),
                         "Unable to look up method in target class");
  return method->is_initializer() ? make_constructor_object(thread, method) : make_method_object(thread, method);
}

Object* field_at(JavaThread* thread, Handle mirror, i32 at, bool only_loaded) MAY_SAFEPOINT {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, at, {ConstantTag::Fieldref})) return nullptr;
  u32 index = static_cast<u32>(at);
  Klass* klass = member_class(thread, pool, index, only_loaded);
  if (klass == nullptr || !klass->is_instance()) return nullptr;
  Field* field = find_field(klass->as_instance(), pool->ref_name(index), pool->ref_descriptor(index));
  if (field == nullptr)
    return throw_message(thread, Symbol::intern("java/lang/RuntimeException"),
                         "Unable to look up field in target class");
  return make_field_object(thread, field);
}

Object* symbol_array(JavaThread* thread, std::initializer_list<const Symbol*> symbols) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, well_known::String_class, static_cast<i32>(symbols.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  i32 i = 0;
  for (const Symbol* symbol : symbols) {
    Object* text = make_string(thread, symbol->text());
    if (text == nullptr) return nullptr;
    barrier::store_element(array.get(), i++, text);
  }
  return array.get();
}

}  // namespace

i32 ConstantPool_getSize0(JavaThread*, Handle, Handle mirror) { return pool_of(mirror)->count; }

Object* ConstantPool_getClassAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, {ConstantTag::Class})) return nullptr;
  return mirror_or_null(resolve_class_at(thread, pool, static_cast<u32>(index)));
}

Object* ConstantPool_getClassAtIfLoaded0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, {ConstantTag::Class})) return nullptr;
  return mirror_or_null(find_loaded_class(pool->class_name(static_cast<u32>(index)), pool->holder->loader));
}

i32 ConstantPool_getClassRefIndexAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index, member_tags) ? static_cast<i32>(pool->first(static_cast<u32>(index))) : 0;
}

i32 ConstantPool_getNameAndTypeRefIndexAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index,
             {ConstantTag::Fieldref, ConstantTag::Methodref, ConstantTag::InterfaceMethodref,
              ConstantTag::InvokeDynamic, ConstantTag::Dynamic}))
    return 0;
  return static_cast<i32>(pool->second(static_cast<u32>(index)));
}

Object* ConstantPool_getMethodAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  return method_at(thread, mirror, index, false);
}
Object* ConstantPool_getMethodAtIfLoaded0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  return method_at(thread, mirror, index, true);
}
Object* ConstantPool_getFieldAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  return field_at(thread, mirror, index, false);
}
Object* ConstantPool_getFieldAtIfLoaded0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  return field_at(thread, mirror, index, true);
}

Object* ConstantPool_getMemberRefInfoAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, member_tags)) return nullptr;
  u32 at = static_cast<u32>(index);
  return symbol_array(thread, {pool->ref_class_name(at), pool->ref_name(at), pool->ref_descriptor(at)});
}

Object* ConstantPool_getNameAndTypeRefInfoAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, {ConstantTag::NameAndType})) return nullptr;
  u32 at = static_cast<u32>(index);
  return symbol_array(thread, {pool->utf8(pool->first(at)), pool->utf8(pool->second(at))});
}

i32 ConstantPool_getIntAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index, {ConstantTag::Integer}) ? pool->integer(static_cast<u32>(index)) : 0;
}

i64 ConstantPool_getLongAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index, {ConstantTag::Long}) ? pool->long_value(static_cast<u32>(index)) : 0;
}

f32 ConstantPool_getFloatAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index, {ConstantTag::Float})
             ? __builtin_bit_cast(f32, pool->integer(static_cast<u32>(index)))
             : 0;
}

f64 ConstantPool_getDoubleAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index, {ConstantTag::Double})
             ? __builtin_bit_cast(f64, pool->long_value(static_cast<u32>(index)))
             : 0;
}

Object* ConstantPool_getStringAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, {ConstantTag::String})) return nullptr;
  return resolve_object_at(thread, pool, static_cast<u32>(index));
}

Object* ConstantPool_getUTF8At0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  if (!check(thread, pool, index, {ConstantTag::Utf8})) return nullptr;
  return make_string(thread, pool->utf8(static_cast<u32>(index))->text());
}

i8 ConstantPool_getTagAt0(JavaThread* thread, Handle, Handle mirror, i32 index) {
  ConstantPool* pool = pool_of(mirror);
  return check(thread, pool, index) ? static_cast<i8>(pool->tag(static_cast<u32>(index))) : static_cast<i8>(0);
}

}  // namespace keyhole::natives
