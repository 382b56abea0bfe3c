// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the class-file reader: every class of java.base, hand-made files for each error message, and damaged files. It
// may refuse or accept a damaged file, but must never read outside its bytes.
#include "vm/classfile/class_file_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/vm/classfile/fixture.h"
#include "vm/classfile/jimage.h"

namespace keyhole {
namespace {

using ::testing::HasSubstr;

class ClassFileParserTest : public ::testing::Test {
 protected:
  void SetUp() override { test::names_ready(); }

  ClassFileError parse(std::span<const u8> bytes, bool trusted = false, const char* expected = nullptr) {
    ParseOptions options;
    options.trusted = trusted;
    if (expected != nullptr) options.expected_name = Symbol::intern(expected);
    parsed_ = ParsedClass();
    return parse_class_file(bytes, options, arena_, parsed_);
  }
  Arena arena_;
  ParsedClass parsed_;
};

// The class file of `class A extends Object {}`. A test adds constants, members and attributes to it.
struct Simple {
  u32 version = 52, minor = 0, flags = 0x21, this_class = 2, super_class = 4;
  test::Bytes more_constants;
  u32 more_constant_count = 0;
  test::Bytes interfaces, fields, methods, attributes;
  u32 interface_count = 0, field_count = 0, method_count = 0, attribute_count = 0;
  test::Bytes tail;

  std::vector<u8> bytes() const {
    test::Bytes file;
    file.u4(0xCAFEBABE).u2(minor).u2(version);
    file.u2(5 + more_constant_count).text("A").u1(7).u2(1).text("java/lang/Object").u1(7).u2(3);  // 1 .. 4
    file.append(more_constants).u2(flags).u2(this_class).u2(super_class);
    file.u2(interface_count).append(interfaces).u2(field_count).append(fields).u2(method_count).append(methods);
    file.u2(attribute_count).append(attributes).append(tail);
    return file.get();
  }
};

TEST_F(ClassFileParserTest, ReadsASimpleClass) {
  ClassFileError error = parse(Simple().bytes());
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(parsed_.klass().name->text(), "A");
  EXPECT_EQ(parsed_.super_name->text(), "java/lang/Object");
  EXPECT_EQ(parsed_.klass().major_version, 52);
}

TEST_F(ClassFileParserTest, ComplainsInJavasWords) {
  std::vector<u8> bytes = Simple().bytes();
  bytes[0] = 0;
  EXPECT_EQ(parse(bytes, false, "X").message, "Incompatible magic value 16693950 in class file X");
  bytes = Simple().bytes();
  bytes.pop_back();
  EXPECT_EQ(parse(bytes).message, "Truncated class file");
  EXPECT_EQ(parse(std::span<const u8>()).message, "Truncated class file");
  Simple extra;
  extra.tail.u1(0);
  EXPECT_EQ(parse(extra.bytes()).message, "Extra bytes at the end of class file A");
  EXPECT_EQ(parse(Simple().bytes(), false, "p/A").message, "p/A (wrong name: A)");
  EXPECT_EQ(parse(Simple().bytes(), false, "p/A").kind, ClassFileError::Kind::NoClassDefFound);
}

TEST_F(ClassFileParserTest, ChecksVersions) {
  Simple file;
  file.version = 70;
  ClassFileError error = parse(file.bytes(), false, "A");
  EXPECT_EQ(error.kind, ClassFileError::Kind::UnsupportedVersion);
  EXPECT_EQ(error.message,
            "A has been compiled by a more recent version of the Java Runtime (class file version 70.0), this version "
            "of the Java Runtime only "
            "recognizes class file versions up to 69.0");
  file.version = 69;
  EXPECT_FALSE(parse(file.bytes()));
  file.version = 44;
  EXPECT_THAT(parse(file.bytes()).message, HasSubstr("was compiled with an invalid major version"));
  file.version = 61;
  file.minor = 3;
  EXPECT_THAT(parse(file.bytes()).message, HasSubstr("invalid non-zero minor version"));
  file.minor = 65535;
  EXPECT_THAT(parse(file.bytes()).message,
              HasSubstr("only recognizes preview features for class file version 69.65535"));
  file.version = 69;
  EXPECT_THAT(parse(file.bytes()).message, HasSubstr("Preview features are not enabled"));
  preview_features_enabled = true;
  EXPECT_FALSE(parse(file.bytes()));
  file.version = 61;
  EXPECT_TRUE(parse(file.bytes()));
  preview_features_enabled = false;
  file.version = 48;
  file.minor = 3;
  EXPECT_FALSE(parse(file.bytes()));
}

TEST_F(ClassFileParserTest, ChecksTheConstantPool) {
  Simple file;
  file.more_constants.u1(2).u2(0);
  file.more_constant_count = 1;
  EXPECT_EQ(parse(file.bytes(), false, "A").message, "Unknown constant tag 2 in class file A");
  file.more_constants = test::Bytes().u1(7).u2(77);
  EXPECT_EQ(parse(file.bytes(), false, "A").message, "Invalid constant pool index 77 in class file A");
  file.more_constants = test::Bytes().u1(1).u2(1).u1(0xFF);
  EXPECT_EQ(parse(file.bytes(), false, "A").message, "Illegal UTF8 string in constant pool in class file A");
  file.more_constants = test::Bytes().u1(5).u4(1).u4(2);
  EXPECT_EQ(parse(file.bytes(), false, "A").message, "Invalid constant pool entry 5 in class file A");
  file.more_constants = test::Bytes().text("a.b").u1(7).u2(5);
  file.more_constant_count = 2;
  EXPECT_EQ(parse(file.bytes(), false, "A").message, "Illegal class name \"a.b\" in class file A");
  file.more_constants = test::Bytes().u1(17).u2(0).u2(0);
  file.more_constant_count = 1;
  EXPECT_EQ(parse(file.bytes(), false, "A").message,
            "Class file version does not support constant tag 17 in class file A");
}

TEST_F(ClassFileParserTest, ChecksMembers) {
  Simple file;
  file.more_constants.text("f").text("I").text("m").text("()V").text("Code").text("Q");  // 5 .. 10
  file.more_constant_count = 6;
  file.field_count = 2;
  file.fields.u2(0).u2(5).u2(6).u2(0).u2(0).u2(5).u2(6).u2(0);
  EXPECT_EQ(parse(file.bytes()).message, "Duplicate field name \"f\" with signature \"I\" in class file A");
  file.fields = test::Bytes().u2(0x6).u2(5).u2(6).u2(0);
  file.field_count = 1;
  EXPECT_EQ(parse(file.bytes()).message, "Illegal field modifiers in class A: 0x6");
  file.fields = test::Bytes().u2(0).u2(5).u2(10).u2(0);
  EXPECT_EQ(parse(file.bytes()).message, "Field \"f\" in class A has illegal signature \"Q\"");
  file.field_count = 0;
  file.fields = {};
  file.method_count = 1;
  file.methods.u2(1).u2(7).u2(8).u2(0);
  EXPECT_EQ(parse(file.bytes()).message,
            "Absent Code attribute in method that is not native or abstract in class file A");
  file.methods = test::Bytes().u2(1).u2(7).u2(8).u2(1).u2(9).u4(12).u2(0).u2(1).u4(1).u1(0xB1).u2(0).u2(0);
  EXPECT_EQ(parse(file.bytes()).message, "Code segment has wrong length in class file A");
  file.methods = test::Bytes().u2(1).u2(7).u2(8).u2(1).u2(9).u4(13).u2(0).u2(0).u4(1).u1(0xB1).u2(0).u2(0);
  EXPECT_EQ(parse(file.bytes()).message, "Arguments can't fit into locals in class file A");
  file.methods = test::Bytes().u2(1).u2(7).u2(8).u2(1).u2(9).u4(13).u2(0).u2(1).u4(1).u1(0xB1).u2(0).u2(0);
  ClassFileError error = parse(file.bytes());
  EXPECT_FALSE(error) << error.message;
  EXPECT_EQ(parsed_.klass().methods[0]->code_length, 1u);
  EXPECT_EQ(parsed_.klass().methods[0]->argument_slots, 1);
}

TEST_F(ClassFileParserTest, ParsesEveryClassOfTheImage) {
  JImage image;
  ASSERT_EQ(image.open(test::jdk_home() + "/lib/modules"), "");
  usize count = 0;
  image.for_each([&](std::string_view module, const std::string& name, std::span<const u8> bytes) {
    if (module != "java.base" || !name.ends_with(".class") || name.ends_with("module-info.class")) return;
    for (bool trusted : {true, false}) {
      ClassFileError error = parse(bytes, trusted, name.substr(0, name.size() - 6).c_str());
      ASSERT_FALSE(error) << name << ": " << error.message;
    }
    ++count;
  });
  EXPECT_GT(count, 6000u);
}

TEST_F(ClassFileParserTest, ModuleDescriptorsAreNoClasses) {
  JImage image;
  ASSERT_EQ(image.open(test::jdk_home() + "/lib/modules"), "");
  ClassFileError error = parse(*image.find("/java.base/module-info.class"), false, "module-info");
  EXPECT_EQ(error.kind, ClassFileError::Kind::NoClassDefFound);
  EXPECT_EQ(error.message, "module-info is not a class because access_flag ACC_MODULE is set");
}

TEST_F(ClassFileParserTest, KnowsTheHintsOfBootMethods) {
  JImage image;
  ASSERT_EQ(image.open(test::jdk_home() + "/lib/modules"), "");
  ASSERT_FALSE(parse(*image.find("/java.base/java/lang/Class.class"), true));
  bool caller_sensitive = false, intrinsic = false;
  for (u32 i = 0; i < parsed_.klass().method_count; ++i) {
    const Method* method = parsed_.klass().methods[i];
    if (method->name->text() == "forName") caller_sensitive |= method->caller_sensitive;
    if (method->name->text() == "isInstance") intrinsic = method->intrinsic_candidate;
  }
  EXPECT_TRUE(caller_sensitive);
  EXPECT_TRUE(intrinsic);
  ASSERT_FALSE(parse(*image.find("/java.base/java/lang/invoke/MethodHandle.class"), true));
  for (u32 i = 0; i < parsed_.klass().method_count; ++i) {
    const Method* method = parsed_.klass().methods[i];
    bool expected = method->name->text() == "invoke" || method->name->text() == "invokeExact" ||
                    method->name->starts_with("invokeBasic") || method->name->starts_with("linkTo");
    EXPECT_EQ(method->polymorphic_signature, expected) << method->name->text();
  }
}

// Each damaged copy lies at the end of its own allocation, so that a sanitizer sees any read past it.
TEST_F(ClassFileParserTest, DamagedClassesNeverCrash) {
  JImage image;
  ASSERT_EQ(image.open(test::jdk_home() + "/lib/modules"), "");
  const char* corpus[] = {"java/lang/String",
                          "java/util/HashMap",
                          "java/lang/invoke/VarHandle",
                          "java/util/stream/Collectors",
                          "java/lang/Runtime$Version",
                          "java/util/concurrent/ConcurrentHashMap",
                          "java/lang/annotation/Retention",
                          "java/lang/constant/ConstantDesc",
                          "java/lang/Thread$State"};
  test::Random random(42);
  usize refused = 0, total = 0;
  for (const char* name : corpus) {
    auto whole = image.find("java.base", std::string(name) + ".class");
    ASSERT_TRUE(whole) << name;
    auto attempt = [&](const std::vector<u8>& damaged) {
      for (bool trusted : {true, false}) {
        Arena arena;
        ParsedClass parsed;
        ParseOptions options;
        options.trusted = trusted;
        std::unique_ptr<u8[]> exact(new u8[damaged.size()]);
        std::copy(damaged.begin(), damaged.end(), exact.get());
        refused += static_cast<bool>(parse_class_file({exact.get(), damaged.size()}, options, arena, parsed));
        ++total;
      }
    };
    u32 size = static_cast<u32>(whole->size());
    for (int i = 0; i < 60; ++i) {
      std::vector<u8> damaged(whole->begin(), whole->begin() + random.below(size));
      attempt(damaged);
    }
    for (int i = 0; i < 300; ++i) {
      std::vector<u8> damaged(whole->begin(), whole->end());
      for (u32 flips = 1 + random.below(6); flips > 0; --flips)
        damaged[random.below(size)] = static_cast<u8>(random.below(256));
      attempt(damaged);
    }
  }
  EXPECT_GT(refused, total / 3);
}

}  // namespace
}  // namespace keyhole
