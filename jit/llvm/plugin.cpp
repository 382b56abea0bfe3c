// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the compiler with one ORC ExecutionSession, and a JITDylib for each compiled function. The symbols to
// which the code refers are absolute symbols of its JITDylib, so they are freed with the code.
//
//    function ──Emitter──> module ──snippets, passes──> ──generate──> object ──JITLink──> memory of the host
//
// An object file contains symbols and no addresses, so an object file from an earlier process can be linked in this
// process. The words of sites are written after linking.
#include "jit/llvm/plugin.h"

#include <chrono>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <new>

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>

#include "jit/llvm/emitter.h"
#include "jit/llvm/machine.h"
#include "jit/llvm/memory_manager.h"

namespace keyhole::llvm_plugin {

namespace orc = llvm::orc;

namespace {

// The target of the longjmp in LLVM's fatal-error handler. LLVM would end the process after a fatal error. The longjmp
// ends only the compilation, whose memory is leaked.
thread_local std::jmp_buf* fatal_error_target = nullptr;
thread_local std::string last_words;

void give_up(void*, const char* reason, bool) {
  if (fatal_error_target == nullptr) return;
  last_words = reason;
  std::longjmp(*fatal_error_target, 1);
}

struct Diagnostics final : llvm::DiagnosticHandler {
  explicit Diagnostics(std::string& errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(errors);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }
  std::string& errors;
};

// HostSymbols: looks up the symbols of the code at link time, by asking the host.
class HostSymbols final : public orc::DefinitionGenerator {
 public:
  explicit HostSymbols(Host& host) : host(host) {}
  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& library, orc::JITDylibLookupFlags,
                            const orc::SymbolLookupSet& names) override {
    orc::SymbolMap found;
    for (const auto& [name, flags] : names) {
      const Symbol symbol = host.resolve(std::string_view((*name).data(), (*name).size()));
      if (symbol.address == 0) continue;
      found[name] = {orc::ExecutorAddr(symbol.address), llvm::JITSymbolFlags::Exported};
    }
    return found.empty() ? llvm::Error::success() : library.define(orc::absoluteSymbols(std::move(found)));
  }

 private:
  Host& host;
};

class Clock {
 public:
  u64 lap() {
    const auto now = std::chrono::steady_clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last).count();
    last = now;
    return static_cast<u64>(passed);
  }

 private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

class LlvmCompiler final : public Compiler {
 public:
  LlvmCompiler(Host& host, std::unique_ptr<llvm::TargetMachine> machine,
               std::unique_ptr<orc::ExecutorProcessControl> process)
      : host(host), machine(std::move(machine)), memory(host), session(std::move(process)), objects(session, memory) {
    session.setErrorReporter([this](llvm::Error error) { errors += llvm::toString(std::move(error)) + "\n"; });
  }
  ~LlvmCompiler() override { llvm::cantFail(session.endSession()); }

  Result compile(const low::Function& function, const Options& options) override {
    Result result;
    std::jmp_buf here;
    errors.clear();
    fatal_error_target = &here;
    if (setjmp(here) == 0) {
      try {
        try_to_compile(function, options, result);
      } catch (const std::bad_alloc&) {
        result.error = "out of memory";
        result.is_lost = true;
      }
    } else {
      result.error = last_words;
      result.is_lost = true;
    }
    fatal_error_target = nullptr;
    return result;
  }

  void free(void* resource) override {
    if (auto error = session.removeJITDylib(*static_cast<orc::JITDylib*>(resource))) {
      session.reportError(std::move(error));
    }
  }

 private:
  void try_to_compile(const low::Function& function, const Options& options, Result& result);
  std::string link(llvm::StringRef object, const low::Function& function, Result& result);

  Host& host;
  std::unique_ptr<llvm::TargetMachine> machine;
  ObjectGenerator generator;
  MemoryManager memory;
  orc::ExecutionSession session;
  orc::ObjectLinkingLayer objects;
  std::string errors;
  u64 count = 0;
};

void LlvmCompiler::try_to_compile(const low::Function& function, const Options& options, Result& result) {
  result.error = low::verify(function);
  if (!result.error.empty()) return;
  Clock clock;
  if (!options.object.empty()) {
    const llvm::StringRef object(reinterpret_cast<const char*>(options.object.data()), options.object.size());
    result.error = link(object, function, result);
    result.link_ns = clock.lap();
    return;
  }
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(errors));
  llvm::Module module(function.name, context);
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  Emitter emitter(function, module);
  result.error = emitter.run();
  if (result.error.empty()) result.error = add_snippets(module, emitter.snippets(), host);
  if (!result.error.empty()) return;
  if (options.before) result.before = text_of(module);
  result.emit_ns = clock.lap();
  run_passes(module, *machine, function.loops_over_arrays);
  result.instructions = module.getInstructionCount();
  if (options.after) result.after = text_of(module);
  result.pass_ns = clock.lap();
  if (options.checks_references) result.error = check_references(module);
  result.is_wrong = !result.error.empty();
  if (result.is_wrong) return;
  result.error = generator.generate(module, *machine);
  if (result.error.empty()) result.error = errors;
  result.code_ns = clock.lap();
  if (!result.error.empty()) return;
  std::vector<Mark> marks;
  if (options.assembly) marks = read_marks({generator.object().data(), generator.object().size()});
  const llvm::StringRef object(generator.object().data(), generator.object().size());
  result.error = link(object, function, result);
  if (options.wants_object) result.object = object.str();
  result.link_ns = clock.lap();
  if (result.error.empty() && options.assembly) {
    result.assembly = disassemble(*machine, memory.last.text_writable, memory.last.text_bytes, memory.last.text, marks,
                                  function.marks);
  }
}

std::string LlvmCompiler::link(llvm::StringRef object, const low::Function& function, Result& result) {
  auto& library = session.createBareJITDylib("code " + std::to_string(++count));
  library.addGenerator(std::make_unique<HostSymbols>(host));
  std::string wrong;
  // Uses the library's default resource tracker. Any other tracker would move its resources to the default tracker when
  // it is destroyed. LLVM 19 has a bug in this move: it keeps a reference into a map that may have grown meanwhile
  // (ObjectLinkingLayer::handleTransferResources).
  const auto tracker = library.getDefaultResourceTracker();
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(object, library.getName());
  if (auto error = objects.add(tracker, std::move(buffer))) {
    wrong = llvm::toString(std::move(error));
  } else if (auto found = session.lookup({&library}, low::own_entry_symbol); !found) {
    wrong = llvm::toString(found.takeError());
    if (!errors.empty()) wrong = errors;
  } else {
    result.entry = found->getAddress().getValue();
    result.begin = memory.last.begin;
    result.bytes = memory.last.bytes;
    result.code_bytes = memory.last.text_bytes;
    result.sites = memory.last.sites;
    // The call sites are in a global variable of the module. LLVM removes this variable from code that uses no call
    // site; sites_writable is null then.
    if (memory.last.sites_writable != nullptr)
      std::memcpy(memory.last.sites_writable, function.sites.data(), function.sites.size() * sizeof(low::Site));
    result.resource = &library;
    return {};
  }
  free(&library);
  return wrong;
}

Compiler* open(std::string_view build, Host* host, std::string* error) {
  if (build != KEYHOLE_BUILD) {
    *error = "the plug-in is of another build";
    return nullptr;
  }
  auto machine = make_machine(host->processor(), *error);
  if (machine == nullptr) return nullptr;
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(give_up);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(give_up);
  auto process = orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!process) {
    *error = llvm::toString(process.takeError());
    return nullptr;
  }
  return new LlvmCompiler(*host, std::move(machine), std::move(*process));
}

}  // namespace

}  // namespace keyhole::llvm_plugin

extern "C" [[gnu::visibility("default")]] keyhole::llvm_plugin::Compiler* keyhole_llvm_plugin(
    std::string_view build, keyhole::llvm_plugin::Host* host, std::string* error) {
  return keyhole::llvm_plugin::open(build, host, error);
}
