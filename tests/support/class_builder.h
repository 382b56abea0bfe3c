// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ClassBuilder: a small assembler for class files that javac would never make.
//
//   ClassBuilder builder("Adder");
//   builder.method(access::Static, "add", "(II)I", R"(
//       .stack 2
//       iload_0
//       iload_1
//       iadd
//       ireturn
//   )");
//   std::vector<u8> bytes = builder.bytes();
//
// One instruction or directive per line; ';' at the start of a word begins a comment. Mnemonics are those of
// vm/bytecodes.def.
//
//   label:                                     names the place of the next instruction
//   iload 3 | wide iload 3 | iinc 1 -5         locals; a large number gets its `wide` automatically
//   bipush 7 | sipush -300 | newarray int
//   ldc 5 | ldc 1.5f | ldc "text" | ldc class java/lang/String
//   ldc2_w 5L | ldc2_w 1.5d | ldc2_w nan       numbers as strtod reads them
//   goto label                                 and the other branches
//   tableswitch 0 a b c default d
//   lookupswitch 1:a 5:b default d
//   getfield Owner.name I | invokevirtual Owner.name (I)V | invokestatic interface Owner.name ()V
//   invokedynamic 0 name (I)Ljava/lang/Object;  bootstrap 0 of bootstrap(...)
//   new Name | checkcast Name | multianewarray [[I 2
//   .stack n | .locals n                       default: 16 operands, arguments + 8 locals
//   .catch Name from to handler                Name or `any`
//   .frame {int Name long} {null}              a full_frame here; types: top int float long double null this new:label
//                                              Name
//   .local 1 name I from to                    a row of the LocalVariableTable
//   .byte 0xCA 0xFE                            these bytes
// A line that does not assemble ends the test with a message that names the line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vm/metadata/instance_klass.h"

namespace keyhole::testing {

// A class outside any VM: enough of InstanceKlass, ConstantPool and Method for dataflow, disassembly and messages.
struct LooseClass {
  InstanceKlass* klass;
  Method* method(std::string_view name) const;
  // Makes the class an Initialized class of the loader, for tests that run its methods.
  void enter(LoaderData* loader) const;
};

class ClassBuilder {
 public:
  explicit ClassBuilder(std::string name, std::string super = "java/lang/Object", u16 major_version = 52,
                        u16 access_flags = access::Public | access::Super);

  ClassBuilder& implements(std::string name);
  ClassBuilder& field(u16 access_flags, std::string_view name, std::string_view descriptor);
  ClassBuilder& method(u32 access_flags, std::string_view name, std::string_view descriptor, std::string_view assembly);
  // Adds a public <init>()V that calls the superclass's.
  ClassBuilder& default_constructor();
  // Adds a row to the attribute BootstrapMethods: a REF_invokeStatic handle of owner.name, with constant arguments as
  // pool indices.
  ClassBuilder& bootstrap(std::string_view owner, std::string_view name, std::string_view descriptor,
                          std::vector<u16> arguments = {});

  u16 utf8(std::string_view text);
  u16 class_constant(std::string_view name);
  u16 string_constant(std::string_view text);
  u16 name_and_type(std::string_view name, std::string_view descriptor);
  u16 member(ConstantTag tag, std::string_view owner, std::string_view name, std::string_view descriptor);
  u16 number(ConstantTag tag, u64 bits);
  // Any entry, for malformed pools.
  u16 constant(ConstantTag tag, u64 value, std::string text = {});

  std::vector<u8> bytes() const;
  // Returns a class that lives until the process ends. names::initialize() must have been called.
  LooseClass loose() const;
  const std::string& name() const { return name_; }

 private:
  friend class Assembler;
  struct Constant {
    ConstantTag tag;
    u64 value;
    std::string text;
  };
  struct Member {
    u16 access_flags, name, descriptor;
  };
  struct Handler {
    u16 start, end, handler, type;
  };
  struct Local {
    u16 start, length, name, descriptor, slot;
  };
  struct Body {
    Member member;
    bool has_code = false;
    u16 max_stack = 0, max_locals = 0;
    std::vector<u8> code;
    std::vector<Handler> handlers;
    std::vector<u8> stack_map;  // the entries, after their count
    u16 frame_count = 0;
    std::vector<Local> local_variables;
  };

  std::string name_;
  u16 major_version_, access_flags_;
  std::vector<Constant> constants_;
  std::map<std::pair<u8, std::pair<u64, std::string>>, u16> index_of_;
  u16 this_class_, super_class_;
  std::vector<u16> interfaces_;
  std::vector<Member> fields_;
  std::vector<Body> methods_;
  struct Bootstrap {
    u16 handle;
    std::vector<u16> arguments;
  };
  std::vector<Bootstrap> bootstraps_;
};

}  // namespace keyhole::testing
