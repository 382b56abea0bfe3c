// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Bump allocation for metadata that lives as long as its class loader. Addresses lie in the metaspace range (below 4
// TiB).
//
// An Arena is not synchronised. Its owner synchronises: a class loader's lock, or one thread. Chunks come from one
// global pool.
#pragma once

#include <cstring>
#include <new>
#include <utility>

#include "runtime/base/types.h"

namespace keyhole {

class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zeroed memory, 8-byte aligned by default. Never null: exhausted metaspace is fatal("OutOfMemoryError: Metaspace").
  void* allocate(usize bytes, usize alignment = 8);

  template <typename T, typename... Arguments> T* create(Arguments&&... arguments) {
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  }
  template <typename T> T* create_array(usize count) {
    return static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
  }

  usize allocated_bytes() const { return allocated_bytes_; }

  // A mark of the arena's current top. release_to(m) frees everything allocated since mark m was taken: nothing may
  // point there.
  class Mark {
   public:
    bool operator==(const Mark&) const = default;

   private:
    friend class Arena;
    void* chunk = nullptr;
    char* top = nullptr;
    usize allocated_bytes = 0;
  };
  Mark mark() const;
  void release_to(const Mark& mark);

 private:
  struct Chunk {
    Chunk* next;
    usize bytes;
  };
  Chunk* chunks_ = nullptr;
  char* top_ = nullptr;
  char* end_ = nullptr;
  usize allocated_bytes_ = 0;
};

}  // namespace keyhole
