// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Translates the compiler's messages about a lock into sentences.
#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "runtime/base/types.h"
#include "vm/tools/lab/compile.h"

namespace keyhole::lab {

namespace {

// Identifiers that runtime/sync/lab/poison.h forbids, with what a lock must use instead.
struct Refused {
  std::string_view words;  // each between spaces
  std::string_view reason;
};
constexpr Refused all_refused[] = {
    {" atomic atomic_flag atomic_ref atomic_thread_fence __atomic_load_n __atomic_store_n __atomic_exchange_n "
     "__atomic_compare_exchange_n __atomic_fetch_add __sync_bool_compare_and_swap __sync_val_compare_and_swap "
     "__sync_fetch_and_add __sync_synchronize volatile asm __asm__ ",
     "the model checker would not see it; use Atomic<T> and fence()"},
    {" mutex shared_mutex condition_variable counting_semaphore binary_semaphore latch barrier jthread sleep_for "
     "sleep_until usleep nanosleep sched_yield this_thread syscall pthread_mutex_t pthread_mutex_lock "
     "pthread_cond_wait pthread_spin_lock _mm_pause __builtin_ia32_pause ",
     "threads wait through lab::Gate, lab::Crowd, lab::sleep_while and wait_briefly only, where the VM, the checker "
     "and the simulator know of it"},
    {" thread_local __thread ",
     "a virtual thread runs on many threads of the system; what belongs to one acquisition is in Node and Held"},
    {" malloc calloc free ", "memory is what Node, Held, the core and struct Shared have"},
    {" rand random_device chrono clock_gettime ",
     "the model checker must be able to repeat a run; use W::random() and "
     "W::now_nanoseconds()"},
};

std::string_view line_at(std::string_view text, usize position) {
  usize begin = text.rfind('\n', position);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return text.substr(begin, text.find('\n', position) - begin);
}

// "path:12:3: error: ..." -> "path:12".
std::string_view place_of(std::string_view line) {
  usize end = line.find(": error:");
  std::string_view place = line.substr(0, end);
  usize column = place.rfind(':');
  return column == std::string_view::npos ? place : place.substr(0, column);
}

}  // namespace

std::string explain_messages(const std::string& messages, const std::string& file) {
  constexpr std::string_view poisoned = "attempt to use a poisoned identifier";
  constexpr std::string_view asserted = "static assertion failed";
  if (usize at = messages.find(poisoned); at != std::string::npos) {
    std::string_view line = line_at(messages, at);
    // Searches the source line, which clang prints after the message, for a poisoned identifier.
    usize next = messages.find('\n', at);
    std::string_view source = next == std::string::npos ? "" : line_at(messages, next + 1);
    for (const Refused& refused : all_refused) {
      for (std::string_view rest = refused.words.substr(1); !rest.empty();) {
        std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(word.size() + 1);
        usize found = source.find(word);
        auto is_part = [&](usize place) {
          return place < source.size() &&
                 (std::isalnum(static_cast<unsigned char>(source[place])) != 0 || source[place] == '_');
        };
        if (found == std::string_view::npos || is_part(found + word.size()) || (found != 0 && is_part(found - 1)))
          continue;
        return fmt::format("{}: a lock must not use '{}': {}.", place_of(line), word, refused.reason);
      }
    }
    return fmt::format("{}: a lock must not use this: {}.", place_of(line), all_refused[0].reason);
  }
  if (usize at = messages.find(asserted); at != std::string::npos) {
    std::string_view line = line_at(messages, at);
    usize sentence = line.find(": ", line.find(asserted) + asserted.size());
    if (usize requirement = line.find("due to requirement '"); requirement != std::string_view::npos)
      sentence = line.find("': ", requirement) + 1;
    if (sentence < line.size() && messages.find(": error:") == messages.rfind(": error:", at))
      return fmt::format("{}: {}.", place_of(line), line.substr(sentence + 2));
  }
  return fmt::format("{} does not compile:\n{}", file, messages);
}

}  // namespace keyhole::lab
