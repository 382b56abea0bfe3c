// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the collector's interface to classes: which units are reached, and the end of those that are not.
#include "vm/link/loading/class_unloading.h"

#include <atomic>

#include "gc/class_liveness.h"
#include "runtime/base/log.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "vm/link/execution_engine.h"
#include "vm/link/loading/loader_data.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/verification.h"

namespace keyhole {
namespace {

std::atomic<u64> unloaded_classes;
std::vector<ClassUnit*> dead_units;  // between unlink and purge

void begin() {
  for (ClassUnit* unit : all_units()) {
    unit->visited = false;
    unit->reached.store(unit->pins != 0, std::memory_order_relaxed);
  }
}

bool visit_reached(gc::RootVisitor& visitor, gc::LivenessTest is_live, void* context) {
  bool any = false;
  for (ClassUnit* unit : all_units()) {
    if (!unit->is_mortal || unit->visited) continue;
    bool reached = unit->reached.load(std::memory_order_relaxed) ||
                   (!unit->is_hidden && is_live(unit->loader->java_loader, context));
    if (!reached) continue;
    unit->visited = true;
    unit->visit_roots(visitor);
    any = true;
  }
  return any;
}

template <typename Visit> void for_each_method(const ClassUnit& unit, Visit&& visit) {
  for (Klass* klass : unit.klasses) {
    if (!klass->is_instance()) continue;
    for (u32 i = 0; i < klass->as_instance()->method_count; ++i) {
      for (Method* method = klass->as_instance()->methods[i]; method != nullptr; method = method->replaced)
        visit(method);
    }
  }
}

void log_unloaded(const Klass* klass) {
  if (!klass->is_instance()) return;
  unloaded_classes.fetch_add(1, std::memory_order_relaxed);
  if (recorder::is_on(recorder::Family::classes))
    recorder::record(recorder::Kind::class_unloaded, recorder::text(external_name(klass)));
  KEYHOLE_LOG(info, class_unload, "unloading class {} 0x{:016x}", external_name(klass), reinterpret_cast<uptr>(klass));
}

gc::UnloadedClasses unlink() {
  gc::UnloadedClasses result{};
  std::vector<ClassUnit*> living;
  for (ClassUnit* unit : all_units()) {
    if (!is_dead(*unit)) {
      living.push_back(unit);
      continue;
    }
    dead_units.push_back(unit);
    ++result.units;
    result.bytes += unit->arena.allocated_bytes();
    for (const Klass* klass : unit->klasses) {
      result.classes += klass->is_instance() ? 1 : 0;
      log_unloaded(klass);
    }
  }
  if (dead_units.empty()) return result;
  forget_call_sites_of_dead_classes();
  forget_failures_of_dead_classes();
  forget_constraints_of_dead_loaders();
  execution_engine().forget_dead_methods();
  for (ClassUnit* unit : living) {
    for_each_method(*unit, [](Method* method) { execution_engine().forget_dead_receivers(method); });
    for (Klass* klass : unit->klasses) {
      if (klass->is_instance()) forget_dead_subtypes(klass->as_instance());
    }
  }
  all_units() = std::move(living);
  return result;
}

void purge() {
  for (ClassUnit* unit : dead_units) {
    for_each_method(*unit, [](Method* method) {
      execution_engine().release_code(method);
      verifier().release_frame_maps(method);
    });
    for (Klass* klass : unit->klasses) release_klass(klass);
  }
  for (ClassUnit* unit : dead_units) {
    if (unit->is_hidden) delete unit;
    else delete unit->loader;
  }
  dead_units.clear();
  if (log::enabled(log::TagSet::class_unload, log::Level::debug)) {
    SymbolFigures symbols = symbol_figures();
    KEYHOLE_LOG(debug, class_unload, "symbols: {} ({}K), {} ({}K) of them may be freed", symbols.all,
                symbols.all_bytes / 1024, symbols.held, symbols.held_bytes / 1024);
  }
}

}  // namespace

void register_class_unloading() { gc::register_class_unloader({begin, visit_reached, unlink, purge}); }

u64 unloaded_class_count() { return unloaded_classes.load(std::memory_order_relaxed); }

MetadataBytes metadata_bytes() {
  MetadataBytes bytes{};
  for (const ClassUnit* unit : all_units()) {
    bytes.all += unit->arena.allocated_bytes();
    if (unit->is_mortal) bytes.mortal += unit->arena.allocated_bytes();
  }
  return bytes;
}

}  // namespace keyhole
