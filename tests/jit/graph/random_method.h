// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Random methods: nested branches, bounded loops, arithmetic on ints and longs, array elements, fields.
#pragma once

#include <random>

#include "tests/jit/graph/graph_fixture.h"

namespace keyhole::testing {

// Locals: 0 and 1 int arguments, 2 a long argument, 4 an int[8], 5 and 6 ints, from 8 on counters of loops.
class RandomMethod {
 public:
  explicit RandomMethod(u32 seed) : random_(seed) {}

  std::string text() {
    line(".locals 16\nbipush 8\nnewarray int\nastore 4\niload_0\nistore 5\niconst_3\nistore 6");
    statements(4, 0);
    line("iload 5\niload 6\nixor\ni2l\nlload_2\nladd");
    for (u32 i : {0, 3, 7}) line(fmt::format("aload 4\nbipush {}\niaload\ni2l\nlxor", i));
    line("lreturn");
    return text_;
  }

 private:
  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  std::string label() { return fmt::format("l{}", labels_++); }

  void int_value(u32 depth) {
    constexpr const char* locals[] = {"iload_0", "iload_1", "iload 5", "iload 6"};
    constexpr const char* operations[] = {"iadd", "isub", "imul", "iand", "ior", "ixor", "ishl", "iushr", "idiv", "irem"};
    u32 kind = below(depth > 3 ? 2 : 7);
    if (kind == 0) return line(fmt::format("sipush {}", static_cast<i32>(below(9)) - 2));
    if (kind == 1) return line(locals[below(4)]);
    if (kind == 2) return line("lload_2\nl2i");
    if (kind == 3) {
      line("aload 4");
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

  void statements(u32 count, u32 depth) {
    for (u32 i = 0; i < count; ++i) statement(depth);
  }
  void statement(u32 depth) {
    u32 kind = below(depth > 2 ? 4 : 6);
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
      if (below(2) == 0) {
        int_value(1);
        return line("putstatic self.si I");
      }
      line(fmt::format("aload 4\nbipush {}", below(8)));
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

  std::mt19937 random_;
  std::string text_;
  u32 labels_ = 0;
};

// A random method, and runs of it. The one thing that it leaves behind is a static field.
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
