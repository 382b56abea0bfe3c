// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// At least one vector for every row of vm/bytecodes.def: a small static method, arguments, and the literal result. Nothing here
// is computed, so that wrong semantics cannot agree with itself; the results were confirmed by OpenJDK 17.
//
// The code is that of tests/support/class_builder.h, with '|' between lines. `self` in it stands for the class that holds all
// vectors: static fields sz sb ss sc si sl sf sd sa, instance fields z b s c i l f d a of the same types, a constructor, and
// the methods listed in bytecode_vectors_test.cpp.
#pragma once

#include <limits>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::testing {

struct Value {
  char kind;         // I J F D; A: null; V: void; T: throws
  u64 bits = 0;
  const char* exception = nullptr;
};
constexpr Value I(i32 value) { return {'I', static_cast<u32>(value)}; }
constexpr Value L(i64 value) { return {'J', static_cast<u64>(value)}; }
constexpr Value F(f32 value) { return {'F', __builtin_bit_cast(u32, value)}; }
constexpr Value D(f64 value) { return {'D', __builtin_bit_cast(u64, value)}; }
constexpr Value null_value{'A'};
constexpr Value nothing{'V'};
constexpr Value throws(const char* exception) { return {'T', 0, exception}; }

struct Vector {
  const char* instruction;   // the one in question
  const char* descriptor;
  const char* code;
  std::vector<Value> arguments;
  Value expected;
};

inline const std::vector<Vector>& bytecode_vectors() {
  constexpr i32 min_int = std::numeric_limits<i32>::min(), max_int = std::numeric_limits<i32>::max();
  constexpr i64 min_long = std::numeric_limits<i64>::min(), max_long = std::numeric_limits<i64>::max();
  constexpr f32 nan_f = std::numeric_limits<f32>::quiet_NaN(), inf_f = std::numeric_limits<f32>::infinity();
  constexpr f64 nan_d = std::numeric_limits<f64>::quiet_NaN(), inf_d = std::numeric_limits<f64>::infinity();
  constexpr const char* null_pointer = "java/lang/NullPointerException";
  constexpr const char* bounds = "java/lang/ArrayIndexOutOfBoundsException";
  constexpr const char* arithmetic = "java/lang/ArithmeticException";
  constexpr const char* negative_size = "java/lang/NegativeArraySizeException";
  static const std::vector<Vector> vectors = {
      // --- constants -----------------------------------------------------------------------------------------------------
      {"nop", "()I", "nop|iconst_1|nop|ireturn", {}, I(1)},
      {"aconst_null", "()Ljava/lang/Object;", "aconst_null|areturn", {}, null_value},
      {"iconst_m1", "()I", "iconst_m1|ireturn", {}, I(-1)},
      {"iconst_0", "()I", "iconst_0|ireturn", {}, I(0)},
      {"iconst_1", "()I", "iconst_1|ireturn", {}, I(1)},
      {"iconst_2", "()I", "iconst_2|ireturn", {}, I(2)},
      {"iconst_3", "()I", "iconst_3|ireturn", {}, I(3)},
      {"iconst_4", "()I", "iconst_4|ireturn", {}, I(4)},
      {"iconst_5", "()I", "iconst_5|ireturn", {}, I(5)},
      {"lconst_0", "()J", "lconst_0|lreturn", {}, L(0)},
      {"lconst_1", "()J", "lconst_1|lreturn", {}, L(1)},
      {"fconst_0", "()F", "fconst_0|freturn", {}, F(0.0f)},
      {"fconst_1", "()F", "fconst_1|freturn", {}, F(1.0f)},
      {"fconst_2", "()F", "fconst_2|freturn", {}, F(2.0f)},
      {"dconst_0", "()D", "dconst_0|dreturn", {}, D(0.0)},
      {"dconst_1", "()D", "dconst_1|dreturn", {}, D(1.0)},
      {"bipush", "()I", "bipush -128|ireturn", {}, I(-128)},
      {"bipush", "()I", "bipush 127|ireturn", {}, I(127)},
      {"sipush", "()I", "sipush -32768|ireturn", {}, I(-32768)},
      {"sipush", "()I", "sipush 32767|ireturn", {}, I(32767)},
      {"ldc", "()I", "ldc 123456789|ireturn", {}, I(123456789)},
      {"ldc", "()F", "ldc 1.5f|freturn", {}, F(1.5f)},
      {"ldc", "()I", "ldc \"seven..\"|invokevirtual java/lang/String.length ()I|ireturn", {}, I(7)},
      {"ldc", "()I", "ldc \"same\"|ldc \"same\"|if_acmpeq same|iconst_0|ireturn|same: iconst_1|ireturn", {}, I(1)},
      {"ldc", "()I", "ldc class java/lang/String|invokevirtual java/lang/Class.getModifiers ()I|ireturn", {}, I(17)},
      {"ldc_w", "()I", "ldc_w -2147483648|ireturn", {}, I(min_int)},
      {"ldc_w", "()F", "ldc_w -0.0f|freturn", {}, F(-0.0f)},
      {"ldc2_w", "()J", "ldc2_w 1234567890123456789L|lreturn", {}, L(1234567890123456789)},
      {"ldc2_w", "()D", "ldc2_w 0.1|dreturn", {}, D(0.1)},

      // --- loads and stores ------------------------------------------------------------------------------------------------
      {"iload", "(JJI)I", "iload 4|ireturn", {L(1), L(2), I(33)}, I(33)},
      {"lload", "(JJJ)J", "lload 4|lreturn", {L(1), L(2), L(-3)}, L(-3)},
      {"fload", "(JJF)F", "fload 4|freturn", {L(1), L(2), F(2.5f)}, F(2.5f)},
      {"dload", "(JJD)D", "dload 4|dreturn", {L(1), L(2), D(-2.5)}, D(-2.5)},
      {"aload", "(JJ)I", "ldc \"four\"|astore 4|aload 4|invokevirtual java/lang/String.length ()I|ireturn", {L(1), L(2)}, I(4)},
      {"iload_0", "(IIII)I", "iload_0|ireturn", {I(10), I(11), I(12), I(13)}, I(10)},
      {"iload_1", "(IIII)I", "iload_1|ireturn", {I(10), I(11), I(12), I(13)}, I(11)},
      {"iload_2", "(IIII)I", "iload_2|ireturn", {I(10), I(11), I(12), I(13)}, I(12)},
      {"iload_3", "(IIII)I", "iload_3|ireturn", {I(10), I(11), I(12), I(13)}, I(13)},
      {"lload_0", "(JJ)J", "lload_0|lreturn", {L(20), L(21)}, L(20)},
      {"lload_1", "(IJ)J", "lload_1|lreturn", {I(20), L(max_long)}, L(max_long)},
      {"lload_2", "(JJ)J", "lload_2|lreturn", {L(20), L(21)}, L(21)},
      {"lload_3", "(IJJ)J", "lload_3|lreturn", {I(20), L(21), L(22)}, L(22)},
      {"fload_0", "(FFFF)F", "fload_0|freturn", {F(0.5f), F(1.5f), F(2.5f), F(3.5f)}, F(0.5f)},
      {"fload_1", "(FFFF)F", "fload_1|freturn", {F(0.5f), F(1.5f), F(2.5f), F(3.5f)}, F(1.5f)},
      {"fload_2", "(FFFF)F", "fload_2|freturn", {F(0.5f), F(1.5f), F(2.5f), F(3.5f)}, F(2.5f)},
      {"fload_3", "(FFFF)F", "fload_3|freturn", {F(0.5f), F(1.5f), F(2.5f), F(3.5f)}, F(3.5f)},
      {"dload_0", "(DD)D", "dload_0|dreturn", {D(0.25), D(0.75)}, D(0.25)},
      {"dload_1", "(ID)D", "dload_1|dreturn", {I(1), D(0.75)}, D(0.75)},
      {"dload_2", "(DD)D", "dload_2|dreturn", {D(0.25), D(0.75)}, D(0.75)},
      {"dload_3", "(IDD)D", "dload_3|dreturn", {I(1), D(0.25), D(1e300)}, D(1e300)},
      {"aload_0", "()I", "ldc \"a\"|astore_0|aload_0|invokevirtual java/lang/String.length ()I|ireturn", {}, I(1)},
      {"aload_1", "()I", "ldc \"ab\"|astore_1|aload_1|invokevirtual java/lang/String.length ()I|ireturn", {}, I(2)},
      {"aload_2", "()I", "ldc \"abc\"|astore_2|aload_2|invokevirtual java/lang/String.length ()I|ireturn", {}, I(3)},
      {"aload_3", "()I", "ldc \"abcd\"|astore_3|aload_3|invokevirtual java/lang/String.length ()I|ireturn", {}, I(4)},
      {"istore", "(I)I", "iload_0|istore 5|iload 5|ireturn", {I(-7)}, I(-7)},
      {"lstore", "(J)J", "lload_0|lstore 5|lload 5|lreturn", {L(-7)}, L(-7)},
      {"fstore", "(F)F", "fload_0|fstore 5|fload 5|freturn", {F(-7.5f)}, F(-7.5f)},
      {"dstore", "(D)D", "dload_0|dstore 5|dload 5|dreturn", {D(-7.5)}, D(-7.5)},
      {"astore", "()I", "ldc \"xyz\"|astore 6|aload 6|invokevirtual java/lang/String.length ()I|ireturn", {}, I(3)},
      {"istore_0", "()I", "bipush 50|istore_0|iload_0|ireturn", {}, I(50)},
      {"istore_1", "()I", "bipush 51|istore_1|iload_1|ireturn", {}, I(51)},
      {"istore_2", "()I", "bipush 52|istore_2|iload_2|ireturn", {}, I(52)},
      {"istore_3", "()I", "bipush 53|istore_3|iload_3|ireturn", {}, I(53)},
      {"lstore_0", "()J", "ldc2_w 5000000000L|lstore_0|lload_0|lreturn", {}, L(5000000000)},
      {"lstore_1", "()J", "ldc2_w 5000000001L|lstore_1|lload_1|lreturn", {}, L(5000000001)},
      {"lstore_2", "()J", "ldc2_w 5000000002L|lstore_2|lload_2|lreturn", {}, L(5000000002)},
      {"lstore_3", "()J", "ldc2_w 5000000003L|lstore_3|lload_3|lreturn", {}, L(5000000003)},
      {"fstore_0", "()F", "fconst_1|fstore_0|fload_0|freturn", {}, F(1.0f)},
      {"fstore_1", "()F", "fconst_2|fstore_1|fload_1|freturn", {}, F(2.0f)},
      {"fstore_2", "()F", "fconst_1|fstore_2|fload_2|freturn", {}, F(1.0f)},
      {"fstore_3", "()F", "fconst_2|fstore_3|fload_3|freturn", {}, F(2.0f)},
      {"dstore_0", "()D", "ldc2_w 2.25|dstore_0|dload_0|dreturn", {}, D(2.25)},
      {"dstore_1", "()D", "ldc2_w 3.25|dstore_1|dload_1|dreturn", {}, D(3.25)},
      {"dstore_2", "()D", "ldc2_w 4.25|dstore_2|dload_2|dreturn", {}, D(4.25)},
      {"dstore_3", "()D", "ldc2_w 5.25|dstore_3|dload_3|dreturn", {}, D(5.25)},
      {"astore_0", "()Ljava/lang/Object;", "aconst_null|astore_0|aload_0|areturn", {}, null_value},
      {"astore_1", "()Ljava/lang/Object;", "aconst_null|astore_1|aload_1|areturn", {}, null_value},
      {"astore_2", "()Ljava/lang/Object;", "aconst_null|astore_2|aload_2|areturn", {}, null_value},
      {"astore_3", "()Ljava/lang/Object;", "aconst_null|astore_3|aload_3|areturn", {}, null_value},
      {"wide", "(I)I", ".locals 400|iload_0|istore 300|wide iinc 300 1000|iload 300|ireturn", {I(5)}, I(1005)},
      {"wide", "(J)J", ".locals 400|lload_0|lstore 300|lload 300|lreturn", {L(min_long)}, L(min_long)},
      {"wide", "(D)D", ".locals 400|dload_0|dstore 398|wide dload 398|dreturn", {D(1.25)}, D(1.25)},
      {"wide", "()I", ".locals 400|jsr sub|iconst_3|ireturn|sub: astore 300|wide ret 300", {}, I(3)},
      {"iinc", "(I)I", "iinc 0 1|iload_0|ireturn", {I(max_int)}, I(min_int)},
      {"iinc", "(I)I", "iinc 0 -128|iload_0|ireturn", {I(0)}, I(-128)},

      // --- arrays ------------------------------------------------------------------------------------------------------------
      {"newarray", "(I)I", "iload_0|newarray int|arraylength|ireturn", {I(9)}, I(9)},
      {"newarray", "(I)I", "iload_0|newarray long|arraylength|ireturn", {I(-1)}, throws(negative_size)},
      {"iastore", "(II)I", "iconst_3|newarray int|astore_2|aload_2|iload_0|iload_1|iastore|aload_2|iload_0|iaload|ireturn", {I(2), I(-77)}, I(-77)},
      {"iaload", "(I)I", "iconst_3|newarray int|iload_0|iaload|ireturn", {I(3)}, throws(bounds)},
      {"iaload", "(I)I", "iconst_3|newarray int|iload_0|iaload|ireturn", {I(-1)}, throws(bounds)},
      {"iaload", "()I", "aconst_null|checkcast [I|iconst_0|iaload|ireturn", {}, throws(null_pointer)},
      {"lastore", "(J)J", "iconst_2|newarray long|dup|iconst_1|lload_0|lastore|iconst_1|laload|lreturn", {L(min_long)}, L(min_long)},
      {"laload", "()J", "aconst_null|checkcast [J|iconst_0|laload|lreturn", {}, throws(null_pointer)},
      {"fastore", "(F)F", "iconst_2|newarray float|dup|iconst_1|fload_0|fastore|iconst_1|faload|freturn", {F(-1.5f)}, F(-1.5f)},
      {"faload", "()F", "iconst_2|newarray float|iconst_2|faload|freturn", {}, throws(bounds)},
      {"dastore", "(D)D", "iconst_2|newarray double|dup|iconst_1|dload_0|dastore|iconst_1|daload|dreturn", {D(1e-300)}, D(1e-300)},
      {"daload", "()D", "iconst_2|newarray double|iconst_0|daload|dreturn", {}, D(0.0)},
      {"aastore", "()I", "iconst_2|anewarray java/lang/String|dup|iconst_1|ldc \"abc\"|aastore|iconst_1|aaload|invokevirtual java/lang/String.length ()I|ireturn", {}, I(3)},
      {"aastore", "()V", "iconst_2|anewarray java/lang/String|checkcast [Ljava/lang/Object;|iconst_0|new java/lang/Object|dup|invokespecial java/lang/Object.<init> ()V|aastore|return", {}, throws("java/lang/ArrayStoreException")},
      {"aaload", "()Ljava/lang/Object;", "iconst_2|anewarray java/lang/String|iconst_0|aaload|areturn", {}, null_value},
      {"bastore", "(I)I", "iconst_2|newarray byte|dup|iconst_1|iload_0|bastore|iconst_1|baload|ireturn", {I(200)}, I(-56)},
      {"bastore", "(I)I", "iconst_2|newarray boolean|dup|iconst_1|iload_0|bastore|iconst_1|baload|ireturn", {I(3)}, I(1)},
      {"baload", "()I", "iconst_2|newarray byte|iconst_1|baload|ireturn", {}, I(0)},
      {"castore", "(I)I", "iconst_2|newarray char|dup|iconst_1|iload_0|castore|iconst_1|caload|ireturn", {I(-1)}, I(65535)},
      {"caload", "()I", "iconst_2|newarray char|iconst_1|caload|ireturn", {}, I(0)},
      {"sastore", "(I)I", "iconst_2|newarray short|dup|iconst_1|iload_0|sastore|iconst_1|saload|ireturn", {I(40000)}, I(-25536)},
      {"saload", "()I", "iconst_2|newarray short|iconst_m1|saload|ireturn", {}, throws(bounds)},
      {"arraylength", "()I", "aconst_null|checkcast [I|arraylength|ireturn", {}, throws(null_pointer)},
      {"anewarray", "(I)I", "iload_0|anewarray java/lang/Object|arraylength|ireturn", {I(0)}, I(0)},
      {"anewarray", "(I)I", "iload_0|anewarray java/lang/Object|arraylength|ireturn", {I(-5)}, throws(negative_size)},
      {"multianewarray", "()I", "iconst_2|iconst_3|multianewarray [[I 2|iconst_1|aaload|arraylength|ireturn", {}, I(3)},
      {"multianewarray", "()I", "iconst_4|iconst_1|multianewarray [[[Ljava/lang/String; 2|arraylength|ireturn", {}, I(4)},
      {"multianewarray", "()I", "iconst_2|iconst_m1|multianewarray [[I 2|arraylength|ireturn", {}, throws(negative_size)},

      // --- stack -----------------------------------------------------------------------------------------------------------
      {"pop", "()I", "iconst_1|iconst_2|pop|ireturn", {}, I(1)},
      {"pop2", "()I", "iconst_1|lconst_0|pop2|ireturn", {}, I(1)},
      {"pop2", "()I", "iconst_1|iconst_2|iconst_3|pop2|ireturn", {}, I(1)},
      {"dup", "()I", "iconst_4|dup|imul|ireturn", {}, I(16)},
      {"dup_x1", "()I", "iconst_5|iconst_2|dup_x1|isub|isub|ireturn", {}, I(-1)},
      {"dup_x2", "()I", "iconst_5|iconst_3|iconst_2|dup_x2|isub|isub|isub|ireturn", {}, I(-2)},
      {"dup_x2", "(J)J", "lload_0|iconst_2|dup_x2|i2l|lsub|l2i|isub|i2l|lreturn", {L(10)}, L(-6)},
      {"dup2", "()I", "iconst_5|iconst_2|dup2|isub|isub|isub|ireturn", {}, I(6)},
      {"dup2", "(J)J", "lload_0|dup2|lmul|lreturn", {L(100000)}, L(10000000000)},
      {"dup2_x1", "()I", "iconst_1|iconst_5|iconst_2|dup2_x1|isub|isub|isub|isub|ireturn", {}, I(1)},
      {"dup2_x1", "(J)J", "iconst_3|lload_0|dup2_x1|l2i|iadd|i2l|lsub|lreturn", {L(20)}, L(-3)},
      {"dup2_x2", "()I", "iconst_1|iconst_2|iconst_3|iconst_4|dup2_x2|isub|isub|isub|isub|isub|ireturn", {}, I(-3)},
      {"dup2_x2", "(JJ)J", "lload_0|lload_2|dup2_x2|lsub|lsub|lreturn", {L(50), L(8)}, L(-34)},
      {"swap", "()I", "iconst_1|iconst_5|swap|isub|ireturn", {}, I(4)},

      // --- int and long ------------------------------------------------------------------------------------------------------
      {"iadd", "(II)I", "iload_0|iload_1|iadd|ireturn", {I(max_int), I(1)}, I(min_int)},
      {"iadd", "(II)I", "iload_0|iload_1|iadd|ireturn", {I(-3), I(5)}, I(2)},
      {"ladd", "(JJ)J", "lload_0|lload_2|ladd|lreturn", {L(max_long), L(1)}, L(min_long)},
      {"isub", "(II)I", "iload_0|iload_1|isub|ireturn", {I(min_int), I(1)}, I(max_int)},
      {"lsub", "(JJ)J", "lload_0|lload_2|lsub|lreturn", {L(min_long), L(1)}, L(max_long)},
      {"imul", "(II)I", "iload_0|iload_1|imul|ireturn", {I(65536), I(65537)}, I(65536)},
      {"lmul", "(JJ)J", "lload_0|lload_2|lmul|lreturn", {L(4294967296), L(4294967297)}, L(4294967296)},
      {"idiv", "(II)I", "iload_0|iload_1|idiv|ireturn", {I(-7), I(2)}, I(-3)},
      {"idiv", "(II)I", "iload_0|iload_1|idiv|ireturn", {I(min_int), I(-1)}, I(min_int)},
      {"idiv", "(II)I", "iload_0|iload_1|idiv|ireturn", {I(1), I(0)}, throws(arithmetic)},
      {"ldiv", "(JJ)J", "lload_0|lload_2|ldiv|lreturn", {L(-7), L(2)}, L(-3)},
      {"ldiv", "(JJ)J", "lload_0|lload_2|ldiv|lreturn", {L(min_long), L(-1)}, L(min_long)},
      {"ldiv", "(JJ)J", "lload_0|lload_2|ldiv|lreturn", {L(1), L(0)}, throws(arithmetic)},
      {"irem", "(II)I", "iload_0|iload_1|irem|ireturn", {I(-7), I(3)}, I(-1)},
      {"irem", "(II)I", "iload_0|iload_1|irem|ireturn", {I(min_int), I(-1)}, I(0)},
      {"irem", "(II)I", "iload_0|iload_1|irem|ireturn", {I(7), I(0)}, throws(arithmetic)},
      {"lrem", "(JJ)J", "lload_0|lload_2|lrem|lreturn", {L(7), L(-3)}, L(1)},
      {"lrem", "(JJ)J", "lload_0|lload_2|lrem|lreturn", {L(min_long), L(-1)}, L(0)},
      {"lrem", "(JJ)J", "lload_0|lload_2|lrem|lreturn", {L(7), L(0)}, throws(arithmetic)},
      {"ineg", "(I)I", "iload_0|ineg|ireturn", {I(min_int)}, I(min_int)},
      {"lneg", "(J)J", "lload_0|lneg|lreturn", {L(5)}, L(-5)},
      {"ishl", "(II)I", "iload_0|iload_1|ishl|ireturn", {I(1), I(33)}, I(2)},
      {"lshl", "(JI)J", "lload_0|iload_2|lshl|lreturn", {L(1), I(65)}, L(2)},
      {"ishr", "(II)I", "iload_0|iload_1|ishr|ireturn", {I(-8), I(1)}, I(-4)},
      {"lshr", "(JI)J", "lload_0|iload_2|lshr|lreturn", {L(-8), I(-63)}, L(-4)},
      {"iushr", "(II)I", "iload_0|iload_1|iushr|ireturn", {I(-1), I(28)}, I(15)},
      {"lushr", "(JI)J", "lload_0|iload_2|lushr|lreturn", {L(-1), I(60)}, L(15)},
      {"iand", "(II)I", "iload_0|iload_1|iand|ireturn", {I(12), I(10)}, I(8)},
      {"land", "(JJ)J", "lload_0|lload_2|land|lreturn", {L(-1), L(4294967296)}, L(4294967296)},
      {"ior", "(II)I", "iload_0|iload_1|ior|ireturn", {I(12), I(10)}, I(14)},
      {"lor", "(JJ)J", "lload_0|lload_2|lor|lreturn", {L(4294967296), L(1)}, L(4294967297)},
      {"ixor", "(II)I", "iload_0|iload_1|ixor|ireturn", {I(12), I(-1)}, I(-13)},
      {"lxor", "(JJ)J", "lload_0|lload_2|lxor|lreturn", {L(4294967296), L(4294967295)}, L(8589934591)},
      {"lcmp", "(JJ)I", "lload_0|lload_2|lcmp|ireturn", {L(min_long), L(max_long)}, I(-1)},
      {"lcmp", "(JJ)I", "lload_0|lload_2|lcmp|ireturn", {L(4294967296), L(1)}, I(1)},
      {"lcmp", "(JJ)I", "lload_0|lload_2|lcmp|ireturn", {L(-1), L(-1)}, I(0)},

      // --- float and double ---------------------------------------------------------------------------------------------------
      {"fadd", "(FF)F", "fload_0|fload_1|fadd|freturn", {F(16777216.0f), F(1.0f)}, F(16777216.0f)},
      {"dadd", "(DD)D", "dload_0|dload_2|dadd|dreturn", {D(0.1), D(0.2)}, D(0.30000000000000004)},
      {"fsub", "(FF)F", "fload_0|fload_1|fsub|freturn", {F(inf_f), F(inf_f)}, F(nan_f)},
      {"dsub", "(DD)D", "dload_0|dload_2|dsub|dreturn", {D(1.0), D(0.9)}, D(0.09999999999999998)},
      {"fmul", "(FF)F", "fload_0|fload_1|fmul|freturn", {F(3e38f), F(10.0f)}, F(inf_f)},
      {"dmul", "(DD)D", "dload_0|dload_2|dmul|dreturn", {D(0.0), D(-1.0)}, D(-0.0)},
      {"fdiv", "(FF)F", "fload_0|fload_1|fdiv|freturn", {F(1.0f), F(-0.0f)}, F(-inf_f)},
      {"ddiv", "(DD)D", "dload_0|dload_2|ddiv|dreturn", {D(0.0), D(0.0)}, D(nan_d)},
      {"frem", "(FF)F", "fload_0|fload_1|frem|freturn", {F(-7.5f), F(2.0f)}, F(-1.5f)},
      {"frem", "(FF)F", "fload_0|fload_1|frem|freturn", {F(1.0f), F(0.0f)}, F(nan_f)},
      {"drem", "(DD)D", "dload_0|dload_2|drem|dreturn", {D(7.5), D(-2.0)}, D(1.5)},
      {"drem", "(DD)D", "dload_0|dload_2|drem|dreturn", {D(3.0), D(inf_d)}, D(3.0)},
      {"fneg", "(F)F", "fload_0|fneg|freturn", {F(0.0f)}, F(-0.0f)},
      {"dneg", "(D)D", "dload_0|dneg|dreturn", {D(-2.5)}, D(2.5)},
      {"fcmpl", "(FF)I", "fload_0|fload_1|fcmpl|ireturn", {F(nan_f), F(1.0f)}, I(-1)},
      {"fcmpl", "(FF)I", "fload_0|fload_1|fcmpl|ireturn", {F(2.0f), F(1.0f)}, I(1)},
      {"fcmpg", "(FF)I", "fload_0|fload_1|fcmpg|ireturn", {F(nan_f), F(1.0f)}, I(1)},
      {"fcmpg", "(FF)I", "fload_0|fload_1|fcmpg|ireturn", {F(0.0f), F(-0.0f)}, I(0)},
      {"dcmpl", "(DD)I", "dload_0|dload_2|dcmpl|ireturn", {D(1.0), D(nan_d)}, I(-1)},
      {"dcmpl", "(DD)I", "dload_0|dload_2|dcmpl|ireturn", {D(-1.0), D(1.0)}, I(-1)},
      {"dcmpg", "(DD)I", "dload_0|dload_2|dcmpg|ireturn", {D(1.0), D(nan_d)}, I(1)},
      {"dcmpg", "(DD)I", "dload_0|dload_2|dcmpg|ireturn", {D(inf_d), D(1.0)}, I(1)},

      // --- conversions -----------------------------------------------------------------------------------------------------------
      {"i2l", "(I)J", "iload_0|i2l|lreturn", {I(-1)}, L(-1)},
      {"i2f", "(I)F", "iload_0|i2f|freturn", {I(16777217)}, F(16777216.0f)},
      {"i2d", "(I)D", "iload_0|i2d|dreturn", {I(min_int)}, D(-2147483648.0)},
      {"l2i", "(J)I", "lload_0|l2i|ireturn", {L(4294967298)}, I(2)},
      {"l2f", "(J)F", "lload_0|l2f|freturn", {L(max_long)}, F(9223372036854775808.0f)},
      {"l2d", "(J)D", "lload_0|l2d|dreturn", {L(9007199254740993)}, D(9007199254740992.0)},
      {"f2i", "(F)I", "fload_0|f2i|ireturn", {F(nan_f)}, I(0)},
      {"f2i", "(F)I", "fload_0|f2i|ireturn", {F(1e20f)}, I(max_int)},
      {"f2i", "(F)I", "fload_0|f2i|ireturn", {F(-1.9f)}, I(-1)},
      {"f2l", "(F)J", "fload_0|f2l|lreturn", {F(-inf_f)}, L(min_long)},
      {"f2d", "(F)D", "fload_0|f2d|dreturn", {F(0.1f)}, D(0.10000000149011612)},
      {"d2i", "(D)I", "dload_0|d2i|ireturn", {D(-1e10)}, I(min_int)},
      {"d2i", "(D)I", "dload_0|d2i|ireturn", {D(nan_d)}, I(0)},
      {"d2l", "(D)J", "dload_0|d2l|lreturn", {D(1e19)}, L(max_long)},
      {"d2l", "(D)J", "dload_0|d2l|lreturn", {D(-2.7)}, L(-2)},
      {"d2f", "(D)F", "dload_0|d2f|freturn", {D(1e300)}, F(inf_f)},
      {"i2b", "(I)I", "iload_0|i2b|ireturn", {I(384)}, I(-128)},
      {"i2c", "(I)I", "iload_0|i2c|ireturn", {I(-1)}, I(65535)},
      {"i2s", "(I)I", "iload_0|i2s|ireturn", {I(32768)}, I(-32768)},

      // --- branches ----------------------------------------------------------------------------------------------------------------
      {"ifeq", "(I)I", "iload_0|ifeq yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(0)}, I(1)},
      {"ifne", "(I)I", "iload_0|ifne yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(0)}, I(0)},
      {"iflt", "(I)I", "iload_0|iflt yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(-1)}, I(1)},
      {"ifge", "(I)I", "iload_0|ifge yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(0)}, I(1)},
      {"ifgt", "(I)I", "iload_0|ifgt yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(0)}, I(0)},
      {"ifle", "(I)I", "iload_0|ifle yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(1)}, I(0)},
      {"if_icmpeq", "(II)I", "iload_0|iload_1|if_icmpeq yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(4), I(4)}, I(1)},
      {"if_icmpne", "(II)I", "iload_0|iload_1|if_icmpne yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(4), I(4)}, I(0)},
      {"if_icmplt", "(II)I", "iload_0|iload_1|if_icmplt yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(min_int), I(max_int)}, I(1)},
      {"if_icmpge", "(II)I", "iload_0|iload_1|if_icmpge yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(min_int), I(max_int)}, I(0)},
      {"if_icmpgt", "(II)I", "iload_0|iload_1|if_icmpgt yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(5), I(4)}, I(1)},
      {"if_icmple", "(II)I", "iload_0|iload_1|if_icmple yes|iconst_0|ireturn|yes: iconst_1|ireturn", {I(5), I(4)}, I(0)},
      {"if_acmpeq", "()I", "aconst_null|ldc \"x\"|if_acmpeq yes|iconst_0|ireturn|yes: iconst_1|ireturn", {}, I(0)},
      {"if_acmpne", "()I", "aconst_null|ldc \"x\"|if_acmpne yes|iconst_0|ireturn|yes: iconst_1|ireturn", {}, I(1)},
      {"ifnull", "()I", "aconst_null|ifnull yes|iconst_0|ireturn|yes: iconst_1|ireturn", {}, I(1)},
      {"ifnonnull", "()I", "aconst_null|ifnonnull yes|iconst_0|ireturn|yes: iconst_1|ireturn", {}, I(0)},
      {"goto", "(I)I", "iconst_0|istore_1|again: iload_1|iload_0|iadd|istore_1|iinc 0 -1|iload_0|ifle done|goto again|done: iload_1|ireturn", {I(10)}, I(55)},
      {"goto_w", "()I", "goto_w on|iconst_0|ireturn|on: iconst_1|ireturn", {}, I(1)},
      {"jsr", "()I", "iconst_1|istore_0|jsr sub|jsr sub|iload_0|ireturn|sub: astore_1|iload_0|iconst_3|imul|istore_0|ret 1", {}, I(9)},
      {"ret", "()I", "iconst_0|istore_0|jsr outer|iload_0|ireturn|outer: astore_1|jsr inner|jsr inner|ret 1|inner: astore_2|iinc 0 4|ret 2", {}, I(8)},
      {"jsr_w", "()I", "iconst_1|istore_0|jsr_w sub|iload_0|ireturn|sub: astore_1|iinc 0 6|ret 1", {}, I(7)},
      {"tableswitch", "(I)I", "iload_0|tableswitch -1 a b c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(-1)}, I(10)},
      {"tableswitch", "(I)I", "iload_0|tableswitch -1 a b c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(1)}, I(12)},
      {"tableswitch", "(I)I", "iload_0|tableswitch -1 a b c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(min_int)}, I(13)},
      {"tableswitch", "(I)I", "iload_0|tableswitch 2147483646 a b default d|a: bipush 10|ireturn|b: bipush 11|ireturn|d: bipush 13|ireturn", {I(max_int)}, I(11)},
      {"lookupswitch", "(I)I", "iload_0|lookupswitch -2147483648:a 7:b 2147483647:c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(min_int)}, I(10)},
      {"lookupswitch", "(I)I", "iload_0|lookupswitch -2147483648:a 7:b 2147483647:c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(7)}, I(11)},
      {"lookupswitch", "(I)I", "iload_0|lookupswitch -2147483648:a 7:b 2147483647:c default d|a: bipush 10|ireturn|b: bipush 11|ireturn|c: bipush 12|ireturn|d: bipush 13|ireturn", {I(8)}, I(13)},
      {"lookupswitch", "(I)I", "iload_0|lookupswitch default d|d: bipush 13|ireturn", {I(0)}, I(13)},

      // --- returns -------------------------------------------------------------------------------------------------------------------
      {"ireturn", "(I)I", "iload_0|ireturn", {I(min_int)}, I(min_int)},
      {"ireturn", "(I)Z", "iload_0|ireturn", {I(2)}, I(0)},
      {"ireturn", "(I)B", "iload_0|ireturn", {I(255)}, I(-1)},
      {"ireturn", "(I)C", "iload_0|ireturn", {I(-1)}, I(65535)},
      {"ireturn", "(I)S", "iload_0|ireturn", {I(65535)}, I(-1)},
      {"lreturn", "(J)J", "lload_0|lreturn", {L(min_long)}, L(min_long)},
      {"freturn", "(F)F", "fload_0|freturn", {F(-0.0f)}, F(-0.0f)},
      {"dreturn", "(D)D", "dload_0|dreturn", {D(5e-324)}, D(5e-324)},
      {"areturn", "()Ljava/lang/Object;", "aconst_null|areturn", {}, null_value},
      {"return", "()V", "return", {}, nothing},

      // --- fields ----------------------------------------------------------------------------------------------------------------------
      {"putstatic", "(I)I", "iload_0|putstatic self.si I|getstatic self.si I|ireturn", {I(-9)}, I(-9)},
      {"putstatic", "(I)I", "iload_0|putstatic self.sz Z|getstatic self.sz Z|ireturn", {I(3)}, I(1)},
      {"putstatic", "(I)I", "iload_0|putstatic self.sb B|getstatic self.sb B|ireturn", {I(129)}, I(-127)},
      {"putstatic", "(I)I", "iload_0|putstatic self.sc C|getstatic self.sc C|ireturn", {I(-2)}, I(65534)},
      {"putstatic", "(I)I", "iload_0|putstatic self.ss S|getstatic self.ss S|ireturn", {I(32769)}, I(-32767)},
      {"getstatic", "(J)J", "lload_0|putstatic self.sl J|getstatic self.sl J|lreturn", {L(min_long)}, L(min_long)},
      {"getstatic", "(F)F", "fload_0|putstatic self.sf F|getstatic self.sf F|freturn", {F(1.5f)}, F(1.5f)},
      {"getstatic", "(D)D", "dload_0|putstatic self.sd D|getstatic self.sd D|dreturn", {D(1.5)}, D(1.5)},
      {"getstatic", "()I", "ldc \"abcde\"|putstatic self.sa Ljava/lang/Object;|getstatic self.sa Ljava/lang/Object;|checkcast java/lang/String|invokevirtual java/lang/String.length ()I|ireturn", {}, I(5)},
      {"getstatic", "()I", "getstatic self.missing I|ireturn", {}, throws("java/lang/NoSuchFieldError")},
      {"getstatic", "()I", "getstatic self.i I|ireturn", {}, throws("java/lang/IncompatibleClassChangeError")},
      {"putfield", "(I)I", "new self|dup|invokespecial self.<init> ()V|dup|iload_0|putfield self.i I|getfield self.i I|ireturn", {I(77)}, I(77)},
      {"putfield", "(I)I", "new self|dup|invokespecial self.<init> ()V|dup|iload_0|putfield self.b B|getfield self.b B|ireturn", {I(200)}, I(-56)},
      {"putfield", "(I)I", "new self|dup|invokespecial self.<init> ()V|dup|iload_0|putfield self.c C|getfield self.c C|ireturn", {I(65537)}, I(1)},
      {"putfield", "(I)I", "new self|dup|invokespecial self.<init> ()V|dup|iload_0|putfield self.s S|getfield self.s S|ireturn", {I(65535)}, I(-1)},
      {"putfield", "(I)I", "new self|dup|invokespecial self.<init> ()V|dup|iload_0|putfield self.z Z|getfield self.z Z|ireturn", {I(2)}, I(0)},
      {"putfield", "(J)J", "new self|dup|invokespecial self.<init> ()V|dup|lload_0|putfield self.l J|getfield self.l J|lreturn", {L(max_long)}, L(max_long)},
      {"putfield", "(F)F", "new self|dup|invokespecial self.<init> ()V|dup|fload_0|putfield self.f F|getfield self.f F|freturn", {F(2.5f)}, F(2.5f)},
      {"putfield", "(D)D", "new self|dup|invokespecial self.<init> ()V|dup|dload_0|putfield self.d D|getfield self.d D|dreturn", {D(2.5)}, D(2.5)},
      {"putfield", "()V", "aconst_null|checkcast self|iconst_1|putfield self.i I|return", {}, throws(null_pointer)},
      {"getfield", "()I", "aconst_null|checkcast self|getfield self.i I|ireturn", {}, throws(null_pointer)},
      {"getfield", "()Ljava/lang/Object;", "new self|dup|invokespecial self.<init> ()V|getfield self.a Ljava/lang/Object;|areturn", {}, null_value},

      // --- calls -----------------------------------------------------------------------------------------------------------------------
      {"invokestatic", "(IJ)J", "iload_0|lload_1|invokestatic self.add (IJ)J|lreturn", {I(-1), L(5000000000)}, L(4999999999)},
      {"invokestatic", "(I)I", "iload_0|invokestatic self.factorial (I)I|ireturn", {I(10)}, I(3628800)},
      {"invokestatic", "()V", "invokestatic self.missing ()V|return", {}, throws("java/lang/NoSuchMethodError")},
      {"invokevirtual", "()I", "new self|dup|invokespecial self.<init> ()V|invokevirtual self.hashCode ()I|ireturn", {}, I(42)},
      {"invokevirtual", "()I", "new self|dup|invokespecial self.<init> ()V|invokevirtual java/lang/Object.hashCode ()I|ireturn", {}, I(42)},
      {"invokevirtual", "()I", "aconst_null|invokevirtual java/lang/Object.hashCode ()I|ireturn", {}, throws(null_pointer)},
      {"invokespecial", "()I", "new self|dup|invokespecial self.<init> ()V|invokevirtual self.callsPrivate ()I|ireturn", {}, I(43)},
      {"invokeinterface", "()I", "ldc \"abc\"|checkcast java/lang/CharSequence|invokeinterface java/lang/CharSequence.length ()I|ireturn", {}, I(3)},
      {"invokeinterface", "()I", "aconst_null|checkcast java/lang/CharSequence|invokeinterface java/lang/CharSequence.length ()I|ireturn", {}, throws(null_pointer)},
      {"invokeinterface", "()I", "new java/lang/Object|dup|invokespecial java/lang/Object.<init> ()V|invokeinterface java/lang/CharSequence.length ()I|ireturn", {}, throws("java/lang/IncompatibleClassChangeError")},

      // --- objects ---------------------------------------------------------------------------------------------------------------------
      {"new", "()I", "new self|dup|invokespecial self.<init> ()V|getfield self.i I|ireturn", {}, I(0)},
      {"new", "()V", "new java/lang/Number|pop|return", {}, throws("java/lang/InstantiationError")},
      {"new", "()V", "new no/such/Class|pop|return", {}, throws("java/lang/NoClassDefFoundError")},
      {"athrow", "()V", "new java/lang/IllegalStateException|dup|invokespecial java/lang/IllegalStateException.<init> ()V|athrow", {}, throws("java/lang/IllegalStateException")},
      {"athrow", "()V", "aconst_null|athrow", {}, throws(null_pointer)},
      {"athrow", "()I", "from: iconst_1|iconst_0|idiv|ireturn|to: handler: pop|bipush 99|ireturn|.catch java/lang/ArithmeticException from to handler", {}, I(99)},
      {"athrow", "()I", "from: aconst_null|athrow|to: first: pop|iconst_1|ireturn|second: pop|iconst_2|ireturn|.catch java/lang/ArithmeticException from to first|.catch any from to second", {}, I(2)},
      {"checkcast", "()I", "ldc \"abc\"|checkcast java/lang/Object|checkcast java/lang/String|invokevirtual java/lang/String.length ()I|ireturn", {}, I(3)},
      {"checkcast", "()Ljava/lang/Object;", "aconst_null|checkcast java/lang/Integer|areturn", {}, null_value},
      {"checkcast", "()Ljava/lang/Object;", "ldc \"abc\"|checkcast java/lang/Integer|areturn", {}, throws("java/lang/ClassCastException")},
      {"checkcast", "()I", "iconst_2|anewarray java/lang/String|checkcast [Ljava/lang/Object;|arraylength|ireturn", {}, I(2)},
      {"instanceof", "()I", "ldc \"abc\"|instanceof java/lang/Comparable|ireturn", {}, I(1)},
      {"instanceof", "()I", "aconst_null|instanceof java/lang/Object|ireturn", {}, I(0)},
      {"instanceof", "()I", "iconst_2|newarray int|instanceof [J|ireturn", {}, I(0)},
      {"instanceof", "()I", "iconst_2|newarray int|instanceof java/lang/Cloneable|ireturn", {}, I(1)},
      {"monitorenter", "()I", "ldc \"lock\"|dup|astore_0|monitorenter|aload_0|monitorenter|aload_0|invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z|aload_0|monitorexit|aload_0|monitorexit|ireturn", {}, I(1)},
      {"monitorenter", "()V", "aconst_null|monitorenter|return", {}, throws(null_pointer)},
      {"monitorexit", "()I", "ldc \"lock\"|astore_0|aload_0|monitorenter|aload_0|monitorexit|aload_0|invokestatic java/lang/Thread.holdsLock (Ljava/lang/Object;)Z|ireturn", {}, I(0)},
      {"monitorexit", "()V", "ldc \"unlocked\"|monitorexit|return", {}, throws("java/lang/IllegalMonitorStateException")},
  };
  return vectors;
}

}  // namespace keyhole::testing
