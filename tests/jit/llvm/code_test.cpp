// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests functions with control flow, calls, exits and snippets; errors; memory that is returned.
#include <functional>

#include <gmock/gmock.h>

#include "tests/jit/llvm/code_for_tests.h"

#include <sys/resource.h>
#include <unistd.h>

asm(R"(
.text
.globl stub_for_tests, callee_for_tests
stub_for_tests:
  mov $7, %eax
  mov %r13, %rdx
  mov %r12, %rcx
  ret
callee_for_tests:
  xor %eax, %eax
  mov (%r13), %rdx
  add %rdx, %rdx
  lea 8(%r13), %rcx
  ret
)");

namespace keyhole::llvm_plugin {
namespace {

using low::Alias;
using low::NodeId;
using low::Op;
using low::Parameter;
using low::Type;

TEST_F(LlvmPlugin, AnswersInThreeRegisters) {
  b.ret(b.constant(Type::I32, 2), b.constant(Type::I64, 42), b.parameter(Parameter::Frame));
  int frame;
  const Answer answer = call(compile().entry, {}, &frame);
  EXPECT_EQ(answer.status, 2u);
  EXPECT_EQ(answer.result, 42u);
  EXPECT_EQ(answer.slot, reinterpret_cast<u64>(&frame));
}

TEST_F(LlvmPlugin, GetsFrameMethodAndThread) {
  const NodeId frame = b.parameter(Parameter::Frame, Type::Ptr), thread = b.parameter(Parameter::Thread);
  const NodeId method = b.parameter(Parameter::Method, Type::I64);
  b.store(b.address(frame, low::no_node, 1, 8), thread, Alias::JavaFrame);
  returns(method);
  u64 words[2] = {1, 2};
  int thread_object;
  const Answer answer = call(compile().entry, {}, words, reinterpret_cast<void*>(77), &thread_object);
  EXPECT_EQ(answer.result, 77u);
  EXPECT_EQ(words[1], reinterpret_cast<u64>(&thread_object));
}

TEST_F(LlvmPlugin, LoopsAddUp) {
  for (const bool loops : {false, true}) {
    function = {};
    const auto entry = b.new_block(), header = b.new_block(), body = b.new_block(), end = b.new_block();
    b.go_to(entry);
    slot = b.parameter(Parameter::Slot);
    zero = b.constant(Type::I32, 0);
    const NodeId n = argument(Type::I64, 0), none = b.constant(Type::I64, 0);
    b.jump(header);
    b.go_to(header);
    const NodeId i = b.phi(Type::I64, 2), sum = b.phi(Type::I64, 2);
    b.branch(b.value(Op::Less, Type::I1, {i, n}), body, end, true);
    b.go_to(body);
    const NodeId word = b.load(Type::I64, b.address(slot, i, 8, 8), Alias::Element, 11);
    const NodeId more = b.value(Op::Add, Type::I64, {sum, word});
    const NodeId next = b.value(Op::Add, Type::I64, {i, b.constant(Type::I64, 1)});
    b.jump(header);
    b.go_to(end);
    returns(sum);
    b.set_operand(i, 0, none);
    b.set_operand(i, 1, next);
    b.set_operand(sum, 0, none);
    b.set_operand(sum, 1, more);
    function.loops_over_arrays = loops;
    std::vector<u64> words{1000};
    u64 expected = 0;
    for (u64 k = 0; k < 1000; ++k) {
      words.push_back(k * k);
      expected += k * k;
    }
    EXPECT_EQ(call(compile().entry, words).result, expected);
  }
}

TEST_F(LlvmPlugin, VariablesHoldWhatWasSetLast) {
  const low::NodeId variable = b.variable(low::Type::I64), first = argument(low::Type::I64, 0);
  b.set(variable, first);
  const low::BlockId again = b.new_block(), end = b.new_block();
  b.branch(b.value(low::Op::Equal, low::Type::I1, {first, b.constant(low::Type::I64, 5)}), again, end);
  b.go_to(again);
  b.set(variable, argument(low::Type::I64, 1));
  b.jump(end);
  b.go_to(end);
  returns(b.get(variable));
  const uptr entry = compile().entry;
  EXPECT_EQ(call(entry, {5, 8}).result, 8u);
  EXPECT_EQ(call(entry, {6, 8}).result, 6u);
}

TEST_F(LlvmPlugin, SwitchesChoose) {
  const auto first = b.new_block(), second = b.new_block(), other = b.new_block();
  b.switch_on(argument(Type::I32, 0), other, {{-5, first}, {7, second}});
  for (const auto& [block, answer] : {std::pair{first, 100}, {second, 200}, {other, 300}}) {
    b.go_to(block);
    returns(b.constant(Type::I64, answer));
  }
  const uptr entry = compile().entry;
  EXPECT_EQ(call(entry, {0xFFFFFFFBu}).result, 100u);
  EXPECT_EQ(call(entry, {7}).result, 200u);
  EXPECT_EQ(call(entry, {8}).result, 300u);
}

TEST_F(LlvmPlugin, AnExitJumpsToItsStubWithoutAPrologue) {
  host.symbols["stub"] = {reinterpret_cast<uptr>(&stub_for_tests)};
  const auto rare = b.new_block(), usual = b.new_block();
  const NodeId x = argument(Type::I64, 0);
  b.branch(b.value(Op::Equal, Type::I1, {x, b.constant(Type::I64, 0)}), rare, usual, false, true);
  b.go_to(rare);
  b.exit(b.symbol("stub"), {b.constant(Type::I64, 99), slot});
  b.go_to(usual);
  returns(x);
  const Result code = compile({.assembly = true});
  EXPECT_EQ(code.assembly.find("push"), std::string::npos) << code.assembly;
  EXPECT_EQ(code.assembly.find("call"), std::string::npos) << code.assembly;
  char jump[32];
  snprintf(jump, sizeof jump, "jmp\t0x%lx\n", reinterpret_cast<uptr>(&stub_for_tests));
  EXPECT_NE(code.assembly.find(jump), std::string::npos) << jump << code.assembly;
  std::vector<u64> words{0};
  Answer answer{};
  call_by_convention(code.entry, nullptr, words.data(), nullptr, nullptr, &answer);
  EXPECT_EQ(answer.status, 7u);
  EXPECT_EQ(answer.result, reinterpret_cast<u64>(words.data()));
  EXPECT_EQ(answer.slot, 99u);
  EXPECT_EQ(call(code.entry, {5}).result, 5u);
}

TEST_F(LlvmPlugin, CallsThroughAnEntrySymbolAndAnAddress) {
  host.symbols["callee"] = {reinterpret_cast<uptr>(&callee_for_tests)};
  const NodeId frame = b.parameter(Parameter::Frame), thread = b.parameter(Parameter::Thread);
  b.store(frame, b.site_address({11, 12}), Alias::JavaFrame);
  const NodeId direct = b.call_java(b.symbol("callee"), frame, slot, frame, thread);
  const NodeId back = b.value(Op::CallSlot, Type::Ptr, {direct});
  const NodeId indirect = b.call_java(b.load(Type::Ptr, thread, Alias::Thread), frame, back, frame, thread);
  const NodeId sum =
      b.value(Op::Add, Type::I64,
              {b.value(Op::CallResult, Type::I64, {direct}), b.value(Op::CallResult, Type::I64, {indirect})});
  b.ret(b.value(Op::CallStatus, Type::I32, {indirect}), sum, b.value(Op::CallSlot, Type::Ptr, {indirect}));
  const Result code = compile();
  uptr address = reinterpret_cast<uptr>(&callee_for_tests);
  const u64* site = nullptr;
  std::vector<u64> words{3, 50};
  Answer answer{};
  call_by_convention(code.entry, &site, words.data(), nullptr, &address, &answer);
  EXPECT_EQ(answer.status, 0u);
  EXPECT_EQ(answer.result, 106u);
  EXPECT_EQ(answer.slot, reinterpret_cast<u64>(words.data() + 2));
  ASSERT_EQ(reinterpret_cast<uptr>(site), code.sites);
  EXPECT_EQ(site[0], 11u);
  EXPECT_EQ(site[1], 12u);
}

// A reference is loaded from the frame, and is used again after a call.
struct Across : LlvmPlugin {
  std::string error_of(const std::function<low::NodeId(low::NodeId before, low::NodeId call)>& use) {
    host.symbols["entry"] = {reinterpret_cast<uptr>(&callee_for_tests)};
    const low::NodeId before = argument(low::Type::Ptr, 0), frame = b.parameter(low::Parameter::Frame);
    const low::NodeId method = b.parameter(low::Parameter::Method), thread = b.parameter(low::Parameter::Thread);
    const low::NodeId call = b.call_java(b.symbol("entry"), frame, slot, method, thread);
    returns(use(before, call));
    return compiler->compile(function, {.checks_references = true}).error;
  }
};

TEST_F(Across, ADereferenceIsFound) {
  EXPECT_THAT(error_of([&](low::NodeId before, low::NodeId) {
                return b.load(low::Type::I64, b.address(before, low::no_node, 1, 16), low::Alias::Field, 17);
              }),
              ::testing::HasSubstr("an address from before a call"));
}

TEST_F(Across, ADecodedNumberIsFound) {
  EXPECT_THAT(error_of([&](low::NodeId before, low::NodeId) {
                const low::NodeId bits = b.value(low::Op::Bits, low::Type::I64, {before});
                const low::NodeId narrow =
                    b.value(low::Op::And, low::Type::I64, {bits, b.constant(low::Type::I64, 0xFFFF'FFF0)});
                const low::NodeId address = b.value(low::Op::Bits, low::Type::Ptr, {narrow});
                return b.load(low::Type::I64, address, low::Alias::Field, 17);
              }),
              ::testing::HasSubstr("an address from before a call"));
}

TEST_F(Across, AStoreOfItIsFound) {
  EXPECT_THAT(error_of([&](low::NodeId before, low::NodeId) {
                b.store(b.address(slot, low::no_node, 1, 8), before, low::Alias::JavaFrame);
                return b.constant(low::Type::I64, 0);
              }),
              ::testing::HasSubstr("an address from before a call"));
}

TEST_F(Across, AComparisonAndWhatIsLoadedAgainAreFine) {
  EXPECT_EQ(error_of([&](low::NodeId before, low::NodeId call) {
              const low::NodeId slot_after_call = b.value(low::Op::CallSlot, low::Type::Ptr, {call});
              const low::NodeId after = b.load(low::Type::Ptr, slot_after_call, low::Alias::JavaFrame);
              const low::NodeId field =
                  b.load(low::Type::I64, b.address(after, low::no_node, 1, 16), low::Alias::Field, 17);
              const low::NodeId is_same = b.value(low::Op::Equal, low::Type::I1, {before, after});
              return b.value(low::Op::Select, low::Type::I64, {is_same, field, b.constant(low::Type::I64, 0)});
            }),
            "");
}

// A loop with a call. The code may also leave the loop before the call, when a condition holds. If this condition is
// loop-invariant, the code can leave the loop only in the first iteration, when nothing has been called yet. So LLVM
// may use the phi's first value after the loop.
struct AcrossLoop : LlvmPlugin {
  std::string error_of(bool is_condition_the_same, bool is_used_directly) {
    function.loops_over_arrays = true;  // the passes that do so
    host.symbols["entry"] = {reinterpret_cast<uptr>(&callee_for_tests)};
    const NodeId first = argument(Type::Ptr, 0), leaves = argument(Type::I64, 1);
    const NodeId frame = b.parameter(Parameter::Frame), method = b.parameter(Parameter::Method);
    const NodeId thread = b.parameter(Parameter::Thread);
    const auto header = b.new_block(), again = b.new_block(), body = b.new_block();
    const auto left = b.new_block(), ended = b.new_block();
    b.jump(header);
    b.go_to(header);
    const NodeId address = b.phi(Type::Ptr, 2), at_slot = b.phi(Type::Ptr, 2);
    b.set_operand(address, 0, first);
    b.set_operand(at_slot, 0, slot);
    const auto is_zero = [&](NodeId value) { return b.value(Op::Equal, Type::I1, {value, b.constant(Type::I64, 0)}); };
    b.branch(is_zero(b.load(Type::I64, at_slot, Alias::JavaFrame)), ended, again);
    b.go_to(again);
    const NodeId next = b.address(at_slot, low::no_node, 1, 8);
    // Without this store, LLVM would hoist the next condition out of the loop.
    b.store(next, b.constant(Type::I64, 1), Alias::JavaFrame);
    b.branch(is_zero(is_condition_the_same ? leaves : b.load(Type::I64, thread, Alias::Thread)), left, body);
    b.go_to(body);
    const NodeId call = b.call_java(b.symbol("entry"), frame, at_slot, method, thread);
    const NodeId after = b.value(Op::CallSlot, Type::Ptr, {call});
    b.set_operand(address, 1, b.load(Type::Ptr, after, Alias::JavaFrame));
    b.set_operand(at_slot, 1, after);
    b.jump(header);
    b.go_to(ended);
    b.ret(b.constant(Type::I32, 0), b.constant(Type::I64, 0), at_slot);
    b.go_to(left);
    const NodeId used = is_used_directly ? first : address;
    b.ret(b.constant(Type::I32, 0), b.load(Type::I64, b.address(used, low::no_node, 1, 16), Alias::Field, 17), at_slot);
    return compiler->compile(function, {.checks_references = true}).error;
  }
};

TEST_F(AcrossLoop, WhatOnlyTheFirstIterationLeavesWithIsFine) {
  EXPECT_EQ(error_of(/*is_condition_the_same=*/true, /*is_used_directly=*/false), "");
}
TEST_F(AcrossLoop, WhatIsLoadedInEachIterationIsFine) {
  EXPECT_EQ(error_of(/*is_condition_the_same=*/false, /*is_used_directly=*/false), "");
}
TEST_F(AcrossLoop, WhatLaterIterationsLeaveWithIsFound) {
  EXPECT_THAT(error_of(/*is_condition_the_same=*/false, /*is_used_directly=*/true),
              ::testing::HasSubstr("an address from before a call"));
}

TEST_F(LlvmPlugin, ALeafFunctionIsC) {
  static const auto twice = +[](i32 x, f64 y) { return x * y; };
  host.symbols["twice"] = {reinterpret_cast<uptr>(twice)};
  const NodeId y = b.value(Op::IntToFloat, Type::F64, {argument(Type::I32, 1)});
  const NodeId product = b.call_leaf("twice", Type::F64, {argument(Type::I32, 0), y});
  returns(b.value(Op::Bits, Type::I64, {product}));
  EXPECT_EQ(std::bit_cast<f64>(call(compile().entry, {6, 7}).result), 42.0);
}

TEST_F(LlvmPlugin, EachLockIsInlinedAndLeavesNoCall) {
  static u64 never = 0;
  for (const char* name : {"_ZN7keyhole5flags17LockYieldIntervalE", "_ZN7keyhole4sync16LimitedLockStack7entriesE",
                           "_ZN7keyhole4sync16LimitedLockStack9recursiveE"}) {
    host.symbols[name] = {reinterpret_cast<uptr>(&never), true};
  }
  constexpr std::string_view algorithms[] = {
#define FAST_PATH(name, snippet, header) #name,
#include "runtime/sync/fast_paths.def"
  };
  for (const std::string_view algorithm : algorithms) {
    for (const char* half : {"enter", "exit"}) {
      const std::string name = fmt::format("snippet_{}_{}", half, algorithm);
      function = {};
      b.go_to(b.new_block());
      const NodeId thread = b.parameter(Parameter::Thread);
      slot = b.parameter(Parameter::Slot);
      const NodeId object = argument(Type::Ptr, 0), record = argument(Type::Ptr, 1);
      const NodeId done = b.call_snippet(name, Type::I1, {thread, object, record});
      b.ret(b.constant(Type::I32, 0), b.value(Op::ZeroExtend, Type::I64, {done}), slot);
      const Result code = compile({.before = true, .after = true, .assembly = true});
      EXPECT_NE(code.before.find("@" + name + "("), std::string::npos) << code.before;
      EXPECT_EQ(code.after.find("@snippet"), std::string::npos) << code.after;
      const bool is_atomic =
          code.assembly.find("lock") != std::string::npos || code.assembly.find("xchg") != std::string::npos;
      if (half == std::string_view("enter")) EXPECT_EQ(is_atomic, algorithm != "no_lock") << name << code.assembly;
      EXPECT_EQ(code.assembly.find("call"), std::string::npos) << name << code.assembly;
    }
  }
}

// Instructions of a snippet have no origin of their own. A listing gives them the origin of the snippet's call. The
// code is the same with and without a listing.
TEST_F(LlvmPlugin, AListingSaysWhereInstructionsComeFrom) {
  const auto make = [&](bool is_marked) {
    function = {};
    const auto mark = [&](const char* text) {
      if (is_marked) b.set_mark(b.add_mark(text));
    };
    b.go_to(b.new_block());
    slot = b.parameter(Parameter::Slot);
    mark("arguments");
    const NodeId object = argument(Type::Ptr, 0), record = argument(Type::Ptr, 1), number = argument(Type::I64, 2);
    mark("a lock");
    const NodeId done =
        b.call_snippet("snippet_enter_legacy", Type::I1, {b.parameter(Parameter::Thread), object, record});
    mark("a product");
    const NodeId product = b.value(Op::Mul, Type::I64, {number, b.value(Op::ZeroExtend, Type::I64, {done})});
    mark("the end");
    b.ret(b.constant(Type::I32, 0), product, slot);
    b.set_mark(0);
    return compile({.assembly = true});
  };
  const Result marked = make(true), plain = make(false);
  EXPECT_EQ(marked.code_bytes, plain.code_bytes);
  EXPECT_EQ(plain.assembly.find(';'), std::string::npos) << plain.assembly;
  for (const char* text : {"; arguments\n", "; a lock\n", "; a product\n", "; the end\n"})
    EXPECT_NE(marked.assembly.find(text), std::string::npos) << text << marked.assembly;
  const usize lock = marked.assembly.find("; a lock"), exchange = marked.assembly.find("cmpxchg");
  EXPECT_EQ(marked.assembly.rfind("; ", exchange), lock) << marked.assembly;
}

TEST_F(LlvmPlugin, FreedCodeGivesItsMemoryBack) {
  returns(b.constant(Type::I64, 1));
  const Result first = compile(), second = compile();
  EXPECT_EQ(host.pieces.size(), 2u);
  compiler->free(first.resource);
  ASSERT_EQ(host.pieces.size(), 1u);
  EXPECT_EQ(host.pieces.begin()->first, second.begin);
  EXPECT_EQ(call(second.entry, {}).result, 1u);
  compiler->free(second.resource);
  EXPECT_TRUE(host.pieces.empty());
}

TEST_F(LlvmPlugin, ManyCodesLiveAndGo) {
  std::vector<Result> codes;
  for (u64 number = 0; number < 200; ++number) {
    function = {};
    b.go_to(b.new_block());
    b.ret(b.constant(Type::I32, 0), b.constant(Type::I64, number), b.parameter(Parameter::Slot));
    codes.push_back(compile());
  }
  for (u64 number = 0; number < codes.size(); ++number) EXPECT_EQ(call(codes[number].entry, {}).result, number);
  for (const Result& code : codes) compiler->free(code.resource);
  EXPECT_TRUE(host.pieces.empty());
}

TEST_F(LlvmPlugin, WhatIsWrongComesBackInWords) {
  returns(zero);
  EXPECT_EQ(compiler->compile(function, {}).error, "v2 (return): status i32, result i64");
}

TEST_F(LlvmPlugin, AnUnknownSymbolIsNamedAndTheNextCompileWorks) {
  b.exit(b.symbol("nowhere"), {});
  const Result code = compiler->compile(function, {});
  EXPECT_NE(code.error.find("nowhere"), std::string::npos) << code.error;
  EXPECT_FALSE(code.is_lost);
  EXPECT_TRUE(host.pieces.empty());
  host.symbols["nowhere"] = {reinterpret_cast<uptr>(&stub_for_tests)};
  EXPECT_EQ(call(compile().entry, {}).status, 7u);
}

TEST_F(LlvmPlugin, AFullCacheIsAnError) {
  returns(b.constant(Type::I64, 1));
  host.is_full = true;
  EXPECT_NE(compiler->compile(function, {}).error.find("no room"), std::string::npos);
  host.is_full = false;
  EXPECT_EQ(call(compile().entry, {}).result, 1u);
}

TEST_F(LlvmPlugin, ASnippetOfAnotherTypeIsRefused) {
  b.call_snippet("snippet_enter_lightweight", Type::I1, {slot});
  returns(b.constant(Type::I64, 1));
  EXPECT_EQ(compiler->compile(function, {}).error, "snippet_enter_lightweight is of another type");
}

// The compiler runs in a process of its own, whose address space is limited.
TEST_F(LlvmPlugin, OutOfMemoryEndsTheCompileAndNotTheProcess) {
  low::NodeId x = argument(Type::I64, 0);
  for (u32 i = 0; i < 200'000; ++i) {
    x = b.value(i % 3 == 0 ? Op::Mul : Op::Xor, Type::I64, {x, argument(Type::I64, i % 500)});
  }
  returns(x);
  const auto in_a_small_space = [&] {
    std::ifstream statm("/proc/self/statm");
    u64 pages = 0;
    statm >> pages;
    const rlimit limit{pages * 4096 + 64_MiB, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    const Result code = compiler->compile(function, {});
    fprintf(stderr, "%s", code.error.c_str());
    _exit(code.is_lost ? 0 : 1);
  };
  EXPECT_EXIT(in_a_small_space(), testing::ExitedWithCode(0), "memory");
}

// An instruction of another machine makes LLVM's code generator report a fatal error.
TEST_F(LlvmPlugin, AFatalErrorOfLlvmEndsTheCompileAndNotTheProcess) {
  b.call_leaf("llvm.ppc.sync", Type::None, {});
  returns(b.constant(Type::I64, 1));
  const Result code = compiler->compile(function, {});
  EXPECT_NE(code.error.find("Cannot select"), std::string::npos) << code.error;
  EXPECT_TRUE(code.is_lost);
  compiler.release();
}

TEST_F(LlvmPlugin, TimesAreReported) {
  returns(b.constant(Type::I64, 1));
  const Result code = compile();
  EXPECT_GT(code.emit_ns, 0u);
  EXPECT_GT(code.pass_ns, 0u);
  EXPECT_GT(code.code_ns, 0u);
  EXPECT_GT(code.link_ns, 0u);
  EXPECT_GT(code.code_bytes, 0u);
  EXPECT_EQ(code.instructions, 2u);  // a store of the result, and ret
}

TEST_F(LlvmPlugin, AnotherBuildIsRefused) {
  std::string error;
  EXPECT_EQ(plugin()("another", &host, &error), nullptr);
  EXPECT_EQ(error, "the plug-in is of another build");
}

}  // namespace
}  // namespace keyhole::llvm_plugin
