// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of monitors, the deflater thread, and the log lines of inflation.
#include "runtime/sync/monitors.h"

#include <algorithm>
#include <climits>
#include <optional>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/event_ring.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace keyhole::sync {

MonitorList monitors;

Object* monitor_blocked_on(const JavaThread* thread) {
  ObjectMonitor* monitor = thread->blocked_on.load(std::memory_order_acquire);
  // A BLOCKED thread whose `blocked_on` is null was notified in Object.wait. That thread sleeps until its notifier
  // releases the lock.
  if (monitor == nullptr && thread->status.load(std::memory_order_relaxed) == JavaThreadStatus::BlockedOnMonitorEnter)
    monitor = thread->waiting_on.load(std::memory_order_acquire);
  // If the thread owns the monitor already, an exit has handed the monitor to the queued thread, which is not blocked
  // any more.
  if (monitor != nullptr && monitor->is_owned_by(thread)) return nullptr;
  return monitor == nullptr ? nullptr : monitor->object.load(std::memory_order_relaxed);
}
Object* monitor_waiting_on(const JavaThread* thread) {
  ObjectMonitor* monitor = thread->waiting_on.load(std::memory_order_acquire);
  return monitor == nullptr ? nullptr : monitor->object.load(std::memory_order_relaxed);
}
const void* monitor_or_object(Object* object) {
  u64 word = object->header_word();
  if ((word & layout::lock_mask) != layout::inflated) return object;
  // Only algorithms whose headers point at monitors call this function.
  return ObjectMonitor::of_header(word);
}

// Returns the name of the object's class. The class of a dead object is known only if the header word has the klass.
static std::string type_name(const Object* object, u64 word) {
  if (object == nullptr && !layout::klass_is_in_word) return "?";
  return klass_of_id(layout::klass_id_at(object, word))->name->dotted();
}

void SyncWorld::on_inflated(Object* object, u64 header_word, InflationCause cause) {
  static constexpr const char* causes[] = {"contention",    "wait",          "lock stack full", "not last locked",
                                           "monitor enter", "identity hash", "recursion"};
  KEYHOLE_LOG(trace, monitorinflation, "inflate({}): object={:#018x}, mark={:#018x}, type='{}'",
              causes[static_cast<u32>(cause)], reinterpret_cast<uptr>(object), header_word,
              type_name(object, header_word));
  if (recorder::is_on(recorder::Family::locks)) [[unlikely]]
    recorder::record(recorder::Kind::inflate, recorder::known_number_of(object), 0, static_cast<u32>(cause));
}

void SyncWorld::on_deflated(const Object* object, const ObjectMonitor* monitor) {
  u64 displaced = monitor->displaced.load(std::memory_order_relaxed);
  KEYHOLE_LOG(trace, monitorinflation, "deflate_monitor: object={:#018x}, mark={:#018x}, type='{}'",
              reinterpret_cast<uptr>(object), displaced, type_name(object, displaced));
  if (recorder::is_on(recorder::Family::locks) && object != nullptr) [[unlikely]]
    recorder::record(recorder::Kind::deflate, recorder::known_number_of(object));
}

namespace deflation {

namespace {

std::atomic<bool> pass_running{false};
std::atomic<i32> passes_ended{0};  // counts ended deflation passes; threads sleep on it until a pass ends
std::atomic<bool> deflater_started{false};
std::atomic<u64> raised_ceiling{0};  // 0 = not raised
std::atomic<u64> left_by_last_pass{0};

// Two limits of the number of monitors. From pass_is_due_at on, the deflater should run a deflation pass. From
// room_is_made_at on, a thread must deflate monitors before it makes another monitor. set_limits computes both limits.
// The VM rarely calls set_limits, because counting the threads takes the lock of the thread list.
std::atomic<u64> pass_is_due_at{0}, room_is_made_at{UINT64_MAX};

// Reads a flag of deflation. The read is atomic, because an embedder (or a test) may change such flags while the
// deflater runs.
i64 current(const i64& flag) { return __atomic_load_n(&flag, __ATOMIC_RELAXED); }

u64 ceiling() {
  return std::max(static_cast<u64>(current(flags::AvgMonitorsPerThreadEstimate)) * std::max(threads::count(), 1u),
                  raised_ceiling.load(std::memory_order_relaxed));
}

void set_limits() {
  u64 most = ceiling();
  pass_is_due_at.store(most * static_cast<u64>(current(flags::MonitorUsedDeflationThreshold)) / 100,
                       std::memory_order_relaxed);
  // The limit at which threads must deflate monitors themselves is at least twice the number of monitors that the last
  // pass could not deflate. With a lower limit, the threads of a program that holds many monitors would run deflation
  // passes all the time.
  room_is_made_at.store(std::max(most * static_cast<u64>(current(flags::MonitorUsedThrottleThreshold)) / 100,
                                 2 * left_by_last_pass.load(std::memory_order_relaxed)),
                        std::memory_order_relaxed);
}

bool too_many() {
  u64 in_use = monitors.count();
  if (in_use <= pass_is_due_at.load(std::memory_order_relaxed)) return false;
  set_limits();  // computes the limits again, because threads may have started since the last call
  return in_use > pass_is_due_at.load(std::memory_order_relaxed);
}

using Home = MonitorHomeOf<SyncWorld>;

void end_pass() {
  pass_running.store(false, std::memory_order_release);
  passes_ended.fetch_add(1, std::memory_order_seq_cst);
  SyncWorld::wake(passes_ended, INT_MAX);
}

// Waits until each thread has passed a poll. Until its next poll, a thread may still read a monitor that was deflated
// after the thread had found it, or an old array of the monitor table.
void wait_for_readers(JavaThread* thread, Home* home) MAY_SAFEPOINT {
  handshake::run_all(
      thread, "HandshakeForDeflation",
      [](JavaThread* target, void* context) {
        if (context != nullptr) static_cast<Home*>(context)->forget_remembered(target);
      },
      home);
  if (home != nullptr) home->release_retired();
}

// Runs only the maintenance of the monitor table, no deflation pass, for a table that has grown without deflations.
void tend_home(JavaThread* thread) MAY_SAFEPOINT {
  Home* home = monitors.home();
  if (home == nullptr || pass_running.exchange(true, std::memory_order_acquire)) return;
  home->tend(thread, safepoint::poll);
  wait_for_readers(thread, home);
  end_pass();
}

// Waits until the deflation pass of another thread has ended.
void wait_for_pass(JavaThread* thread) MAY_SAFEPOINT {
  i32 seen = passes_ended.load(std::memory_order_seq_cst);
  if (!pass_running.load(std::memory_order_seq_cst)) return;
  BlockedScope blocked(thread);
  SyncWorld::wait_on(passes_ended, seen, forever);
}

bool is_long_ago(i64 last_pass) {
  return current(flags::GuaranteedAsyncDeflationInterval) != 0 &&
         hardware::now_nanoseconds() - last_pass >= current(flags::GuaranteedAsyncDeflationInterval) * 1'000'000;
}

// Runs a deflation pass, and returns the number of deflated monitors. Returns nothing if another thread runs a pass.
std::optional<u32> try_pass(JavaThread* thread) MAY_SAFEPOINT {
  if (pass_running.exchange(true, std::memory_order_acquire)) return std::nullopt;
  i64 begin = hardware::now_nanoseconds();
  u32 before = monitors.count();
  u32 count = monitors.run_pass(thread, safepoint::poll,
                                [thread]() MAY_SAFEPOINT { wait_for_readers(thread, monitors.home()); });
  // Does not count monitors that were made during the pass, because the pass has not checked whether they are held.
  left_by_last_pass.store(std::min(monitors.count(), before - std::min(before, count)), std::memory_order_relaxed);
  set_limits();
  events::record("Deflated {} monitors", count);
  KEYHOLE_LOG(debug, monitorinflation, "deflated {} monitors in {:.7f} secs", count,
              static_cast<f64>(hardware::now_nanoseconds() - begin) / 1e9);
  end_pass();
  return count;
}

void deflater_body(JavaThread* thread) MAY_SAFEPOINT {
  i64 passes_without_progress = 0;
  i64 last_pass = hardware::now_nanoseconds();
  for (;;) {
    {
      BlockedScope blocked(thread);
      thread->monitor_parker.park(current(flags::AsyncDeflationInterval) * 1'000'000);
    }
    bool asked_for = too_many();
    if (!asked_for && (monitors.count() == 0 || !is_long_ago(last_pass))) {
      if (is_due()) tend_home(thread);
      continue;
    }
    u32 deflated = try_pass(thread).value_or(0);
    last_pass = hardware::now_nanoseconds();
    if (deflated != 0 || !asked_for) {
      passes_without_progress = 0;
    } else if (++passes_without_progress >= flags::NoAsyncDeflationProgressMax) {
      passes_without_progress = 0;
      u64 now = ceiling();
      raised_ceiling.store(now + now * static_cast<u64>(100 - current(flags::MonitorUsedDeflationThreshold)) / 100 + 1,
                           std::memory_order_relaxed);
      set_limits();
    }
  }
}

// Starts the deflater thread if it does not run yet.
void start_deflater(JavaThread* thread) MAY_SAFEPOINT {
  if (deflater_started.load(std::memory_order_relaxed) || deflater_started.exchange(true)) return;
  JavaThread* deflater = threads::start(
      0, true, true, [](JavaThread* started, void*) { started->vm_name = "Monitor Deflation Thread"; }, nullptr,
      deflater_body);
  // Without a deflater thread, collections still deflate monitors.
  if (deflater == nullptr) deflater_started.store(false);
}

}  // namespace

void initialize() {
  raised_ceiling = 0;
  left_by_last_pass = 0;
  pass_is_due_at = 0;
  room_is_made_at = UINT64_MAX;
}

bool is_due() {
  Home* home = monitors.home();
  return too_many() || (home != nullptr && home->needs_tending());
}

u32 run_pass(JavaThread* thread) { return try_pass(thread).value_or(0); }

void relieve(JavaThread* thread) {
  start_deflater(thread);
  if (monitors.count() < room_is_made_at.load(std::memory_order_relaxed)) return;
  SyncWorld::count(thread, LockCounter::throttled);
  while (!try_pass(thread)) {
    wait_for_pass(thread);
    // The deflation pass that this thread waited for may have begun before most of the monitors were made. So another
    // pass may be needed.
    if (monitors.count() < room_is_made_at.load(std::memory_order_relaxed)) return;
  }
}

}  // namespace deflation

}  // namespace keyhole::sync
