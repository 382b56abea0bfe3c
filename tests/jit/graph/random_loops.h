// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Random methods whose loops have more than a thousand iterations each:
//
//     new objects with fields, links and elements; only one object escapes
//     for i from .. to .., up or down, mostly by 1, sometimes near the limits of int; often with a second counter
//       a few cheap statements: on these objects, under their monitors, on arrays; some make new objects
//       in some iterations: a throw, a division by zero, an exit from the loop, a call
//     at the end, the fields of all objects are combined into the result
#pragma once

#include "tests/jit/graph/random_method.h"

namespace keyhole::testing {

// Locals: 0 and 1 int arguments, 2 a long argument, 4 an int[8], 5 and 6 ints, 7 an int[4000], from 8 on counters, 10 a
// limit, 11 an int[8] or null, 12 an object in `seen`, 15 the caught exception, 18 and 19 objects, 20 an int[3] and 21
// an array of two objects, which mostly do not escape; 22 advances beside the counters; from 23 on the locked objects.
class RandomLoops : RandomText {
 public:
  explicit RandomLoops(u32 seed) : RandomText(seed) {}

  // Defines the class and returns its method `run`. All its methods are profiled.
  Method* define() { return define_run(fmt::format("RandomLoops{}", ++count_), text()); }

  std::string text() {
    line(fmt::format(".locals 28\nbipush 8\nnewarray int\nastore 4\niload_0\nistore 5\niconst_{}\nistore 6", below(2)));
    line("sipush 4000\nnewarray int\nastore 7\naconst_null\nastore 11");
    std::string past = label();
    line(fmt::format("iload_0\nifle {}\nbipush 8\nnewarray int\nastore 11\n{}:", past, past));
    for (u32 local : {12, 18, 19}) line(fmt::format("{}\nastore {}", make_, local));
    line(
        "aload 12\nputstatic self.seen Lself;\niconst_3\nnewarray int\nastore 20\niconst_2\nanewarray self\nastore 21");
    for (u32 local : {8, 9, 22}) line(fmt::format("iconst_0\nistore {}", local));
    statements(below(3));
    for (u32 i = 1 + below(2); i > 0; --i) {
      if (below(4) == 0) twice();
      else if (below(3) == 0) guarded();
      else loop();
      statements(below(2));
    }
    fold();
    return text_;
  }

 private:
  // --- loops ---------------------------------------------------------------------------------------------------------

  // Its counter is local 9.
  void loop() {
    std::string next = label(), done = label();
    bool goes_up = below(3) != 0;
    u32 step = 1;
    std::string limit = fmt::format("sipush {}", 1000 + static_cast<i32>(below(2500)));
    switch (below(8)) {
      case 0:  // the loop's counter runs to the largest or smallest int
        line(fmt::format("ldc {}\nistore 9", goes_up ? "2147481000" : "-2147481000"));
        limit = goes_up ? "ldc 2147483647" : "ldc -2147483648";
        break;
      case 1:
        line("aload 7\narraylength\nistore 10");
        if (goes_up) line("iconst_0\nistore 9");
        else line("iload 10\niconst_1\nisub\nistore 9");
        limit = goes_up ? "iload 10" : "iconst_0";
        break;
      case 2: step = 2 + below(6); [[fallthrough]];
      default:
        line(fmt::format("{}\nistore 9", below(2) == 0 ? "iconst_0" : "iload_0"));
        if (below(2) == 0) line(fmt::format("iload_1\nsipush 1023\niand\nsipush {}\niadd\nistore 10", 1100 * step));
        else line(fmt::format("{}\nistore 10", limit));
        limit = below(3) == 0 && step == 1 ? limit : "iload 10";
        if (!goes_up) {
          line(fmt::format("{}\niload 9\nistore 10\nistore 9", limit));
          limit = "iload 10";
        }
    }
    bool includes_limit = limit == "iload 10" && below(3) == 0;
    bool goes_along = below(2) == 0;
    if (goes_along) line(fmt::format("{}\nistore 22", below(2) == 0 ? "iload_1\nsipush 511\niand" : "sipush 3800"));
    done_ = done;
    line(next + ":");
    if (below(4) == 0) statement(2);  // in the header
    line(fmt::format("iload 9\n{}\n{} {}", limit,
                     goes_up          ? includes_limit ? "if_icmpgt" : "if_icmpge"
                     : includes_limit ? "if_icmplt"
                                      : "if_icmple",
                     done));
    std::string away = label();
    bool asks = goes_along && below(2) == 0;
    for (u32 i = 1 + below(3); i > 0; --i) statement(0);
    if (asks) ask(away);
    if (goes_along) line(fmt::format("iinc 22 {}", below(2) == 0 ? 1 : static_cast<i32>(below(7)) - 3));
    line(
        fmt::format("iinc 9 {}\ngoto {}\n{}:", goes_up ? static_cast<i32>(step) : -static_cast<i32>(step), next, done));
    done_.clear();
    if (!asks) return;
    std::string past = label();
    line(fmt::format("goto {}\n{}:\ngetstatic self.si I\nistore 5\n{}:", past, away, past));
  }
  // Emits a branch out of the loop. Most methods never take this branch.
  void ask(const std::string& away) {
    constexpr const char* leaves[] = {"if_icmplt", "if_icmple", "if_icmpgt", "if_icmpge", "if_icmpeq"};
    u32 which = below(5);
    i32 bound = which < 2 ? -1000 - static_cast<i32>(below(9000)) : 1000 + static_cast<i32>(below(9000));
    line(fmt::format("iload 22\n{}sipush {}\n{} {}", below(2) == 0 ? "iconst_3\niadd\n" : "", bound, leaves[which],
                     away));
  }
  void twice() {
    std::string next = label(), done = label();
    line(fmt::format("iconst_0\nistore 8\n{}:\niload 8\niconst_2\nif_icmpge {}", next, done));
    statements(1);
    loop();
    line(fmt::format("iinc 8 1\ngoto {}\n{}:", next, done));
  }
  void guarded() {
    std::string from = label(), to = label(), handler = label(), after = label();
    line(from + ":");
    loop();
    line(fmt::format("{}:\ngoto {}\n{}:\nastore 15", to, after, handler));
    statements(1);
    line(fmt::format("{}:\n.catch java/lang/RuntimeException {} {} {}", after, from, to, handler));
  }
  bool is_in_loop() const { return !done_.empty(); }

  // --- values --------------------------------------------------------------------------------------------------------

  std::string own() { return fmt::format("aload {}", 18 + below(2)); }
  std::string object() { return below(5) == 0 ? "aload 12" : own(); }
  void value(u32 depth = 0) {
    constexpr const char* locals[] = {"iload_0", "iload_1", "iload 5", "iload 6", "iload 9", "iload 9"};
    constexpr const char* operations[] = {"iadd", "isub", "imul", "iand", "ior", "ixor", "ishl", "iushr"};
    switch (below(depth > 1 ? 3 : 9)) {
      case 0: return line(fmt::format("sipush {}", static_cast<i32>(below(70)) - 9));
      case 1:
      case 2: return line(locals[below(6)]);
      case 3: return line(fmt::format("{}\ngetfield self.{}", object(), below(2) == 0 ? "i I" : "b B"));
      case 4: return line(fmt::format("aload {}\niconst_{}\niaload", below(2) == 0 ? 20 : 4, below(3)));
      case 5:
        if (below(3) == 0) return line("getstatic self.si I");
        [[fallthrough]];
      default:
        value(depth + 1);
        value(depth + 1);
        line(operations[below(8)]);
    }
  }

  // --- statements ----------------------------------------------------------------------------------------------------

  void statements(u32 count) {
    for (u32 i = 0; i < count; ++i) statement(1);
  }
  void statement(u32 depth) {
    switch (below(depth > 1 ? 13 : 20)) {
      case 0:
      case 1: {
        line(object());
        value();
        return line(below(2) == 0 ? "putfield self.i I" : "putfield self.b B");
      }
      case 2: {
        line(fmt::format("{}\ndup\ngetfield self.d D\niload 9\ni2d\ndadd\nputfield self.d D", own()));
        return;
      }
      case 3: {
        line(fmt::format("aload 20\niconst_{}", below(3)));
        value();
        return line("iastore");
      }
      case 4: return line(fmt::format("{}\n{}\nputfield self.next Lself;", own(), below(6) == 0 ? "aload 12" : own()));
      case 5: return below(2) == 0 ? read(own() + "\ngetfield self.next Lself;") : write_through();
      case 6:
        line(fmt::format("aload 21\niconst_{}\n{}\naastore", below(2), own()));
        return read(fmt::format("aload 21\niconst_{}\naaload", below(2)));
      case 7: return line(fmt::format("{}\nastore {}", below(2) == 0 ? own() : make_, 18 + below(2)));
      case 8:
      case 9: value(); return line(fmt::format("istore {}", 5 + below(2)));
      case 10: {
        value();
        return line(below(2) == 0 ? "i2l\nlload_2\nlxor\nlstore_2" : "putstatic self.si I");
      }
      case 11: {
        line(fmt::format("aload 4\n{}", below(2) == 0 ? "iconst_2" : "iload 9\nbipush 7\niand"));
        value();
        return line("iastore");
      }
      case 12: {
        line(own());
        value();
        return line("invokevirtual self.add (I)I\nistore 5");
      }
      case 13: return below(3) == 0 ? element_if_there() : element();
      case 14:
      case 15: return locked(depth);
      case 16:
      case 17: return sometimes(depth);
      default: return branch(depth);
    }
  }
  // Emits a read of a field of the object that the code `object` pushes, if the object is not null.
  void read(const std::string& object) {
    std::string past = label();
    line(fmt::format("{}\ndup\nastore 16\nifnull {}\naload 16\ngetfield self.{}", object, past,
                     below(2) == 0 ? "i I" : "b B"));
    line(fmt::format("istore {}\n{}:", 5 + below(2), past));
  }
  // Emits a write to the object to which another object's field `next` refers, unless this field is null.
  void write_through() {
    std::string past = label(), holder = own();
    line(fmt::format("{}\ngetfield self.next Lself;\ndup\nastore 16\nifnull {}", holder, past));
    switch (below(3)) {
      case 0: line(fmt::format("aload 16\n{}\nputfield self.next Lself;", own())); break;
      case 1: line(fmt::format("{}\naload 16\ngetfield self.next Lself;\nputfield self.next Lself;", holder)); break;
      default:
        line("aload 16");
        value();
        line(below(2) == 0 ? "putfield self.i I" : "putfield self.b B");
    }
    line(past + ":");
  }
  // Emits a load from an array that is null in half of the runs.
  void element_if_there() {
    std::string past = label();
    line(fmt::format("aload 11\nifnull {}\naload 11\n{}\niaload\nistore 6\n{}:", past,
                     below(2) == 0 ? "iconst_3" : "iload 9\nbipush 7\niand", past));
  }
  // Emits an access to an array. The index advances with the loop, and is in bounds in most methods.
  void element() {
    constexpr const char* indices[] = {
        "iload 9",  "iload 9\niconst_2\niadd", "sipush 3900\niload 9\nisub", "iload 9\niload_0\nisub",
        "iload 22", "iload 22\niconst_1\niadd"};
    std::string index = indices[below(6)];
    if (below(2) == 0) return line(fmt::format("aload 7\n{}\niaload\nistore 6", index));
    line(fmt::format("aload 7\n{}", index));
    value(1);
    line("iastore");
  }
  void locked(u32 depth) {
    if (locks_ == 3) return;
    u32 local = 23 + locks_++;
    std::string from = label(), to = label(), handler = label(), after = label();
    line(fmt::format("{}\ndup\nastore {}\nmonitorenter\n{}:", object(), local, from));
    std::string done;
    std::swap(done, done_);  // an exit from the loop must not bypass the monitor's exit
    for (u32 i = below(3); i > 0; --i) statement(depth + 1);
    if (below(3) == 0) locked(depth + 1);
    std::swap(done, done_);
    line(fmt::format("aload {}\nmonitorexit\n{}:\ngoto {}", local, to, after));
    line(fmt::format("{}:\nastore 15\naload {}\nmonitorexit\naload 15\nathrow\n{}:", handler, local, after));
    line(fmt::format(".catch any {} {} {}", from, to, handler));
    --locks_;
    if (below(3) == 0) {  // and once more
      line(fmt::format("aload {}\nmonitorenter", local));
      if (below(2) == 0) line("iload 6\niload 9\nixor\nistore 6");
      line(fmt::format("aload {}\nmonitorexit", local));
    }
  }
  // Emits an action that is executed for one value of the counter in local 9, or for one value in 512.
  void sometimes(u32 depth) {
    std::string past = label();
    bool is_once = below(2) == 0;
    if (is_once) line(fmt::format("iload 9\nsipush {}\nif_icmpne {}", below(1500), past));
    else line(fmt::format("iload 9\nsipush {}\niand\nsipush {}\nif_icmpne {}", 511, below(512), past));
    switch (below(6)) {
      case 0:
        line(
            "new java/lang/IllegalStateException\ndup\ninvokespecial java/lang/IllegalStateException.<init> "
            "()V\nathrow");
        break;
      case 1: line("iload 5\niload_0\nidiv\nistore 5"); break;  // the divisor is zero in one run of seven
      case 2:
        if (is_in_loop()) line("goto " + done_);
        break;
      case 3: line(own() + "\nputstatic self.seen Lself;"); break;
      case 4: line("invokestatic java/lang/System.gc ()V"); break;
      default: statement(depth + 1); break;
    }
    line(past + ":");
  }
  void branch(u32 depth) {
    std::string other = label(), past = label();
    switch (below(3)) {
      case 0:
        value();
        line(fmt::format("iconst_{}\niand\nifeq {}", 1 + below(3), other));
        break;
      case 1: line(fmt::format("aload 18\naload 19\nif_acmp{} {}", below(2) == 0 ? "eq" : "ne", other)); break;
      default: value(); line(fmt::format("iload 9\nif_icmplt {}", other));
    }
    statement(depth + 1);
    line(fmt::format("goto {}\n{}:", past, other));
    if (below(2) == 0) statement(depth + 1);
    line(past + ":");
  }

  void fold() {
    auto add = [&](const std::string& part) { line(part + "\nladd\nldc2_w 31L\nlmul"); };
    line("iload 5\niload 6\nixor\ni2l\nlload_2\nladd");
    add("getstatic self.si I\ni2l");
    for (u32 i : {0, 2, 7}) add(fmt::format("aload 4\nbipush {}\niaload\ni2l", i));
    for (u32 i : {0, 1, 2}) add(fmt::format("aload 20\niconst_{}\niaload\ni2l", i));
    for (u32 i : {1, 1234}) add(fmt::format("aload 7\nsipush {}\niaload\ni2l", i));
    for (u32 local : {12, 18, 19}) {
      add(fmt::format("aload {}\ngetfield self.i I\ni2l", local));
      add(fmt::format("aload {}\ngetfield self.b B\ni2l", local));
      add(fmt::format("aload {}\ngetfield self.d D\nd2l", local));
    }
    std::string links[] = {"aload 18\ngetfield self.next Lself;", "aload 19\ngetfield self.next Lself;",
                           "aload 21\niconst_0\naaload", "aload 21\niconst_1\naaload"};
    for (const std::string& link : links) {
      std::string past = label();
      line(fmt::format("{}\ndup\nastore 16\nifnull {}", link, past));
      add("aload 16\ngetfield self.i I\ni2l");
      for (u32 local : {12, 18, 19}) {
        std::string differ = label();
        line(fmt::format("aload 16\naload {}\nif_acmpne {}\nldc2_w 1000003L\nladd\n{}:", local, differ, differ));
      }
      line(past + ":");
    }
    line("lreturn");
  }

  static constexpr const char* make_ = "new self\ndup\ninvokespecial self.<init> ()V";
  static inline u32 count_ = 0;
  u32 locks_ = 0;
  std::string done_;  // the exit label of the enclosing loop; empty: no loop
};

}  // namespace keyhole::testing
