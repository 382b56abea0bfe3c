// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The gang's threads, and the three dispatchers over the hardware world.
#include "gc/gang/worker_gang.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "gc/gang/broadcast_dispatcher.h"
#include "gc/gang/monitor_dispatcher.h"
#include "gc/gang/semaphore_dispatcher.h"
#include "runtime/base/check.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/platform/service_signals.h"

namespace keyhole::gc {

namespace {

constexpr usize stack_bytes = 512 * 1024;  // small, because tracing keeps its work in queues, not on the stack

template <Dispatcher D> class ProtocolOver final : public GangProtocol {
 public:
  void run(u32 workers) override { dispatcher_.run(workers); }
  void stop(u32 created) override { dispatcher_.stop(created); }
  void restart() override { dispatcher_.restart(); }
  u32 next_task(u64& memory) override { return dispatcher_.next_task(memory); }
  void finished() override { dispatcher_.finished(); }
  u64 wake_ups() override { return dispatcher_.wake_ups(); }

 private:
  D dispatcher_;
};

}  // namespace

std::unique_ptr<GangProtocol> make_gang_protocol(std::string_view name) {
  if (name == "semaphore") return std::make_unique<ProtocolOver<SemaphoreDispatcherOf<HardwareWorld>>>();
  if (name == "monitor") return std::make_unique<ProtocolOver<MonitorDispatcherOf<HardwareWorld>>>();
  if (name == "broadcast") return std::make_unique<ProtocolOver<BroadcastDispatcherOf<HardwareWorld>>>();
  return nullptr;
}

WorkerGang::WorkerGang(std::string_view name, u32 maximum_workers, std::unique_ptr<GangProtocol> protocol)
    : name_(name), maximum_workers_(maximum_workers), protocol_(std::move(protocol)) {
  KEYHOLE_ASSERT(maximum_workers_ >= 1 && protocol_ != nullptr, "a gang of {}", maximum_workers_);
}

u32 WorkerGang::workers_for(u64 items, u64 items_per_worker) const {
  u64 wanted = (items + items_per_worker - 1) / items_per_worker;
  return static_cast<u32>(std::clamp<u64>(wanted, std::min(2u, maximum_workers_), maximum_workers_));
}

u32 WorkerGang::run_task(u32 workers, Invoke invoke, void* context) {
  u32 active = available(workers);
  if (active == 1) {  // G1, G2
    invoke(context, 0);
    return 1;
  }
  invoke_ = invoke;
  context_ = context;
  protocol_->run(active);
  return active;
}

u32 WorkerGang::available(u32 workers) {
  u32 active = std::min(workers, maximum_workers_);
  if (active > 1) active = ensure_created(active);
  return std::max(active, 1u);  // G1, G2: the caller
}

// Makes missing workers, and returns how many of `workers` exist.
u32 WorkerGang::ensure_created(u32 workers) {
  while (threads_.size() < workers && create_one()) {
  }
  return std::min(workers, static_cast<u32>(threads_.size()));
}

bool WorkerGang::create_one() {
  if (creation_failed_) return false;
  pthread_t thread{};
  int error = EAGAIN;
  if (fail_creation_of_ == 0 || --fail_creation_of_ != 0) {
    ServiceSignals inherited;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    error = pthread_create(
        &thread, &attributes,
        [](void* argument) -> void* {
          static_cast<WorkerGang*>(argument)->work_until_stopped();
          return nullptr;
        },
        this);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) {
    creation_failed_ = true;
    KEYHOLE_LOG(warning, gc, "Failed to create worker {}#{} ({}); {} of {} workers", name_, threads_.size(),
                strerror(error), threads_.size(), maximum_workers_);
    return false;
  }
  pthread_setname_np(thread, fmt::format("{}#{}", name_, threads_.size()).c_str());
  threads_.push_back(thread);
  return true;
}

void WorkerGang::work_until_stopped() {
  u64 memory = 0;
  for (u32 number; (number = protocol_->next_task(memory)) != stopped;) {
    invoke_(context_, number);
    protocol_->finished();
  }
}

void WorkerGang::stop() {
  if (threads_.empty()) return;
  protocol_->stop(created_workers());
  for (pthread_t thread : threads_) pthread_join(thread, nullptr);
  threads_.clear();
  creation_failed_ = false;
  protocol_->restart();
}

}  // namespace keyhole::gc
