// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// operator new of modelcheck: malloc, or the execution's arena while an ArenaScope exists or code under check runs.
#include <cstdlib>
#include <new>

#include "tests/model/checked_machine.h"

using keyhole::checked::Engine;
using keyhole::model::ArenaScope;

static void* take(std::size_t bytes, std::size_t alignment) {
  if (ArenaScope::is_open || Engine::runs_code_under_check)
    return Engine::instance().allocate(bytes, alignment < 16 ? 16 : alignment);
  void* memory =
      alignment <= 16 ? malloc(bytes) : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) abort();
  return memory;
}
static void give_back(void* memory) {
  // Memory of an arena is freed only as a whole. Arenas have fixed addresses, so this check needs no Engine, which does
  // not exist yet at the first `new` of the process.
  if (memory != nullptr && !Engine::is_arena_address(memory)) free(memory);
}

void* operator new(std::size_t bytes) { return take(bytes, 16); }
void* operator new[](std::size_t bytes) { return take(bytes, 16); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
