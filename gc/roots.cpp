// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry of root providers, and the collector's own two: threads and global handles.
#include "gc/roots.h"

#include <vector>

#include "gc/class_liveness.h"
#include "gc/references.h"
#include "gc/root_set.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/threads/handles.h"
#include "runtime/threads/threads.h"

namespace keyhole::gc {
namespace {

// Visits the references in each JavaThread itself; the interpreter's provider reports the frames.
void visit_threads(RootVisitor& visitor) {
  threads::for_each_in_collection([&](JavaThread* thread) {
    visit_handles(thread, [&](Object** slot) { visitor.visit(slot); });
    visitor.end_of_thread(thread);
  });
}

void visit_globals(RootVisitor& visitor) {
  visit_global_handles([](Object** slot, void* context) { static_cast<RootVisitor*>(context)->visit(slot); }, &visitor);
}

// Providers register while the VM starts; they are read at safepoints.
std::vector<NamedProvider>& strong_list() {
  static std::vector<NamedProvider> list{
      {"Threads", visit_threads}, {"Global Handles", visit_globals}, {"Pending References", visit_pending_list}};
  return list;
}
std::vector<NamedProvider>& weak_list() {
  static std::vector<NamedProvider> list;
  return list;
}

ClassUnloader unloader;

void add(std::vector<NamedProvider>& list, const char* name, RootProvider provider) {
  for (const NamedProvider& known : list) {
    if (known.provider == provider) return;
  }
  list.push_back({name, provider});
}

}  // namespace

const ClassUnloader* class_unloader() {
  return unloader.unlink == nullptr || !flags::ClassUnloading ? nullptr : &unloader;
}
void register_class_unloader(const ClassUnloader& made) { unloader = made; }

void register_strong_roots(const char* name, RootProvider provider) { add(strong_list(), name, provider); }
void register_weak_roots(const char* name, RootProvider provider) { add(weak_list(), name, provider); }

std::span<const NamedProvider> strong_roots() { return strong_list(); }
std::span<const NamedProvider> weak_roots() { return weak_list(); }

}  // namespace keyhole::gc
