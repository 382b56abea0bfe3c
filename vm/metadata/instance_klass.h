// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class or interface after parsing: members, constant pool, tables, life cycle.
//
//   Loaded -> Linked (verified, prepared, tables made) -> BeingInitialized -> Initialized
//                                                       \-> Erroneous (NoClassDefFoundError for ever)
//
// R1: `state` only moves along the arrows, under the initialisation lock, with release stores. A reader that sees
//     Initialized (acquire) sees the class's static state. A site that has seen Initialized need not check again.
// R2: a class that is BeingInitialized counts as initialised for `initializing_thread` (JVMS 5.5 step 3).
#pragma once

#include "vm/metadata/constant_pool.h"

namespace keyhole {

enum class ClassState : u8 { Loaded, Linking, Linked, BeingInitialized, Initialized, Erroneous };

struct Field {
  InstanceKlass* holder;
  const Symbol* name;
  const Symbol* descriptor;
  const Symbol* generic_signature;
  u32 access_flags;
  u32 offset;  // offset in the object, or in the mirror for statics
  BasicType type;
  u16 constant_value_index;  // 0 = none
  u16 field_index;           // position in holder->fields: java.lang.reflect.Field.slot
  const u8* annotations;
  u32 annotations_length;
  const u8* type_annotations;
  u32 type_annotations_length;
  bool is_static() const { return (access_flags & access::Static) != 0; }
  bool is_volatile() const { return (access_flags & access::Volatile) != 0; }
  bool is_final() const { return (access_flags & access::Final) != 0; }
};

// The implementations of an interface's methods in a class. There is a table for each implemented interface, including
// inherited ones.
struct InterfaceTable {
  InstanceKlass* interface;
  // Indexed by Method::itable_index. Null: the call throws AbstractMethodError. A method that is not public:
  // IllegalAccessError.
  std::atomic<Method*>* methods;
};

struct SubtypeLink;  // class_hierarchy.h

struct InnerClass {  // constant-pool indices (JVMS 4.7.6)
  u16 inner_class, outer_class, name, access_flags;
};

struct RecordComponent {
  const Symbol* name;
  const Symbol* descriptor;
  const Symbol* generic_signature;
  const u8* annotations;
  u32 annotations_length;
  const u8* type_annotations;
  u32 type_annotations_length;
};

struct InstanceKlass : Klass {
  ConstantPool* constants;
  Method** methods;  // in the order of the class file; the VM may append hidden bridge methods
  Field* fields;
  InstanceKlass** interfaces;  // direct
  InterfaceTable* interface_tables;
  u16 method_count, field_count, interface_count;
  u16 interface_table_count;
  u16 interface_method_count;  // length of an interface's table
  u16 major_version;
  u32 static_bytes;  // bytes in the mirror beyond java.lang.Class's own fields
  u32 mirror_bytes;  // whole mirror
  // Statics begin at Klass::static_reference_offset of the mirror, those of reference type first
  // (Klass::static_reference_count).

  const Symbol* source_file;
  const Symbol* generic_signature;
  u16 inner_class_count;
  const InnerClass* inner_classes;
  u16 enclosing_class_index, enclosing_method_index;  // from the attribute EnclosingMethod
  u16 nest_host_index;
  u16 nest_member_count;
  const u16* nest_members;
  u16 permitted_subclass_count;
  const u16* permitted_subclasses;
  bool is_sealed, is_record, is_hidden;
  u16 record_component_count;
  const RecordComponent* record_components;
  const u8* annotations;
  u32 annotations_length;
  const u8* type_annotations;
  u32 type_annotations_length;
  u32 modifiers;  // flags for Class.getModifiers: those of the InnerClasses attribute if it has the class

  const u8* class_file;  // the file that a retransformation starts from; lives as long as the class
  u32 class_file_bytes;

  const u16 *method_index, *field_index;  // the indices of a large class (member_index.h), else null
  // the nest host, resolved at first use; for hidden nestmates, set when the class is defined
  InstanceKlass* nest_host;
  Method* class_initializer;  // null = none
  bool has_finalizer;         // overrides Object.finalize with a body
  bool has_default_methods;
  bool is_published;                   // set by the thread that links the class (class_hierarchy.h)
  std::atomic<SubtypeLink*> subtypes;  // published direct subtypes
  bool is_boot;                        // from the boot path, or made by the VM: trusted, not verified by default

  std::atomic<ClassState> state;
  JavaThread* initializing_thread;  // guarded by the initialisation lock
  Object* initialization_error;     // GC root: the error that Erroneous repeats
  Object* protection_domain;        // GC root: Class.getProtectionDomain
  Object* signers;                  // GC root: Class.getSigners
  Object* class_data;               // GC root: MethodHandles.Lookup.defineHiddenClass class data, lambda constants

  bool is_initialized() const { return state.load(std::memory_order_acquire) == ClassState::Initialized; }
  bool is_linked() const { return state.load(std::memory_order_acquire) >= ClassState::Linked; }

  // Finds a member that this class itself declares.
  Method* find_declared_method(const Symbol* name, const Symbol* descriptor) const;
  Field* find_declared_field(const Symbol* name, const Symbol* descriptor) const;
  // Searches this class, then its superclasses (JVMS 5.4.3.3 steps 1 and 2), without access check and without
  // interfaces.
  Method* find_method_in_class_chain(const Symbol* name, const Symbol* descriptor) const;
};

}  // namespace keyhole
