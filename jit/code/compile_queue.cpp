// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue: a few dozen entries in no order, searched as a whole.
#include "jit/code/compile_queue.h"

#include <algorithm>

#include "runtime/threads/thread_state.h"
#include "vm/link/instance_klass.h"

namespace keyhole::tiers {

namespace {
bool has_fewer(const CompileRequest& left, const CompileRequest& right) { return left.samples < right.samples; }
}  // namespace

// --- tasks -----------------------------------------------------------------------------------------------------------

CompileTask::~CompileTask() {
  for (ClassUnit* unit : pinned_) unpin(unit);
}

void CompileTask::look_at(Method* method) {
  if (std::find(methods_.begin(), methods_.end(), method) != methods_.end()) return;
  methods_.push_back(method);
  ClassUnit* unit = method->holder->unit;
  if (!unit->is_mortal || std::find(pinned_.begin(), pinned_.end(), unit) != pinned_.end()) return;
  pin(unit);
  pinned_.push_back(unit);
}

// --- the queue -------------------------------------------------------------------------------------------------------

CompileRequest* CompileQueue::find(const Method* method) {
  auto found = std::find_if(waiting_.begin(), waiting_.end(),
                            [&](const CompileRequest& request) { return request.method == method; });
  return found == waiting_.end() ? nullptr : &*found;
}

std::optional<CompileRequest> CompileQueue::put(const CompileRequest& request) {
  MutexLock guard(mutex_);
  if (CompileRequest* known = find(request.method)) {
    known->samples += request.samples;
    return {};
  }
  auto is_same = [&](const CompileTask* task) { return task->method() == request.method; };
  if (std::any_of(running_.begin(), running_.end(), is_same)) return {};
  waiting_.push_back(request);
  std::optional<CompileRequest> given_up;
  if (waiting_.size() > capacity_) {
    // Of equals the newest: those that have waited longer are nearer to their turn.
    auto coldest = std::min_element(waiting_.rbegin(), waiting_.rend(), has_fewer);
    given_up = *coldest;
    waiting_.erase(std::next(coldest).base());
  }
  changed_.notify_one();
  return given_up;
}

void CompileQueue::warm(const Method* method, u32 samples) {
  MutexLock guard(mutex_);
  if (CompileRequest* known = find(method)) known->samples += samples;
}

void CompileQueue::wait(JavaThread* thread) {
  BlockedScope blocked(thread);
  MutexLock guard(mutex_);
  while (waiting_.empty()) changed_.wait(mutex_);
}

std::unique_ptr<CompileTask> CompileQueue::take() {
  std::unique_ptr<CompileTask> task;
  {
    MutexLock guard(mutex_);
    if (waiting_.empty()) return nullptr;   // another thread was faster, or it has been forgotten
    auto hottest = std::max_element(waiting_.begin(), waiting_.end(), has_fewer);   // of equals the oldest
    task = std::make_unique<CompileTask>(*hottest);
    waiting_.erase(hottest);
    running_.push_back(task.get());
  }
  task->look_at(task->method());   // Q4: no safepoint since Q3
  return task;
}

void CompileQueue::finish(std::unique_ptr<CompileTask> task) {
  MutexLock guard(mutex_);
  std::erase(running_, task.get());
}

void CompileQueue::forget(const IsGone& is_gone) {
  MutexLock guard(mutex_);
  std::erase_if(waiting_, [&](const CompileRequest& request) { return is_gone(request.method); });
  for (CompileTask* task : running_) {
    if (std::any_of(task->methods_.begin(), task->methods_.end(), is_gone))
      task->is_cancelled_.store(true, std::memory_order_relaxed);
  }
}

CompileQueue::Contents CompileQueue::contents() const {
  MutexLock guard(mutex_);
  Contents all;
  for (const CompileTask* task : running_) all.running.push_back(task->request());
  all.waiting = waiting_;
  std::sort(all.waiting.begin(), all.waiting.end(), [](const CompileRequest& left, const CompileRequest& right) {
    return left.samples != right.samples ? left.samples > right.samples : left.number < right.number;
  });
  return all;
}

}  // namespace keyhole::tiers
