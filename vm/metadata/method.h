// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method: its data from the class file, its places in the tables, and its entries.
#pragma once

#include <atomic>

#include "runtime/base/symbol.h"
#include "runtime/threads/java_thread.h"
#include "vm/metadata/descriptor.h"

namespace keyhole {

struct InstanceKlass;
struct Instruction;
struct ConstantPool;
struct MethodCode;  // vm/code/instruction.h: the pre-decoded body
struct FrameMaps;   // vm/verify/frame_map.h: the dataflow's cached result
struct MethodData;  // vm/interpreter/method_data.h: its profile

namespace access {
inline constexpr u32 Public = 0x0001, Private = 0x0002, Protected = 0x0004, Static = 0x0008, Final = 0x0010,
                     Synchronized = 0x0020, Super = 0x0020, Volatile = 0x0040, Bridge = 0x0040, Transient = 0x0080,
                     Varargs = 0x0080, Native = 0x0100, Interface = 0x0200, Abstract = 0x0400, Strict = 0x0800,
                     Synthetic = 0x1000, Annotation = 0x2000, Enum = 0x4000, Module = 0x8000;
}  // namespace access

// A native method's C++ body. It runs managed (InVM). `arguments` are the method's locals, which are roots while it
// runs. It returns the value as a slot (references as Object*), which is ignored when an exception is pending.
using NativeFunction = u64 (*)(JavaThread* thread, Slot* arguments);

// The interpreter's handler type, whose arguments only vm/interpreter knows. An invoke jumps to `entry`.
using MethodEntry = void (*)();

struct ExceptionHandler {                                 // JVMS 4.7.3
  u16 start_bci, end_bci, handler_bci, catch_type_index;  // 0 = any

  bool covers(u32 bci) const { return bci >= start_bci && bci < end_bci; }
};

class Method {
 public:
  InstanceKlass* holder;
  ConstantPool* constants;
  const Symbol* name;
  const Symbol* descriptor;
  u32 access_flags;
  u16 max_stack;
  u16 max_locals;
  u16 argument_slots;  // number of argument slots, including `this`; long and double count two
  BasicType return_type;
  u8 argument_count;  // without `this`
  i32 vtable_index;   // -1: not virtual (static, private, <init>), or found through an interface table only
  i32 itable_index;   // position in its interface's table; -1 when the holder is a class

  // The Code attribute. `code` is null for abstract and native methods.
  const u8* code;
  u32 code_length;
  u16 handler_count;
  u16 line_count;
  const ExceptionHandler* handlers;
  // The line_number_table as in the class file (big-endian pairs start_bci, line). line_of reads it.
  const u8* lines;
  const u8* stack_map;  // raw StackMapTable, or null
  u32 stack_map_length;
  u16 method_index;  // position in holder->methods
  u16 version;       // number of redefinitions of the method
  u16 local_variable_count;
  // The raw local_variable_table (JVMS 4.7.13), only for classes of the application; null when absent.
  const u8* local_variables;

  // Raw attribute bytes for reflection (classlib/natives/java.base/reflect); null when absent.
  const u8* annotations;
  u32 annotations_length;
  const u8* parameter_annotations;
  u32 parameter_annotations_length;
  const u8* annotation_default;
  u32 annotation_default_length;
  const u8* type_annotations;
  u32 type_annotations_length;
  const u8* parameters;
  u32 parameters_length;  // MethodParameters
  const u16* checked_exceptions;
  u16 checked_exception_count;
  const Symbol* generic_signature;

  bool caller_sensitive : 1;  // @CallerSensitive (boot classes only)
  bool hidden_frame : 1;      // @Hidden, or a hidden class: not shown in stack traces
  bool force_inline : 1;
  bool dont_inline : 1;
  bool polymorphic_signature : 1;  // for example MethodHandle.invokeExact (JVMS 2.9.3)
  bool intrinsic_candidate : 1;

  Method* replaced;  // a copy of the method from before its last redefinition, or null (redefinition.h)

  // The method's entries and bodies. They are replaced with release stores as it is linked, decoded and compiled.
  std::atomic<MethodEntry> entry;
  std::atomic<MethodEntry> entry_from_code;  // called by compiled code; jumps to `entry` until the method is
                                             // compiled (vm/interpreter/compiler.h)
  std::atomic<NativeFunction> native;        // linked at first call
  std::atomic<MethodCode*> body;             // made at first execution
  std::atomic<FrameMaps*> frame_maps;        // made at first need
  std::atomic<MethodData*> data;             // created when the method is warm, if profiling is on

  bool is_static() const { return (access_flags & access::Static) != 0; }
  bool is_native() const { return (access_flags & access::Native) != 0; }
  bool is_abstract() const { return (access_flags & access::Abstract) != 0; }
  bool is_synchronized() const { return (access_flags & access::Synchronized) != 0; }
  bool is_private() const { return (access_flags & access::Private) != 0; }
  bool is_final() const { return (access_flags & access::Final) != 0; }
  bool is_initializer() const { return name == names::object_initializer; }
  bool is_class_initializer() const { return name == names::class_initializer; }

  i32 line_of(u32 bci) const;  // -1 unknown, -2 native
  // The method as HotSpot's messages print it: "java.lang.String.indexOf(String, int)".
  std::string external_name() const;
};

}  // namespace keyhole
