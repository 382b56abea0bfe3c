// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes class files in memory: the linkers of this folder define their generated classes by the ordinary define_class.
//
//   ClassWriter writer(access::Final, "Main$$Lambda$1", "java/lang/Object", {"java/lang/Runnable"});
//   CodeWriter code = writer.method(access::Public, "run", "()V");
//   code.invoke(opcode::invokestatic, "Main", "lambda$main$0", "()V");
//   code.op(opcode::return_);
//   code.end();
//   define_class(thread, nullptr, writer.finish(), ...);
//
// CodeWriter tracks the operand depth as instructions are appended, so max_stack needs no second pass. Code after an
// unconditional jump starts at a bound label, whose depth the jump has recorded. No StackMapTable is written: frame
// maps are inferred.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/types.h"
#include "vm/metadata/descriptor.h"

namespace keyhole::indy {

namespace opcode {
inline constexpr u8 aconst_null = 1, iconst_m1 = 2, iconst_0 = 3, iconst_1 = 4, lconst_0 = 9, fconst_0 = 11,
                    dconst_0 = 14, bipush = 16, sipush = 17, ldc_w = 19, ldc2_w = 20, iload = 21, lload = 22,
                    fload = 23, dload = 24, aload = 25, aaload = 50, istore = 54, lstore = 55, fstore = 56, dstore = 57,
                    astore = 58, aastore = 83, pop = 87, pop2 = 88, dup = 89, dup_x1 = 90, swap = 95, iadd = 96,
                    ladd = 97, imul = 104, ishl = 120, lshl = 121, iand = 126, ior = 128, ixor = 130, i2l = 133,
                    i2f = 134, i2d = 135, l2i = 136, l2f = 137, l2d = 138, f2d = 141, i2b = 145, i2c = 146, i2s = 147,
                    lcmp = 148, ifeq = 153, ifne = 154, iflt = 155, if_icmpeq = 159, if_icmpne = 160, if_icmpge = 162,
                    if_acmpeq = 165, if_acmpne = 166, goto_ = 167, ireturn = 172, lreturn = 173, freturn = 174,
                    dreturn = 175, areturn = 176, return_ = 177, getstatic = 178, putstatic = 179, getfield = 180,
                    putfield = 181, invokevirtual = 182, invokespecial = 183, invokestatic = 184, invokeinterface = 185,
                    new_ = 187, anewarray = 189, arraylength = 190, athrow = 191, checkcast = 192, instanceof = 193,
                    ifnull = 198, ifnonnull = 199;
}  // namespace opcode

class ClassWriter;

// A jump target: bound once, jumped to from anywhere before or after.
struct Label {
  i32 position = -1;
  i32 depth = -1;         // operand depth at the target, from the first jump
  std::vector<u32> uses;  // positions of the branch opcodes that wait for the binding
};

class CodeWriter {
 public:
  void op(u8 opcode);  // instructions without operand bytes
  void load(BasicType type, u32 local);
  void store(BasicType type, u32 local);
  void return_value(BasicType type);
  void integer(i32 value);
  void long_value(i64 value);
  void string(std::string_view modified_utf8);
  void class_constant(std::string_view internal_name);
  void type_op(u8 opcode, std::string_view internal_name);  // new_, checkcast, instanceof, anewarray
  void field(u8 opcode, std::string_view owner, std::string_view name, std::string_view descriptor);
  void invoke(u8 opcode, std::string_view owner, std::string_view name, std::string_view descriptor,
              bool owner_is_interface = false);
  void jump(u8 opcode, Label& label);
  void bind(Label& label);
  void box(std::string_view descriptor);  // primitive on top -> its wrapper; references stay
  // Exact wrapper on top -> primitive; references stay uncast.
  void unbox(std::string_view descriptor);
  // Primitive conversion of the top operand, widening only (JLS 5.1.2).
  void widen(BasicType from, BasicType to);
  void end();  // appends the method to its class

 private:
  friend class ClassWriter;
  CodeWriter(ClassWriter& owner, u32 access_flags, std::string_view name, std::string_view descriptor);
  void byte(u32 value) { bytes_.push_back(static_cast<u8>(value)); }
  void half(u32 value) {
    byte(value >> 8);
    byte(value);
  }
  void adjust(i32 change);
  ClassWriter& owner_;
  u16 access_flags_, name_index_, descriptor_index_;
  u32 max_locals_;
  i32 depth_ = 0, max_depth_ = 0;
  std::vector<u8> bytes_;
};

class ClassWriter {
 public:
  ClassWriter(u32 access_flags, std::string_view name, std::string_view super,
              const std::vector<std::string>& interfaces = {});
  void field(u32 access_flags, std::string_view name, std::string_view descriptor);
  CodeWriter method(u32 access_flags, std::string_view name, std::string_view descriptor);
  void native_method(u32 access_flags, std::string_view name, std::string_view descriptor);
  std::vector<u8> finish();

  const std::string& name() const { return name_; }
  u16 utf8(std::string_view text);
  u16 class_index(std::string_view internal_name);
  u16 string_index(std::string_view modified_utf8);
  u16 reference(u8 tag, std::string_view owner, std::string_view name, std::string_view descriptor);
  u16 integer_index(i32 value);
  u16 long_index(i64 value);

 private:
  friend class CodeWriter;
  u16 entry(std::string key, u32 slots = 1);  // key: the entry's bytes as in the file
  std::string name_;
  std::unordered_map<std::string, u16> entries_;
  std::vector<u8> pool_, fields_, methods_;
  u32 pool_count_ = 1, field_count_ = 0, method_count_ = 0;
  u32 access_flags_;
  u16 this_class_, super_class_;
  std::vector<u16> interfaces_;
};

// "I" -> "java/lang/Integer"; empty for references.
std::string_view wrapper_of(std::string_view descriptor);
// The internal name used with checkcast: "Ljava/lang/String;" -> "java/lang/String", "[I" stays.
std::string_view class_name_of(std::string_view descriptor);

}  // namespace keyhole::indy
