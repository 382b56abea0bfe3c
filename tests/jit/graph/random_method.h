// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Random methods: nested branches, bounded loops, arithmetic on ints and longs, array elements, fields, throws. Random
// programs: methods that call each other, also through their receivers. KEYHOLE_RANDOM_METHODS=N: the tests take N
// methods, instead of a few. KEYHOLE_RANDOM_FIRST=N: from method N on.
#pragma once

#include <cstdlib>
#include <random>

#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/graph/profiling.h"

namespace keyhole::testing {

inline u32 number_from_environment(const char* name, u32 otherwise) {
  const char* wanted = std::getenv(name);
  return wanted != nullptr ? static_cast<u32>(std::atoi(wanted)) : otherwise;
}
inline bool is_volume() { return std::getenv("KEYHOLE_RANDOM_METHODS") != nullptr; }
inline u32 random_methods(u32 usual) { return number_from_environment("KEYHOLE_RANDOM_METHODS", usual); }
inline u32 first_method() { return number_from_environment("KEYHOLE_RANDOM_FIRST", 0); }

// Makes a class with the fields that random methods use.
inline ClassBuilder random_class(const std::string& name) {
  ClassBuilder builder(name, "java/lang/Object", 49);
  builder.field(access::Public | access::Static, "si", "I").default_constructor();
  builder.field(access::Public, "i", "I").field(access::Public, "b", "B").field(access::Public, "d", "D");
  builder.field(access::Public, "next", "L" + name + ";");
  builder.field(access::Public | access::Static, "seen", "L" + name + ";");
  return builder;
}

class RandomText {
 protected:
  explicit RandomText(u32 seed) : random_(seed) {}

  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  std::string label() { return fmt::format("l{}", labels_++); }

  // Defines a class with a method `run`, whose code is `text`, and a synchronized method `add`. The two methods are
  // profiled. Returns `run`.
  static Method* define_run(const std::string& name, const std::string& text) {
    ClassBuilder builder = random_class(name);
    builder.method(access::Public | access::Synchronized, "add", "(I)I", replaced(add_, "self", name));
    builder.method(access::Public | access::Static, "run", "(IIJ)J", replaced(text, "self", name));
    InstanceKlass* klass = testing::define(builder);
    profile_methods(klass);
    return klass->find_declared_method(Symbol::intern("run"), Symbol::intern("(IIJ)J"));
  }

  std::mt19937 random_;
  std::string text_;
  u32 labels_ = 0;

 private:
  static constexpr const char* add_ = R"(
      aload_0
      aload_0
      getfield self.i I
      iload_1
      iadd
      dup_x1
      putfield self.i I
      ireturn
  )";
};

// Locals: 0 and 1 int arguments, 2 a long argument, 4 an int[8], 5 and 6 ints, 7 four receivers, from 8 on counters of
// loops, 12 and 13 objects, which may be the same, 14 an array that may be the one in 4, 15 the caught exception, 16
// and 17 boxes of ints, where equal small ints have the same box; 18 and 19 objects, 20 an int[3], 21 an array of two
// objects, which mostly do not escape.
class RandomMethod : RandomText {
 public:
  // The random method may call methods of its class (f0, f1, ..., `callees` in all), and the method `v` on objects of
  // `receivers` classes. Without `has_objects` it allocates no objects, and without `has_own` it does not use locals 18
  // to 21.
  explicit RandomMethod(u32 seed, bool has_objects = false, u32 callees = 0, u32 receivers = 0, bool has_own = false)
      : RandomText(seed), has_objects_(has_objects), has_own_(has_own), callees_(callees), receivers_(receivers) {}

  std::string text() {
    line(".locals 22\nbipush 8\nnewarray int\nastore 4\niload_0\nistore 5\niconst_3\nistore 6");
    if (has_objects_) {
      line(fmt::format("{}\nastore 13\naload 13\nastore 12", make_));
      if (below(2) == 0) line(fmt::format("{}\nastore 13", make_));
      for (u32 i : {0, 1}) line(fmt::format("iload_{}\n{}\nastore {}", i, box_, 16 + i));
    }
    if (has_own_) {
      for (u32 local : {18, 19}) line(fmt::format("{}\nastore {}", make_, local));
      line("iconst_3\nnewarray int\nastore 20\niconst_2\nanewarray self\nastore 21");
    }
    line(below(2) == 0 ? "aload 4\nastore 14" : "bipush 8\nnewarray int\nastore 14");
    if (receivers_ != 0) line("iconst_4\nanewarray self\nastore 7");
    for (u32 i = 0; receivers_ != 0 && i < 4; ++i) {
      std::string klass = fmt::format("selfReceiver{}", below(receivers_));
      line(fmt::format("aload 7\niconst_{}\nnew {}\ndup\ninvokespecial {}.<init> ()V\naastore", i, klass, klass));
    }
    statements(4, 0);
    line("iload 5\niload 6\nixor\ni2l\nlload_2\nladd");
    for (u32 i : {0, 3, 7}) line(fmt::format("aload 4\nbipush {}\niaload\ni2l\nlxor", i));
    line("lreturn");
    return text_;
  }

 private:
  const char* array() { return below(2) == 0 ? "aload 4" : "aload 14"; }

  void int_value(u32 depth) {
    constexpr const char* locals[] = {"iload_0", "iload_1", "iload 5", "iload 6"};
    constexpr const char* operations[] = {"iadd", "isub", "imul",  "iand", "ior",
                                          "ixor", "ishl", "iushr", "idiv", "irem"};
    u32 kind = below(depth > 3 ? 2 : has_objects_ ? 9 : 7);
    if (kind == 8) return line(fmt::format("{}\ninvokevirtual java/lang/Integer.intValue ()I", any_box()));
    if (kind == 7) return line(fmt::format("aload {}\ngetfield self.{}", 12 + below(2), below(2) == 0 ? "i I" : "b B"));
    if (kind == 0) return line(fmt::format("sipush {}", static_cast<i32>(below(9)) - 2));
    if (kind == 1) return line(locals[below(4)]);
    if (kind == 2) return line("lload_2\nl2i");
    if (kind == 3) {
      line(array());
      int_value(depth + 1);
      // Mostly within its bounds.
      if (below(12) != 0) line("bipush 7\niand");
      return line("iaload");
    }
    if (kind == 4) line("getstatic self.si I");
    else int_value(depth + 1);
    int_value(depth + 1);
    line(operations[below(below(3) == 0 ? 10 : 8)]);
  }

  std::string any_box() { return fmt::format("aload {}", 16 + below(2)); }
  // Emits a box that is used on two paths. Code on one of the paths compares the box.
  void box_statement(u32 depth) {
    std::string other = label();
    int_value(1);
    line(fmt::format("{}\nastore {}\niload_1\nifeq {}", box_, 16 + below(2), other));
    line(fmt::format("{}\n{}\nif_acmpne {}", any_box(), any_box(), other));
    statements(1, depth + 1);
    line(other + ":");
  }

  void statements(u32 count, u32 depth) {
    for (u32 i = 0; i < count; ++i) statement(depth);
  }
  void call() {
    bool is_virtual = receivers_ != 0 && below(2) == 0;
    if (is_virtual) {
      line("aload 7");
      int_value(2);
      line("iconst_3\niand\naaload");
    }
    int_value(2);
    int_value(2);
    line("lload_2");
    if (is_virtual) line("invokevirtual self.v (IIJ)J");
    else line(fmt::format("invokestatic self.f{} (IIJ)J", below(callees_)));
    line(below(2) == 0 ? "lstore_2" : "l2i\nistore 5");
  }
  void statement(u32 depth) {
    if (has_own_ && below(3) == 0) return own_statement(depth);
    if (callees_ != 0 && below(3) == 0) return call();
    u32 kind = below(depth > 2 ? 4 : has_objects_ ? 9 : 6);
    if (kind == 8) return box_statement(depth);
    if (kind == 7) {
      int_value(1);
      return line(fmt::format("{}\nastore {}", box_, 16 + below(2)));
    }
    if (kind == 6) return try_statement(depth);
    if (kind <= 1) {
      int_value(0);
      return line(fmt::format("istore {}", 5 + below(2)));
    }
    if (kind == 2) {
      line("lload_2");
      int_value(0);
      return line(below(2) == 0 ? "i2l\nlmul\nlstore_2" : "lshl\nlstore_2");
    }
    if (kind == 3) {
      if (below(3) == 0) {
        int_value(1);
        return line("putstatic self.si I");
      }
      if (has_objects_ && below(2) == 0) {
        line(fmt::format("aload {}", 12 + below(2)));
        int_value(1);
        return line(below(2) == 0 ? "putfield self.i I" : "putfield self.b B");
      }
      line(fmt::format("{}\nbipush {}", array(), below(8)));
      int_value(1);
      return line("iastore");
    }
    std::string first = label(), second = label();
    if (kind == 4) {
      constexpr const char* branches[] = {"if_icmplt", "if_icmpge", "if_icmpeq", "if_icmpne", "if_icmpgt", "if_icmple"};
      int_value(2);
      int_value(2);
      line(fmt::format("{} {}", branches[below(6)], first));
      statements(1 + below(2), depth + 1);
      line(fmt::format("goto {}\n{}:", second, first));
      statements(below(3), depth + 1);
      return line(second + ":");
    }
    u32 counter = 8 + depth;
    line(fmt::format("iconst_0\nistore {}\n{}:\niload {}\niconst_{}\nif_icmpge {}", counter, first, counter,
                     1 + below(4), second));
    statements(1 + below(3), depth + 1);
    line(fmt::format("iinc {} 1\ngoto {}\n{}:", counter, first, second));
  }

  // --- objects that only the method uses -----------------------------------------------------------------------------

  std::string own() { return fmt::format("aload {}", 18 + below(2)); }
  // Emits a read of a field of the object that the code `object` pushes, if the object is not null.
  void read_object(const std::string& object) {
    std::string past = label();
    line(fmt::format("{}\nifnull {}\n{}\ngetfield self.{}", object, past, object, below(2) == 0 ? "i I" : "b B"));
    line(fmt::format("istore {}\n{}:", 5 + below(2), past));
  }
  void own_statement(u32 depth) {
    switch (below(depth > 2 ? 8 : 11)) {
      case 0: return line(fmt::format("{}\nastore {}", make_, 18 + below(2)));
      case 1: {
        std::string holder = own();
        return line(fmt::format("{}\n{}\nputfield self.next Lself;", holder, below(4) == 0 ? "aload 12" : own()));
      }
      case 2: return read_object(own() + "\ngetfield self.next Lself;");
      case 3: {
        line(own());
        int_value(1);
        return line(below(2) == 0 ? "putfield self.i I" : "putfield self.b B");
      }
      case 4: {
        line(own());
        int_value(1);
        return line(fmt::format("i2d\nputfield self.d D\n{}\ngetfield self.d D\nd2l\nlstore_2", own()));
      }
      case 5: {
        line(fmt::format("aload 20\niconst_{}", below(3)));
        int_value(1);
        return line(fmt::format("iastore\naload 20\niconst_{}\niaload\nistore 5", below(3)));
      }
      case 6: {
        line(fmt::format("aload 21\niconst_{}\n{}\naastore", below(2), own()));
        return read_object(fmt::format("aload 21\niconst_{}\naaload", below(2)));
      }
      case 7: return line(fmt::format("{}\ngetfield self.i I\nistore 6", own()));
      case 8: {
        std::string locked = own();
        line(locked + "\nmonitorenter");
        int_value(1);
        return line(fmt::format("istore 5\n{}\nmonitorexit", locked));
      }
      case 9: {
        std::string past = label();
        line(fmt::format("aload 18\naload 19\n{} {}", below(2) == 0 ? "if_acmpeq" : "if_acmpne", past));
        statements(1, depth + 1);
        return line(past + ":");
      }
      default: {  // the object escapes on a path that is sometimes taken
        std::string past = label();
        line(fmt::format("iload_0\niload_1\nif_icmpne {}\n{}\nputstatic self.seen Lself;\n{}:", past, own(), past));
      }
    }
  }
  static constexpr const char* make_ = "new self\ndup\ninvokespecial self.<init> ()V";
  static constexpr const char* box_ = "invokestatic java/lang/Integer.valueOf (I)Ljava/lang/Integer;";
  const char* throwable() {
    constexpr const char* classes[] = {"java/lang/ArithmeticException", "java/lang/IllegalStateException",
                                       "java/lang/IndexOutOfBoundsException", "java/lang/RuntimeException"};
    return classes[below(4)];
  }
  // Emits one or two handlers of one range. The second one may be `any`. The range may be in a loop.
  void try_statement(u32 depth) {
    std::string from = label(), to = label(), after = label(), first = label(), second = label();
    line(from + ":");
    statements(1 + below(2), depth + 1);
    if (below(2) == 0) throw_statement();
    line(fmt::format("{}:\ngoto {}\n{}:\nastore 15", to, after, first));
    statements(1, depth + 1);
    bool has_second = below(2) == 0;
    if (has_second) {
      line(fmt::format("goto {}\n{}:\nastore 15", after, second));
      statements(below(2), depth + 1);
      if (below(3) == 0) line("aload 15\nathrow");
    }
    line(after + ":");
    line(fmt::format(".catch {} {} {} {}", throwable(), from, to, first));
    if (has_second) line(fmt::format(".catch {} {} {} {}", below(2) == 0 ? "any" : throwable(), from, to, second));
  }
  void throw_statement() {
    std::string past = label(), klass = throwable();
    int_value(2);
    line(fmt::format("iconst_3\niand\nifne {}\nnew {}\ndup\ninvokespecial {}.<init> ()V\nathrow\n{}:", past, klass,
                     klass, past));
  }

  bool has_objects_, has_own_;
  u32 callees_, receivers_;
};

// A class with methods f0, f1, f2 and `run`. Each method may call the methods before it in this list. `run` may also
// call `v`, which most subclasses override. A subclass may lack an override, and then objects of two classes have the
// same `v`.
class RandomProgram {
 public:
  explicit RandomProgram(u32 seed, bool has_own = false) : seed_(seed), has_own_(has_own) {}

  // Defines the classes and returns the method `run`. All methods are profiled.
  Method* define() {
    std::mt19937 random(seed_);
    u32 receivers = 1 + static_cast<u32>(random() % 3);
    std::string name = fmt::format("RandomProgram{}", ++count_);
    ClassBuilder builder = random_class(name);
    auto method = [&](const char* called, u32 callees, u32 classes) {
      std::string text = RandomMethod(static_cast<u32>(random()), true, callees, classes, has_own_).text();
      builder.method(access::Public | access::Static | (random() % 4 == 0 ? access::Synchronized : 0u), called,
                     "(IIJ)J", replaced(text, "self", name));
    };
    method("f0", 0, 0);
    method("f1", 1, 0);
    method("f2", 2, 0);
    builder.method(access::Public, "v", "(IIJ)J",
                   fmt::format("iload_1\niload_2\nlload_3\ninvokestatic {}.f1 (IIJ)J\nlreturn\n", name));
    std::string text = RandomMethod(static_cast<u32>(random()), true, 3, receivers, has_own_).text();
    builder.method(access::Public | access::Static, "run", "(IIJ)J", replaced(text, "self", name));
    InstanceKlass* klass = testing::define(builder);
    for (u32 i = 0; i < receivers; ++i) {
      ClassBuilder receiver(fmt::format("{}Receiver{}", name, i), name, 49);
      receiver.default_constructor();
      if (random() % 3 != 0) {
        receiver.method(access::Public, "v", "(IIJ)J",
                        fmt::format(R"(
            iload_2
            iload_1
            lload_3
            bipush {}
            i2l
            lxor
            invokestatic {}.f{} (IIJ)J
            lreturn
        )",
                                    i + 1, name, i % 3));
      }
      profile_methods(testing::define(receiver));
    }
    profile_methods(klass);
    return klass->find_declared_method(Symbol::intern("run"), Symbol::intern("(IIJ)J"));
  }

 private:
  u32 seed_;
  bool has_own_;
  static inline u32 count_ = 0;
};

// A random method, and its runs. The only side effect of the method is a store to a static field.
class RandomRuns {
 public:
  RandomRuns(u32 seed, Method* method) : random_(seed), method_(method) {
    field_ = method->holder->find_declared_field(Symbol::intern("si"), Symbol::intern("I"));
  }
  std::vector<Slot> arguments() {
    return {slot_of(static_cast<i32>(random_() % 7) - 3), slot_of(static_cast<i32>(random_())), 0, random_()};
  }
  void reset_field() { static_cast<Klass*>(method_->holder)->mirror->set<i32>(field_->offset, 5); }
  u64 below(u64 limit) { return random_() % limit; }

 private:
  std::mt19937 random_;
  Method* method_;
  Field* field_;
};

}  // namespace keyhole::testing
