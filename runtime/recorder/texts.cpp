// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps texts, sites and thread names, in the form in which they are written to the file.
#include "runtime/recorder/texts.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "runtime/base/mutex.h"
#include "runtime/recorder/file.h"
#include "runtime/recorder/ring.h"

namespace keyhole::recorder {

namespace {

struct Hash {
  using is_transparent = void;
  usize operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct Tables {
  std::unordered_map<std::string, u32, Hash, std::equal_to<>> texts;
  std::unordered_map<const void*, u32> sites;
  std::map<u32, std::string> threads;
  std::string unwritten;
};

Mutex tables_mutex{LockRank::recorded_names};
// The tables are never destroyed, because threads may record while the process ends.
Tables& tables() REQUIRES(tables_mutex) {
  static auto* all = new Tables;
  return *all;
}
// Thread safety is not analysed: only a dying process reads this.
std::string_view raw_unwritten() NO_THREAD_SAFETY_ANALYSIS { return tables().unwritten; }

void append(std::string& bytes, file::NameKind kind, u32 number, std::string_view name) {
  u16 length = static_cast<u16>(std::min<usize>(name.size(), UINT16_MAX));
  bytes += static_cast<char>(kind);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(name.substr(0, length));
}

}  // namespace

u32 text(std::string_view text) {
  if (text.empty()) return 0;
  MutexLock guard(tables_mutex);
  Tables& all = tables();
  if (auto found = all.texts.find(text); found != all.texts.end()) return found->second;
  u32 number = static_cast<u32>(all.texts.size()) + 1;
  all.texts.emplace(text, number);
  append(all.unwritten, file::NameKind::text, number, text);
  return number;
}

u32 look_up_site(const void* instruction, std::string (*describe)(const void* context), const void* context) {
  Ring* ring = own_ring != nullptr ? own_ring : make_ring();
  u32 number = 0;
  {
    MutexLock guard(tables_mutex);
    if (auto found = tables().sites.find(instruction); found != tables().sites.end()) number = found->second;
  }
  if (number == 0) {
    number = text(describe(context));
    MutexLock guard(tables_mutex);
    tables().sites[instruction] = number;
  }
  ring->sites.put(instruction, number);
  return number;
}

void forget_sites() {
  for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) ring->sites.clear();
  MutexLock guard(tables_mutex);
  tables().sites.clear();
}

namespace texts {

std::string take_unwritten() {
  MutexLock guard(tables_mutex);
  return std::exchange(tables().unwritten, {});
}

void rewind() {
  MutexLock guard(tables_mutex);
  Tables& all = tables();
  all.unwritten.clear();
  for (const auto& [name, number] : all.texts) append(all.unwritten, file::NameKind::text, number, name);
  for (const auto& [id, name] : all.threads) append(all.unwritten, file::NameKind::thread, id, name);
}

void add_thread_name(u32 id, std::string_view name) {
  MutexLock guard(tables_mutex);
  std::string& known = tables().threads[id];
  if (known == name) return;
  known = name;
  append(tables().unwritten, file::NameKind::thread, id, name);
}

std::string_view unwritten_at_crash() { return raw_unwritten(); }

}  // namespace texts

}  // namespace keyhole::recorder
