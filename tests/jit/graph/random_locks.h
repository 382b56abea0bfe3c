// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Random methods that mostly lock three objects, and two of these may be the same: nested and neighbouring regions,
// with loop exits, calls, branches and exceptions in them and between them.
#pragma once

#include "tests/jit/graph/random_method.h"

namespace keyhole::testing {

// Locals: 0 and 1 int arguments, 2 a long argument, 5 an int, 12 to 14 objects, 15 the caught exception, 16 an int[8];
// from 20 on the locked objects.
class RandomLocks : RandomText {
 public:
  explicit RandomLocks(u32 seed) : RandomText(seed) {}

  // Defines the class and returns its method `run`. All its methods are profiled.
  Method* define() { return define_run(fmt::format("RandomLocks{}", ++count_), text()); }

  std::string text() {
    line(".locals 30\niload_0\nistore 5\nbipush 8\nnewarray int\nastore 16");
    for (u32 local : {12, 13}) line(fmt::format("new self\ndup\ninvokespecial self.<init> ()V\nastore {}", local));
    line(fmt::format("aload {}\nastore 14", 12 + below(2)));
    for (u32 i = 2 + below(3); i > 0; --i) {
      region(0);
      if (below(3) == 0) statement(0);
    }
    line("iload 5\ni2l\nlload_2\nladd");
    for (u32 local : {12, 13}) line(fmt::format("aload {}\ngetfield self.i I\ni2l\nladd", local));
    line("getstatic self.si I\ni2l\nlxor\nlreturn");
    return text_;
  }

 private:
  std::string object() { return fmt::format("aload {}", below(6) == 0 ? 14 : 12 + below(2)); }

  // Locks an object once, or several times in a row; sometimes in a loop of three iterations.
  void region(u32 depth) {
    u32 local = 20 + depth;
    std::string again = label();
    bool is_loop = depth == 0 && below(8) == 0;
    if (is_loop) line(fmt::format("iconst_0\nistore 29\n{}:", again));
    line(fmt::format("{}\nastore {}", object(), local));
    for (u32 i = 1 + below(3); i > 0; --i) {
      once(depth, local);
      if (i > 1 && below(2) == 0) statement(2);
    }
    if (is_loop) line(fmt::format("iinc 29 1\niload 29\niconst_3\nif_icmplt {}", again));
  }
  void once(u32 depth, u32 local) {
    std::string from = label(), to = label(), handler = label(), after = label();
    line(fmt::format("aload {}\nmonitorenter\n{}:", local, from));
    for (u32 i = below(3); i > 0; --i) {
      if (depth < 3 && below(2) == 0) region(depth + 1);
      else statement(depth);
    }
    line(fmt::format("aload {}\nmonitorexit\n{}:\ngoto {}", local, to, after));
    line(fmt::format("{}:\nastore 15\naload {}\nmonitorexit\naload 15\nathrow\n{}:", handler, local, after));
    line(fmt::format(".catch any {} {} {}", from, to, handler));
  }
  void statement(u32 depth) {
    switch (below(depth > 1 ? 7 : 10)) {
      case 0:
      case 1: return line("sipush 1000\niload 5\niconst_1\nior\nidiv\nistore 5");  // the divisor is odd, so never zero
      case 2: return line(fmt::format("{}\ndup\ngetfield self.i I\niload_1\nixor\nputfield self.i I", object()));
      case 3: return line("aload 16\niload_0\nbipush 7\niand\niinc 5 3\niload 5\niastore");
      case 4: return line(fmt::format("{}\niload 5\ninvokevirtual self.add (I)I\nistore 5", object()));
      case 5: {
        std::string other = label(), past = label();
        line(fmt::format("iload_1\niconst_{}\niand\nifeq {}", 1 << below(3), other));
        statement(depth + 1);
        line(fmt::format("goto {}\n{}:", past, other));
        if (below(2) == 0) statement(depth + 1);
        return line(past + ":");
      }
      case 6: return line("iload 5\nputstatic self.si I");
      case 7: return line("invokestatic java/lang/System.nanoTime ()J\npop2");
      case 8: return line("iload 5\niload_0\nidiv\nistore 5");  // the divisor is zero in one run of seven
      default: {
        std::string past = label();
        return line(
            fmt::format("iload_1\nbipush 31\niand\nbipush {}\nif_icmpne {}\nnew java/lang/IllegalStateException\n"
                        "dup\ninvokespecial java/lang/IllegalStateException.<init> ()V\nathrow\n{}:",
                        below(32), past, past));
      }
    }
  }

  static inline u32 count_ = 0;
};

}  // namespace keyhole::testing
