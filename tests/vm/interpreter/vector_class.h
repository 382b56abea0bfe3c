// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The vectors of bytecode_vectors.h as methods of a class, and the VM that runs them. All tests of the process share
// this VM.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/base/flags.h"
#include "tests/support/class_builder.h"
#include "tests/vm/interpreter/bytecode_vectors.h"
#include "vm/launcher/vm.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"

namespace keyhole::testing {

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (usize at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// Translates the code of a test case into the assembler's language: '|' becomes a line end, and `self` becomes the
// class's name.
inline std::string assembly_of(const std::string& code, const std::string& class_name) {
  std::string text = replaced(code, "|", "\n");
  text = replaced(text, "self.", class_name + ".");
  text = replaced(text, "new self\n", "new " + class_name + "\n");
  return replaced(text, "checkcast self\n", "checkcast " + class_name + "\n");
}

// Builds a class file of version 49, which the VM verifies by type inference. So no test case needs stack maps, and jsr
// is allowed.
inline ClassBuilder build_vectors(const std::string& class_name = "BytecodeVectors") {
  ClassBuilder builder(class_name, "java/lang/Object", 49);
  // `ldc` can name only the first 255 constants, so the constants of all `ldc` instructions come first.
  std::string constants;
  for (const Vector& vector : testing::bytecode_vectors()) {
    std::string code = assembly_of(vector.code, class_name);
    for (usize at = code.find("ldc "); at != std::string::npos; at = code.find("ldc ", at + 1)) {
      usize end = code.find('\n', at);
      constants += code.substr(at, end - at) + "\npop\n";
    }
  }
  builder.method(access::Static, "constants", "()V", constants + "return\n");
  builder.default_constructor();
  for (const char* field : {"zZ", "bB", "sS", "cC", "iI", "lJ", "fF", "dD"}) {
    std::string name(1, field[0]), descriptor(1, field[1]);
    builder.field(access::Public, name, descriptor).field(access::Public | access::Static, "s" + name, descriptor);
  }
  builder.field(access::Public, "a", "Ljava/lang/Object;")
      .field(access::Public | access::Static, "sa", "Ljava/lang/Object;");
  builder.method(access::Static, "add", "(IJ)J", "iload_0\ni2l\nlload_1\nladd\nlreturn\n");
  builder.method(access::Static, "factorial", "(I)I",
                 assembly_of(R"(
      iload_0
      iconst_1
      if_icmpgt more
      iconst_1
      ireturn
    more:
      iload_0
      iload_0
      iconst_1
      isub
      invokestatic self.factorial (I)I
      imul
      ireturn
  )",
                             class_name));
  builder.method(access::Public, "hashCode", "()I", "bipush 42\nireturn\n");
  builder.method(access::Private, "secret", "()I", "bipush 43\nireturn\n");
  builder.method(access::Public, "callsPrivate", "()I",
                 assembly_of("aload_0|invokespecial self.secret ()I|ireturn|", class_name));
  u32 number = 0;
  for (const Vector& vector : testing::bytecode_vectors()) {
    builder.method(access::Public | access::Static, "v" + std::to_string(number++), vector.descriptor,
                   assembly_of(vector.code, class_name));
  }
  return builder;
}

// Builds a second class for the test cases of invokedynamic, because invokedynamic needs class file version 51 or
// later. The bootstrap method of this class makes call sites that concatenate strings.
inline ClassBuilder build_dynamic(const std::string& class_name = "BytecodeVectorsDynamic") {
  ClassBuilder builder(class_name, "java/lang/Object", 53);
  u16 recipe = builder.string_constant("\1 and \1");
  builder.bootstrap("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
                    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/"
                    "String;[Ljava/lang/Object;)"
                    "Ljava/lang/invoke/CallSite;",
                    {recipe});
  builder.method(access::Public | access::Static, "length", "(IJ)I", R"(
      iload_0
      lload_1
      invokedynamic 0 makeConcatWithConstants (IJ)Ljava/lang/String;
      invokevirtual java/lang/String.length ()I
      ireturn
  )");
  return builder;
}

// Takes the pending exception.
inline std::string exception_text(JavaThread* thread) {
  if (!has_exception(thread)) return "no exception";
  return take_exception(thread)->klass()->name->string();
}

// Starts the VM at the first call.
inline JavaThread* vm_thread() {
  static JavaThread* thread = [] {
    flags::TieredStopAtLevel = 0;  // the interpreter
    JavaThread* started = start_vm({});
    // When the process ends, the VM's service threads still wait on static objects, which static destructors would
    // destroy. So the process ends without static destructors.
    std::atexit([] {
      std::fflush(nullptr);
      _exit(::testing::UnitTest::GetInstance()->Passed() ? 0 : 1);
    });
    return started;
  }();
  return thread;
}

inline InstanceKlass* define(const ClassBuilder& builder) {
  std::vector<u8>* bytes = new std::vector<u8>(builder.bytes());  // never freed, because the VM points into the bytes
  InstanceKlass* klass = define_class(vm_thread(), Symbol::intern(builder.name()), *bytes, boot_loader());
  if (klass == nullptr || !initialize_class(vm_thread(), klass))
    ADD_FAILURE() << builder.name() << ": " << exception_text(vm_thread());
  return klass;
}

// The class of build_vectors().
inline InstanceKlass* vector_class() {
  static InstanceKlass* klass = define(build_vectors());
  return klass;
}

// Runs a test case. Returns the result, or leaves an exception pending.
inline u64 call_vector(InstanceKlass* klass, const Vector& vector, u32 number) {
  Method* method =
      klass->find_declared_method(Symbol::intern("v" + std::to_string(number)), Symbol::intern(vector.descriptor));
  KEYHOLE_CHECK(method != nullptr, "no vector {}", number);
  std::vector<Slot> slots;
  for (const Value& argument : vector.arguments) {
    if (argument.kind == 'J' || argument.kind == 'D') slots.push_back(0xDEAD);  // the upper slot has a long or double
    slots.push_back(argument.bits);
  }
  return call_java(vm_thread(), method, slots);
}

}  // namespace keyhole::testing
