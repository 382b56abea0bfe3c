// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Identifiers that a lock outside the VM must not use, because the model checker and the simulator cannot see their
// effects. This file is included after all headers of the VM, right before the author's file. If the author's file uses
// one of them, `keyhole lock` prints what to use instead (vm/tools/lab/messages.cpp has a sentence for each group).
#pragma once

#pragma GCC poison atomic atomic_flag atomic_ref atomic_thread_fence
#pragma GCC poison mutex shared_mutex condition_variable counting_semaphore binary_semaphore latch barrier jthread
#pragma GCC poison thread_local __thread volatile asm __asm__ _mm_pause __builtin_ia32_pause
#pragma GCC poison __atomic_load_n __atomic_store_n __atomic_exchange_n __atomic_compare_exchange_n __atomic_fetch_add
#pragma GCC poison __sync_bool_compare_and_swap __sync_val_compare_and_swap __sync_fetch_and_add __sync_synchronize
#pragma GCC poison sleep_for sleep_until usleep nanosleep sched_yield this_thread syscall
#pragma GCC poison pthread_mutex_t pthread_mutex_lock pthread_cond_wait pthread_spin_lock
#pragma GCC poison malloc calloc free rand random_device chrono clock_gettime
