// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Patches obsolete code, so that its frames are deoptimized when their calls return.
#include "jit/code/obsolete_code.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "jit/code/code_cache.h"
#include "jit/code/registers.h"
#include "runtime/base/check.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {
namespace {

constexpr u32 jump_bytes = 5;

void write_jump(uptr from, uptr to) {
  i32 distance = static_cast<i32>(static_cast<i64>(to) - static_cast<i64>(from + jump_bytes));
  auto* bytes = static_cast<u8*>(code_cache::writable(from));
  bytes[0] = 0xE9;
  memcpy(bytes + 1, &distance, sizeof distance);
}

// Writes `lea rdi, [r14 + distance]`, which computes the address of the frame from the address of its locals.
constexpr u32 lea_bytes = 7;
static_assert(locals_register.id() == 14);
void write_frame_of_locals(uptr at, i32 distance) {
  constexpr u8 opcode[] = {0x49, 0x8D, 0xBE};
  auto* bytes = static_cast<u8*>(code_cache::writable(at));
  memcpy(bytes, opcode, sizeof opcode);
  memcpy(bytes + sizeof opcode, &distance, sizeof distance);
}

}  // namespace

// LIFE(deoptimization) 4/10: no call enters the code any more; its frames deoptimize when their calls return
void patch_return_addresses(CompiledCode* code, uptr deoptimize) {
  if (code->is_optimised()) {
    if (code->obsolete != nullptr) *code->obsolete = interpreter::obsolete_word;
    // A recursive call in the code targets the code's entry directly. So the entry is overwritten with a jump to the
    // stub code_to_entry, which continues at the method's present entry point.
    return write_jump(code->entry, reinterpret_cast<uptr>(interpreter::linkage().code_to_entry));
  }
  const Sites& sites = code->sites;
  if (sites.return_count == 0) return;
  KEYHOLE_CHECK(sites.returns[0] >= lea_bytes + jump_bytes, "a call within the first instructions of {}",
                code->method->external_name());
  write_frame_of_locals(code->entry, static_cast<i32>(code->method->max_locals * sizeof(Slot)));
  write_jump(code->entry + lea_bytes, deoptimize);
  for (u32 i = 0; i < sites.return_count; ++i) write_jump(code->entry + sites.returns[i], code->entry);
}

// A processor may still hold old instructions that it has fetched. A thread on this processor may return to Java
// without a context switch, which would discard them. The membarrier discards them on every processor that runs a
// thread of the VM.
void synchronize_instructions() {
  static const bool is_registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
  if (is_registered) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

}  // namespace keyhole
