// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps, finds and drops methods and object files; reads and writes the image's content.
#include "jit/image/code_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "jit/graph/build/flow.h"
#include "jit/image/byte_stream.h"
#include "jit/image/image_file.h"
#include "jit/image/kept_profile.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "vm/link/linker.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::image {
namespace {

// Finds the method that the image calls `name`, among the classes that the loader of `from` has loaded. Returns null if
// the class has no such method, or if the method has other bytecodes, or no pre-decoded instructions yet.
Method* find_method(std::string_view name, const Method* from) {
  std::optional<NameParts> parts = parts_of_name(name);
  if (!parts) return nullptr;
  SymbolHandle holder = Symbol::find(parts->holder), text = Symbol::find(parts->name),
               descriptor = Symbol::find(parts->descriptor);
  if (!holder || !text || !descriptor) return nullptr;
  Klass* klass = find_loaded_class(holder, from->holder->loader);
  if (klass == nullptr || !klass->is_instance()) return nullptr;
  Method* method = static_cast<InstanceKlass*>(klass)->find_declared_method(text, descriptor);
  if (method == nullptr || method->body.load(std::memory_order_acquire) == nullptr) return nullptr;
  return name_of(method) == name ? method : nullptr;
}

bool has_profile(const Method* method) { return method->data.load(std::memory_order_acquire) != nullptr; }

}  // namespace

std::unique_ptr<CodeImage> CodeImage::open(const std::string& path, std::string key) {
  std::unique_ptr<CodeImage> image(new CodeImage(path, key));
  Content content;
  if (key.empty()) content.problem = "the machine and the build that it must be for are not known: is /proc mounted?";
  else content = read_file(path, key);
  if (content.problem.empty() && content.exists && !image->read(content.bytes)) content.problem = "it is damaged";
  if (content.problem.empty()) return image;
  fflush(stdout);
  print_text(stderr, "Keyhole warning: -XX:CodeImage={}: {}; the program runs without it, and it stays as it is\n",
             path, content.problem);
  return nullptr;
}

std::optional<i32> CodeImage::expected_loop_of(Method* method) {
  std::string name = name_of(method);
  MutexLock guard(mutex_);
  auto found = methods_.find(name);
  if (found == methods_.end() || !found->second.is_root) return std::nullopt;
  for (const KeptCode& code : found->second.codes) {
    if (code.loop != no_loop && graph::begins_loop(method, code.loop)) return code.loop;
  }
  return no_loop;
}

std::vector<CodeImage::FailedSpeculation> CodeImage::make_profiles(Method* method) {
  std::vector<std::pair<std::string, std::string>> profiles;
  std::vector<KeptSpeculation> failed;
  {
    MutexLock guard(mutex_);
    auto root = methods_.find(name_of(method));
    if (root == methods_.end() || !root->second.is_root) return {};
    failed = root->second.failed;
    auto add = [&](const auto& entry) NO_THREAD_SAFETY_ANALYSIS {
      if (!entry->second.profile.empty()) profiles.emplace_back(entry->first, entry->second.profile);
    };
    add(root);
    for (const std::string& name : root->second.looked_at) {
      if (auto found = methods_.find(name); found != methods_.end()) add(found);
    }
  }
  for (const auto& [name, profile] : profiles) {
    Method* found = find_method(name, method);
    if (found != nullptr && !has_profile(found)) make_profile(found, profile);
  }
  std::vector<FailedSpeculation> result;
  for (const KeptSpeculation& speculation : failed) {
    if (const Method* found = find_method(speculation.method, method))
      result.push_back({found, speculation.bci, speculation.reason});
  }
  return result;
}

CodeImage::KeptMethod& CodeImage::kept(const std::string& name, const Method* method) {
  KeptMethod& kept = methods_[name];
  kept.idle_runs = 0;
  std::string profile = has_profile(method) ? profile_to_bytes(method) : std::string();
  if (kept.profile != profile && !profile.empty()) {
    kept.profile = std::move(profile);
    is_changed_ = true;
  }
  return kept;
}

void CodeImage::keep_code(KeptMethod& method, const KeptCode& code) {
  auto known = std::ranges::find(method.codes, code.loop, &KeptCode::loop);
  if (known == method.codes.end()) method.codes.push_back(code);
  else if (*known == code) return;
  else objects_.erase(std::exchange(*known, code).key);
  is_changed_ = true;
}

void CodeImage::keep_method(const Method* method, const KeptCode& code, std::span<Method* const> looked_at,
                            std::span<const FailedSpeculation> failed) {
  MutexLock guard(mutex_);
  std::vector<std::string> names;
  for (const Method* each : looked_at) {
    names.push_back(name_of(each));
    kept(names.back(), each);
  }
  std::vector<KeptSpeculation> speculations;
  for (const FailedSpeculation& speculation : failed)
    speculations.push_back({name_of(speculation.method), speculation.bci, speculation.reason});
  KeptMethod& root = kept(name_of(method), method);
  is_changed_ = is_changed_ || !root.is_root || root.looked_at != names || root.failed != speculations;
  root.is_root = true;
  keep_code(root, code);
  root.looked_at = std::move(names);
  root.failed = std::move(speculations);
}

std::string CodeImage::object_of(const FunctionKey& key) {
  MutexLock guard(mutex_);
  auto found = objects_.find(key);
  if (found == objects_.end()) return {};
  found->second.idle_runs = 0;
  ++linked_;
  return found->second.bytes;
}

bool CodeImage::has_object(const FunctionKey& key) {
  MutexLock guard(mutex_);
  return objects_.contains(key);
}

void CodeImage::keep_object(const FunctionKey& key, std::string object) {
  MutexLock guard(mutex_);
  objects_.try_emplace(key, KeptObject{std::move(object)});
  is_changed_ = true;
}

void CodeImage::age() {
  std::erase_if(methods_, [](const auto& entry) { return entry.second.idle_runs > most_idle_runs; });
  std::erase_if(objects_, [](const auto& entry) { return entry.second.idle_runs > most_idle_runs; });
}

std::string CodeImage::write() {
  ByteWriter out;
  out.put(static_cast<u32>(methods_.size()));
  for (const auto& [name, method] : methods_) {
    out.put_text(name);
    out.put_text(method.profile);
    out.put(method.idle_runs);
    out.put(static_cast<u8>(method.is_root));
    out.put(static_cast<u32>(method.codes.size()));
    for (const KeptCode& code : method.codes) {
      out.put(code.loop);
      out.put(code.key.high);
      out.put(code.key.low);
    }
    out.put(static_cast<u32>(method.looked_at.size()));
    for (const std::string& each : method.looked_at) out.put_text(each);
    out.put(static_cast<u32>(method.failed.size()));
    for (const KeptSpeculation& speculation : method.failed) {
      out.put_text(speculation.method);
      out.put(speculation.bci);
      out.put(static_cast<u8>(speculation.reason));
    }
  }
  out.put(static_cast<u32>(objects_.size()));
  for (const auto& [key, object] : objects_) {
    out.put(key.high);
    out.put(key.low);
    out.put(object.idle_runs);
    out.put_text(object.bytes);
  }
  return out.take();
}

// Reads the image from the bytes of its file, and increments each entry's count of idle runs. The count is reset when
// this run uses the entry. No other thread has access to the image yet.
bool CodeImage::read(std::string_view content) {
  MutexLock guard(mutex_);
  ByteReader in(content);
  bool makes_sense = true;
  auto for_each = [&](auto&& take) {
    for (u32 count = in.get<u32>(); count > 0 && !in.has_failed(); --count) take();
  };
  auto one_more_run = [](u8 idle_runs) { return static_cast<u8>(std::min<u32>(idle_runs, most_idle_runs) + 1); };
  for_each([&]() NO_THREAD_SAFETY_ANALYSIS {
    KeptMethod& method = methods_[std::string(in.get_text())];
    method.profile = in.get_text();
    method.idle_runs = one_more_run(in.get<u8>());
    method.is_root = in.get<u8>() != 0;
    for_each([&] {
      i32 loop = in.get<i32>();
      u64 high = in.get<u64>(), low = in.get<u64>();
      method.codes.push_back({loop, {high, low}});
    });
    for_each([&] { method.looked_at.emplace_back(in.get_text()); });
    for_each([&] {
      std::string name(in.get_text());
      u32 bci = in.get<u32>();
      u8 reason = in.get<u8>();
      makes_sense = makes_sense && reason <= static_cast<u8>(graph::DeoptReason::Monitor);
      method.failed.push_back({std::move(name), bci, static_cast<graph::DeoptReason>(reason)});
    });
  });
  for_each([&]() NO_THREAD_SAFETY_ANALYSIS {
    u64 high = in.get<u64>(), low = in.get<u64>();
    KeptObject& object = objects_[{high, low}];
    object.idle_runs = one_more_run(in.get<u8>());
    object.bytes = in.get_text();
  });
  return makes_sense && !in.has_failed() && in.is_at_end();
}

void CodeImage::save() {
  std::string content;
  {
    MutexLock guard(mutex_);
    age();
    if (!is_changed_) return;
    content = write();
  }
  std::string problem = write_file(path_, key_, content);
  KEYHOLE_LOG(debug, jit_image, "{}: {}", path_, problem.empty() ? describe() : problem);
  if (problem.empty()) return;
  fflush(stdout);
  print_text(stderr, "Keyhole warning: -XX:CodeImage={}: {}\n", path_, problem);
}

std::string CodeImage::describe() {
  MutexLock guard(mutex_);
  return fmt::format("{} methods, {} objects, {} of them linked in this run", methods_.size(), objects_.size(),
                     linked_);
}

}  // namespace keyhole::image
