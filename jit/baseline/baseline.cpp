// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements vm/interpreter/compiler.h: compiles one method at a time, on the thread that requests it.
#include "jit/baseline/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unordered_set>
#include <utility>
#include <vector>

#include "jit/baseline/method_compiler.h"
#include "jit/code/assumptions.h"
#include "jit/code/code_cache.h"
#include "jit/code/compiler_lock.h"
#include "jit/code/entry_stubs.h"
#include "jit/code/gdb_interface.h"
#include "jit/code/listings.h"
#include "jit/code/method_codes.h"
#include "jit/code/obsolete_code.h"
#include "jit/code/policy.h"
#include "jit/code/print_compilation.h"
#include "jit/code/recorded_compilation.h"
#include "jit/code/sweeper.h"
#include "runtime/base/code_memory.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/base/print.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/decoder.h"
#include "vm/link/loading/loader_names.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::baseline {
namespace {

using namespace interpreter;

// Whether -XX:CompileOnly= selects the method. The flag is a list of "Class", "Class.method", "Class::method" or
// "package.Class::method", separated by commas.
bool is_selected(const Method* method) {
  if (flags::CompileOnly.empty()) return true;
  std::string holder = dotted(method->holder->name), full = holder + "." + std::string(method->name->text());
  std::string_view rest = flags::CompileOnly;
  while (!rest.empty()) {
    usize comma = rest.find(',');
    std::string pattern(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    for (usize at; (at = pattern.find("::")) != std::string::npos;) pattern.replace(at, 2, ".");
    for (char& letter : pattern)
      if (letter == '/') letter = '.';
    if (pattern == holder || pattern == full) return true;
  }
  return false;
}

class BaselineCompiler final : public Compiler {
 public:
  Outcome compile(JavaThread*, Method* method, bool back_edge) override {
    if (!is_selected(method)) return Outcome::Impossible;
    MethodCode* body = prepare_bytecode(method);
    if (flags::ProfileBaseline) make_method_data(method);
    tiers::note_first_compilation(method);
    MutexLock guard(compiler_lock);
    CompiledCode* newest = newest_in_use(body);
    const CompiledCode* current = newest_of_baseline(body);
    bool has_requested = current != nullptr && current->unresolved_left.load(std::memory_order_relaxed) <= 0;
    // The method already has code, which has not requested recompilation, so it is not compiled again. Its entry point
    // may still be a counting entry, which a thread that pre-decoded the method at the same time has stored later. So
    // the entry point is set again.
    if (newest != nullptr && !has_requested) {
      newest->is_watched = false;
      method_codes::set_entry_point(*newest);
      return Outcome::Installed;
    }
    Outcome outcome = make(method, body, back_edge, current == nullptr ? 0 : current->version + 1);
    if (outcome != Outcome::NoRoom || newest == nullptr) return outcome;
    method_codes::set_entry_point(*newest);  // the existing code suffices
    return Outcome::Installed;
  }

  Outcome recompile(JavaThread*, Method* method) override {
    if (!is_selected(method)) return Outcome::Impossible;
    MethodCode* body = prepare_bytecode(method);
    MutexLock guard(compiler_lock);
    const CompiledCode* current = newest_of_baseline(body);
    // A huge method is compiled when its calls or loops reach a threshold, but not for a profiling interval only. For
    // example, a huge class initialiser is sampled because it takes long, but it runs only once.
    if (current == nullptr && method->code_length > huge_method_bytes) return Outcome::Impossible;
    return make(method, body, /*back_edge=*/false, current == nullptr ? 0 : current->version);
  }

  bool make_room(JavaThread* thread) MAY_SAFEPOINT override {
    if (!flags::UseCodeCacheFlushing) return false;
    auto sweep = [this] {
      MutexLock guard(compiler_lock);
      if (code_cache::largest_room().bytes >= wanted_bytes_) return;  // another thread has swept meanwhile
      auto now = std::chrono::steady_clock::now();
      if (now < next_sweep_) return;
      bool has_room = sweeper::sweep(wanted_bytes_);
      // Does not warn while an eighth of the cache is free: if this room consists of small pieces, only a large method
      // does not fit.
      if (!has_room && code_cache::free_bytes() < code_cache::capacity_bytes() / 8) warn_that_cache_is_full();
      // Limits the rate of sweeps, because a program whose code does not fit into the cache would do little but
      // compile. With this limit, the program spends about a tenth of its time on compiling what a sweep has freed.
      auto patience = std::chrono::milliseconds(code_cache::capacity_bytes() / 64_KiB);
      next_sweep_ = now + (has_room ? patience : std::max<decltype(patience)>(patience, std::chrono::seconds(1)));
    };
    {
      MutexLock guard(compiler_lock);
      if (std::chrono::steady_clock::now() < next_sweep_) return false;
    }
    safepoint::run(thread, "SweepCodeCache", sweep);
    MutexLock guard(compiler_lock);
    return code_cache::largest_room().bytes >= wanted_bytes_;
  }

  void release(Method* method) override {
    MutexLock guard(compiler_lock);
    entry_stubs::release(method);
    if (MethodCode* body = method->body.load(std::memory_order_acquire))
      sweeper::discard_all(body->compiled.exchange(nullptr, std::memory_order_acq_rel));
  }

  void make_obsolete(std::span<Method* const> methods) override {
    MutexLock guard(compiler_lock);
    std::unordered_set<const Method*> changed(methods.begin(), methods.end());
    auto is_changed = [&](const Method* method) { return changed.contains(method); };
    retire_obsolete(Retired::Redefined, [&](const CompiledCode* code) { return depends_on(code, is_changed); });
  }

  void retire_unchecked_code() override {
    MutexLock guard(compiler_lock);
    retire_obsolete(Retired::Redefined,
                    [](const CompiledCode* code) { return code->is_optimised() && !code->looks_whether_obsolete; });
  }

  void retire_invalidated_code(JavaThread* thread, const InstanceKlass* klass) MAY_SAFEPOINT override {
    if (assumptions::invalidated_by(klass).empty()) return;
    auto retire = [this, klass] {
      MutexLock guard(compiler_lock);
      std::unordered_set<const CompiledCode*> invalidated;
      for (const assumptions::Assumption& each : assumptions::invalidated_by(klass)) {
        invalidated.insert(each.code);
        KEYHOLE_LOG(debug, deoptimization, "{} does not select {}: code {} of {} retires", external_name(klass),
                    each.assumed.method->external_name(), each.code->number, each.code->method->external_name());
      }
      retire_obsolete(Retired::Invalidated, [&](const CompiledCode* code) { return invalidated.contains(code); });
    };
    safepoint::run(thread, "ClassHierarchy", retire);
  }

 private:
  // Retires all code for which `goes` is true, and makes its frames deoptimize. The world is stopped.
  template <typename Goes> void retire_obsolete(Retired reason, Goes&& goes) REQUIRES(compiler_lock) {
    bool any = false;
    for (CompiledCode* code : sweeper::all_code()) {
      if (code->retired.load(std::memory_order_relaxed) == reason || !goes(code)) continue;
      method_codes::retire(code, reason);
      patch_return_addresses(code, stubs().deoptimize_obsolete);
      any = true;
    }
    if (any) synchronize_instructions();
  }

  static constexpr u32 huge_method_bytes = 8000;  // HotSpot's HugeMethodLimit
  static constexpr usize expected_bytes_per_instruction = 64;

  struct Attempt {
    MethodCompiler::Result result;
    std::vector<gdb::Call> calls;
    std::string listing;  // the listing, if one is requested
  };

  // Makes new code, and installs it as the method's newest baseline code. Records the compilation.
  Outcome make(Method* method, MethodCode* body, bool back_edge, u32 version) REQUIRES(compiler_lock) {
    constexpr std::string_view names[] = {"installed", "impossible", "no room"};
    u32 level = profiling_of(method) == Profiling::ForInterval ? 3 : 1;
    recorded_compilation::begins(method, level);
    Outcome outcome = make_code(method, body, back_edge, version);
    recorded_compilation::ends(method, names[static_cast<u32>(outcome)], level);
    return outcome;
  }
  // Makes and installs the code. If a profiling interval of the method begins or ends meanwhile, the thread that begins
  // or ends it waits for the compiler's lock and then recompiles the method.
  Outcome make_code(Method* method, MethodCode* body, bool back_edge, u32 version) REQUIRES(compiler_lock) {
    if (is_disabled_) return Outcome::Impossible;
    i64 started = hardware::now_nanoseconds();
    entry_stubs::prepare();
    CompiledCode* current = newest_of_baseline(body);
    Attempt made;
    continuations::run_on_carrier_stack(threads::current_or_null(),
                                        [&] { made = attempt_with_room(method, body, profiling_of(method)); });
    CompiledCode* code = made.result.code;
    if (made.result.is_cache_full) return without_room(made.result.bytes, current != nullptr);
    if (code == nullptr) {
      KEYHOLE_LOG(debug, jit, "not compiled: {}: {}", method->external_name(), made.result.reason);
      recorded_compilation::is_refused(method, made.result.reason, 1);
      return Outcome::Impossible;
    }
    code->number = next_compilation_number();
    code->level = code->is_profiled ? 3 : 1;
    code->version = version;
    // Each version may execute eight times as many unresolved bytecodes as the previous version before it is replaced.
    i64 patience = i64{flags::RecompilationThreshold} << std::min(3 * code->version, 24u);
    code->unresolved_left.store(static_cast<i32>(std::min(patience, i64{1} << 30)), std::memory_order_relaxed);
    std::string name;
    if (flags::DumpPerfMapAtExit) name = fmt::format("{} [{}]", method->external_name(), code->level);
    code_cache::commit(code->entry, made.result.bytes, std::move(name));
    sweeper::add(code);
    code_memory::compile_nanoseconds.fetch_add(hardware::now_nanoseconds() - started, std::memory_order_relaxed);
    announce(back_edge, made);
    method_codes::install(code);
    if (current != nullptr) method_codes::retire(current, Retired::Replaced);
    if (flags::UseCodeCacheFlushing) sweeper::watch_when_filled();
    return Outcome::Installed;
  }

  static Profiling profiling_of(const Method* method) {
    if (tiers::is_profiling(method)) return Profiling::ForInterval;
    return flags::ProfileBaseline ? Profiling::Always : Profiling::None;
  }

  Attempt attempt(Method* method, const MethodCode* body, Profiling profiling, const code_cache::Room& room) const {
    Attempt made;
    bool is_listed = flags::PrintAssembly || listings::wants(method);
    MethodCompiler compiler(method, body, stubs(), profiling, room, is_listed ? &made.listing : nullptr);
    made.result = compiler.compile();
    made.calls = compiler.calls();
    return made;
  }

  // Generates code for a free piece of the expected size. If the code does not fit, and the largest free piece is large
  // enough, generates it again for that piece.
  Attempt attempt_with_room(Method* method, const MethodCode* body, Profiling profiling) const {
    code_cache::Room expected = code_cache::find_room(body->instruction_count * expected_bytes_per_instruction + 1024);
    Attempt made = attempt(method, body, profiling, expected);
    code_cache::Room largest = code_cache::largest_room();
    bool fits = made.result.is_cache_full && largest.bytes >= made.result.bytes;
    return fits ? attempt(method, body, profiling, largest) : made;
  }

  Outcome without_room(u32 bytes, bool has_code) REQUIRES(compiler_lock) {
    wanted_bytes_ = bytes;
    if (has_code) return Outcome::NoRoom;  // the method continues in its older code
    if (!flags::UseCodeCacheFlushing) {
      is_disabled_ = true;
      warn_that_cache_is_full();
    }
    return bytes > code_cache::capacity_bytes() / 4 ? Outcome::Impossible : Outcome::NoRoom;
  }

  // Announces the code to gdb and on standard output, if flags ask for it.
  void announce(bool back_edge, const Attempt& made) const REQUIRES(compiler_lock) {
    const Method* method = made.result.code->method;
    if (flags::UseGdbJitInterface) {
      std::string name = dotted(method->holder->name) + "." + std::string(method->name->text());
      gdb::add(made.result.code->entry, made.result.bytes, name, made.calls);
    }
    if (flags::PrintCompilation) print_compilation(*made.result.code, back_edge ? '%' : ' ');
    listings::add(*made.result.code, made.listing);
    if (!flags::PrintAssembly) return;
    print_text("{}\n{}\n", method->external_name(), made.listing);
    fflush(stdout);  // keeps the order with the program's own output, which bypasses stdio
  }

  void warn_that_cache_is_full() REQUIRES(compiler_lock) {
    if (std::exchange(has_warned_, true)) return;
    fflush(stdout);
    print_text(stderr,
               "Keyhole warning: CodeCache is full. Compiler has been disabled.\n"
               "Keyhole warning: Try increasing the code cache size using -XX:ReservedCodeCacheSize=\n");
  }

  // Set when the cache is full and -XX:-UseCodeCacheFlushing is given. Nothing more is compiled then; compiled code
  // stays in use.
  bool is_disabled_ GUARDED_BY(compiler_lock) = false;
  bool has_warned_ GUARDED_BY(compiler_lock) = false;
  usize wanted_bytes_ GUARDED_BY(compiler_lock) = 0;  // size of the last code that found no room
  std::chrono::steady_clock::time_point next_sweep_ GUARDED_BY(compiler_lock){};
};

}  // namespace

std::string initialize() {
  start_compilation_clock();
  // -XX:+TraceBytecodes shows every instruction, so the interpreter must execute all of them.
  if (flags::TieredStopAtLevel == 0 || flags::TraceBytecodes) return {};
  if (!code_cache::initialize(flags::ReservedCodeCacheSize)) {
    return fmt::format("Could not reserve enough space for {}KB code cache", flags::ReservedCodeCacheSize / 1024);
  }
  make_stubs();
  static BaselineCompiler compiler;
  register_compiler(&compiler, stubs().linkage);
  tiers::initialize();
  return {};
}

bool resume_after_fault(uptr accessed, uptr* instruction) {
  uptr exit = accessed < code_cache::zero_page_bytes ? code_cache::fault_exit(*instruction) : 0;
  if (exit == 0) return false;
  *instruction = exit;
  return true;
}

void shutdown() {
  if (flags::DumpPerfMapAtExit && compiler() != nullptr) code_cache::dump_perf_map();
}

}  // namespace keyhole::baseline
