// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocates room in the code cache, and resolves symbols.
#include "jit/optimised/code_host.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "jit/code/code_cache.h"
#include "jit/code/compiler_lock.h"
#include "jit/code/entry_stubs.h"
#include "jit/code/stubs.h"
#include "jit/middle/snippet_functions.h"
#include "jit/snippets/snippets.h"
#include "runtime/base/flags.h"

namespace keyhole::optimised {

using llvm_plugin::Symbol;

namespace {

// Makes the symbol of a C function to which LLVM may insert calls.
Symbol function(auto* address) { return {reinterpret_cast<uptr>(address), false}; }

constexpr std::string_view entry_prefix = "entry ";
constexpr usize room_alignment = 64, cache_alignment = 32;

}  // namespace

CodeHost::CodeHost()
    : known_{{graph::deoptimize_symbol, {stubs().deoptimize}},
             {graph::enter_slowly_symbol, {stubs().enter_slowly}},
             {graph::deoptimize_call_symbol, {stubs().deoptimize_call}},
             {graph::deoptimize_or_unwind_symbol, {stubs().deoptimize_or_unwind}},
             {graph::throw_symbol, {stubs().throw_}},
             {graph::throw_inlined_symbol, {stubs().throw_inlined}},
             {graph::deoptimize_inlined_symbol, {stubs().deoptimize_inlined}},
             {graph::lock_and_start_symbol, {stubs().lock_and_start}},
             {graph::search_symbol, {stubs().search}},
             {"fmod", function(static_cast<f64 (*)(f64, f64)>(&fmod))},
             {"fmodf", function(&fmodf)},
             {"memcpy", function(&memcpy)},
             {"memmove", function(&memmove)}} {
  // The variables that snippets read do not change once Java code runs (jit/snippets/symbols.def). So LLVM uses their
  // values as constants.
  for (const snippets::Symbol& symbol : snippets::symbols())
    known_.emplace(symbol.name, Symbol{reinterpret_cast<uptr>(symbol.address), true});
  // Snippets need symbols only in code of the middle tier, which calls them. LLVM inlines snippets.
  for (const middle::SnippetFunction& snippet : middle::snippet_functions())
    known_.emplace(snippet.name, Symbol{snippet.address, false});
}

void CodeHost::begin(const graph::Lowered& lowered, std::string_view name) {
  lowered_ = &lowered;
  name_ = name;
}

// Allocates memory of the code cache at a multiple of 64. Pieces of the code cache begin at multiples of 32. If a piece
// does not begin at a multiple of 64, its first 32 bytes stay free.
llvm_plugin::Room CodeHost::allocate(usize bytes) {
  MutexLock guard(compiler_lock);
  code_cache::Room room = code_cache::find_room(bytes + cache_alignment);
  if (room.bytes < bytes + cache_alignment) return {};
  usize gap = align_up(room.address, room_alignment) - room.address;
  if (gap != 0) code_cache::commit(room.address, gap, {});
  code_cache::commit(room.address + gap, bytes, flags::DumpPerfMapAtExit ? std::string(name_) : std::string());
  if (gap != 0) code_cache::release(room.address, gap);
  return {room.address + gap, code_cache::writable(room.address + gap)};
}

void CodeHost::release(uptr address, usize bytes) {
  if (forgets_) return;
  MutexLock guard(compiler_lock);
  code_cache::release(address, bytes);
}

Symbol CodeHost::resolve(std::string_view name) {
  if (auto found = known_.find(name); found != known_.end()) return found->second;
  if (name.starts_with(entry_prefix)) return entry_of(name.substr(entry_prefix.size()));
  auto found = lowered_->symbols.find(name);
  return found == lowered_->symbols.end() ? Symbol{} : Symbol{found->second, false};
}

// Returns the address of a callee's entry stub. If the code cache has no room for a stub, returns address 0, which
// means that the symbol is unknown.
Symbol CodeHost::entry_of(std::string_view number) {
  usize index = 0;
  std::from_chars(number.data(), number.data() + number.size(), index);
  MutexLock guard(compiler_lock);
  entry_stubs::prepare();
  return {entry_stubs::of(lowered_->callees[index]), false};
}

std::span<const std::byte> CodeHost::bitcode() { return snippets::bitcode(); }
std::string CodeHost::processor() { return flags::TargetProcessor; }

}  // namespace keyhole::optimised
