// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls InstrumentationImpl.transform, which calls the transformers one after the other and ignores their exceptions.
#include "classlib/natives/java.instrument/transformation.h"

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.instrument/agents.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "vm/link/loading/mirrors.h"
#include "vm/metadata/packages.h"

namespace keyhole::natives {
namespace {

// The transformers that this thread is calling: a bit for each agent and kind. Agents beyond the 32nd share bits.
thread_local u64 busy = 0;

class BusyScope {
 public:
  BusyScope(const Agent* agent, bool retransformable)
      : bit_(u64{1} << (agent->number % 32 * 2 + (retransformable ? 1 : 0))), was_busy_((busy & bit_) != 0) {
    busy |= bit_;
  }
  ~BusyScope() {
    if (!was_busy_) busy &= ~bit_;
  }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;
  bool was_busy() const { return was_busy_; }

 private:
  const u64 bit_;
  const bool was_busy_;
};

// The module of the class. Null: there is none, or no memory for it; the library then takes the loader's unnamed
// module.
Object* module_of(JavaThread* thread, const OfferedClassFile& offered) MAY_SAFEPOINT {
  if (offered.redefined != nullptr) return offered.redefined->mirror->get_reference(well_known::Class_module);
  if (offered.name == nullptr) return nullptr;
  return named_module(thread, offered.loader, package_of_name(offered.name->text()));
}

// Calls an agent's transformers. Returns the new bytes; empty: the file is unchanged.
std::vector<u8> transform(JavaThread* thread, const Agent* agent, bool retransformable, const OfferedClassFile& offered,
                          std::span<const u8> bytes) MAY_SAFEPOINT {
  BusyScope scope(agent, retransformable);
  if (scope.was_busy()) return {};
  const late::InstrumentationImpl* row = late::get<late::InstrumentationImpl>(thread);
  HandleScope handles(thread);
  Handle module = handles.make(module_of(thread, offered));
  bool has_name = offered.name != nullptr && !has_exception(thread);
  Handle name = handles.make(has_name ? make_string(thread, offered.name->text()) : nullptr);
  u32 length = static_cast<u32>(bytes.size());
  Handle array = handles.make(has_exception(thread) ? nullptr : new_byte_array(thread, bytes.data(), length));
  Object* result = nullptr;
  Handle redefined = handles.make(offered.redefined == nullptr ? nullptr : offered.redefined->mirror);
  bool has_class = redefined && !has_exception(thread);
  Handle domain = handles.make(has_class ? Class_getProtectionDomain0(thread, redefined) : offered.domain.get());
  if (!has_exception(thread)) {
    Slot arguments[] = {slot_of(agent->instrumentation),
                        slot_of(module),
                        slot_of(offered.loader->java_loader),
                        slot_of(name),
                        slot_of(redefined),
                        slot_of(domain),
                        slot_of(array),
                        retransformable};
    result = object_of(call_java(thread, row->transform, arguments));
  }
  if (has_exception(thread)) {
    take_exception(thread);
    return {};
  }
  if (result == nullptr) return {};
  const u8* first = result->elements<u8>();
  return {first, first + result->length()};
}

}  // namespace

void transform_class_file(JavaThread* thread, const OfferedClassFile& offered, RewrittenClassFile& rewritten) {
  std::vector<Agent*> all = agents();
  auto pass = [&](bool retransformable, std::vector<u8>& result, std::span<const u8> bytes) MAY_SAFEPOINT {
    for (const Agent* agent : all) {
      if (!(retransformable ? agent->has_retransformable_transformers : agent->has_transformers)) continue;
      std::vector<u8> changed = transform(thread, agent, retransformable, offered, bytes);
      if (changed.empty()) continue;
      result = std::move(changed);
      bytes = result;
    }
    return bytes;
  };
  std::span<const u8> bytes = offered.bytes;
  if (offered.use != ClassFileUse::Retransform) bytes = pass(false, rewritten.retransformed, bytes);
  pass(true, rewritten.bytes, bytes);
}

}  // namespace keyhole::natives
