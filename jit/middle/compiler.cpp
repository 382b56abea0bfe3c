// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the steps of a compilation, measures their times, and links the code.
#include "jit/middle/compiler.h"

#include <chrono>

#include "jit/middle/emitter.h"

namespace keyhole::middle {

using llvm_plugin::Host;
using llvm_plugin::Options;
using llvm_plugin::Result;

namespace {

class Clock {
 public:
  u64 lap() {
    const auto now = std::chrono::steady_clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
    last_ = now;
    return static_cast<u64>(passed);
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class Errors final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) override {
    CodeHolder::check(error);
    if (text.empty()) text = message;
  }
  std::string text;
};

// Returns an error message if a reference is live across a call of Java (low_graph.h, G4), otherwise an empty string.
// Addresses of stack slots have the same type as references, but may be live across calls.
std::string check_references(const low::Function& function, const LiveRanges& live) {
  for (const low::NodeId value : live.values) {
    const low::Node& node = function.nodes[value];
    const bool is_of_frame =
        node.op == low::Op::Parameter || node.op == low::Op::CallSlot || node.op == low::Op::Variable;
    if (node.type != low::Type::Ptr || is_of_frame) continue;
    for (u32 i = live.first[value]; i != LiveRanges::none; i = live.ranges[i].next) {
      for (const u32 call : live.java_calls) {
        if (live.ranges[i].begin <= call && call < live.ranges[i].end)
          return "an address from before a call is used behind it: v" + std::to_string(value);
      }
    }
  }
  return {};
}

class MiddleCompiler final : public llvm_plugin::Compiler {
 public:
  explicit MiddleCompiler(Host& host) : host_(host) {}

  Result compile(const low::Function& function, const Options& options) override {
    Result result;
    result.error = low::verify(function);
    if (!result.error.empty()) return result;
    Clock clock;
    const BlockOrder order = order_blocks(function);
    const Selection selection = select(function, order);
    result.emit_ns = clock.lap();
    const LiveRanges live = find_live_ranges(function, order, selection);
    if (options.checks_references) result.error = check_references(function, live);
    result.is_wrong = !result.error.empty();
    if (result.is_wrong) return result;
    const Allocation allocation = allocate(function, order, selection, live);
    result.pass_ns = clock.lap();
    asmjit::CodeHolder holder;
    Errors errors;
    asmjit::StringLogger logger;
    holder.init(asmjit::Environment::host());
    holder.setErrorHandler(&errors);
    if (options.assembly) holder.setLogger(&logger);
    Emitter emitter(function, order, selection, live, allocation, host_, holder);
    if (options.assembly && !function.marks.empty()) emitter.list_marks();
    result.error = emitter.run();
    if (!result.error.empty()) result.error.insert(0, refused_prefix);
    else if (!errors.text.empty()) result.error = errors.text;
    result.code_ns = clock.lap();
    if (!result.error.empty()) return result;
    result.instructions = static_cast<u32>(live.emitted.size());
    result.error = link(holder, emitter, function, result);
    result.link_ns = clock.lap();
    if (!result.error.empty()) return result;
    if (options.assembly) result.assembly.assign(logger.data(), logger.dataSize());
    return result;
  }

  void free(void* resource) override {
    const auto* code = static_cast<const Code*>(resource);
    host_.release(code->begin, code->bytes);
    delete code;
  }

 private:
  struct Code {
    uptr begin;
    usize bytes;
  };

  std::string link(asmjit::CodeHolder& holder, const Emitter& emitter, const low::Function& function, Result& result) {
    auto failed = [](asmjit::Error error) {
      return std::string("asmjit cannot link: ") + asmjit::DebugUtils::errorAsString(error);
    };
    if (const asmjit::Error error = holder.flatten(); error != asmjit::kErrorOk) return failed(error);
    if (const asmjit::Error error = holder.resolveUnresolvedLinks(); error != asmjit::kErrorOk) return failed(error);
    constexpr usize alignment = 64;
    const usize bytes = (holder.codeSize() + alignment - 1) / alignment * alignment;
    const llvm_plugin::Room room = host_.allocate(bytes);
    if (room.address == 0) return "there is no room in the code cache";
    asmjit::Error error = holder.relocateToBase(room.address);
    if (error == asmjit::kErrorOk) error = holder.copyFlattenedData(room.writable, bytes);
    if (error != asmjit::kErrorOk) {
      host_.release(room.address, bytes);
      return failed(error);
    }
    result.begin = result.entry = room.address;
    result.bytes = bytes;
    result.code_bytes = holder.labelOffset(emitter.sites());
    if (!function.sites.empty()) result.sites = room.address + holder.labelOffset(emitter.sites());
    result.resource = new Code{room.address, bytes};
    return {};
  }

  Host& host_;
};

}  // namespace

std::unique_ptr<llvm_plugin::Compiler> make_compiler(Host& host) { return std::make_unique<MiddleCompiler>(host); }

}  // namespace keyhole::middle
