// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+ProfileBaseline: compiled code goes on counting where the interpreter has stopped (vm/interpreter/method_data.h).
//
//   what                  instructions                                      where
//   call                  the counter's address, inc                        behind the check of the stack
//   branch                two each way; a jump more when it is taken        behind the poll
//   receiver, guessed     two: the guard has compared the class             behind the guard
//   class, else           four, when it is that of the first row            before the check or the look-up; the other rows are searched in a cold part
//
// What is counted here and leaves to the interpreter afterwards is counted there again: an inlined callee that cannot go on. Counters of a cell are never
// changed on the way to its step, which does not count.
#include "jit/baseline/method_compiler.h"
#include "runtime/base/flags.h"

namespace keyhole::baseline {

MethodData* MethodCompiler::profile() const { return flags::ProfileBaseline ? method_->data.load(std::memory_order_acquire) : nullptr; }

void MethodCompiler::count(const Counter& counter, Gp scratch) {
  load_address(scratch, &counter.value);
  a_.inc(x86::qword_ptr(scratch));
}

void MethodCompiler::count_way(BranchProfile* profile, bool taken) {
  if (profile != nullptr) count(taken ? profile->taken : profile->not_taken, x86::rcx);
}

// The class is that of a guard which has held: one that does not die before this code.
void MethodCompiler::count_known_class(TypeProfile* profile, u32 klass) {
  if (profile == nullptr) return;
  TypeRow* row = profile->row_of(klass);
  count(row != nullptr ? row->count : profile->others, x86::rcx);
}

// The class in eax, which stays. Scratch: rcx, rdx. `cold`: this is a cold part already.
void MethodCompiler::count_class(TypeProfile* profile, bool cold) {
  if (profile == nullptr) return;
  constexpr i32 first_row = static_cast<i32>(sizeof(TypeProfile)), row_bytes = static_cast<i32>(sizeof(TypeRow));
  auto klass_at = [](u32 row) { return x86::dword_ptr(x86::rdx, first_row + static_cast<i32>(row) * row_bytes + static_cast<i32>(offsetof(TypeRow, klass_id))); };
  auto count_at = [](u32 row) { return x86::qword_ptr(x86::rdx, first_row + static_cast<i32>(row) * row_bytes + static_cast<i32>(offsetof(TypeRow, count))); };
  u32 width = TypeProfile::width();
  Label search = a_.newLabel(), done = a_.newLabel();
  load_address(x86::rdx, profile);
  if (width != 0) {
    a_.cmp(klass_at(0), x86::eax);
    a_.jne(search);
    a_.inc(count_at(0));
  } else {
    a_.inc(x86::qword_ptr(x86::rdx, offsetof(TypeProfile, others)));
  }
  if (width == 0) return;
  auto search_rows = [=, this] {
    a_.bind(search);
    for (u32 row = 1; row < width; ++row) {
      Label next = a_.newLabel();
      a_.cmp(klass_at(row), x86::eax);
      a_.jne(next);
      a_.inc(count_at(row));
      a_.jmp(done);
      a_.bind(next);
    }
    a_.mov(x86::ecx, x86::eax);
    for (u32 row = 0; row < width; ++row) {
      Label next = a_.newLabel(), mine = a_.newLabel();
      a_.cmp(klass_at(row), imm(0));
      a_.jne(next);
      a_.xor_(x86::eax, x86::eax);
      a_.lock().cmpxchg(klass_at(row), x86::ecx);   // method_data.h, P3
      a_.je(mine);
      a_.cmp(x86::eax, x86::ecx);
      a_.jne(next);
      a_.bind(mine);
      a_.inc(count_at(row));
      a_.mov(x86::eax, x86::ecx);
      a_.jmp(done);
      a_.bind(next);
    }
    a_.inc(x86::qword_ptr(x86::rdx, offsetof(TypeProfile, others)));
    a_.mov(x86::eax, x86::ecx);
  };
  if (cold) {
    a_.jmp(done);
    search_rows();
  } else {
    cold_.push_back([this, search_rows, done] {
      search_rows();
      a_.jmp(done);
    });
  }
  a_.bind(done);
}

// Leads to `null` when the object is null, having counted that; else its class is counted, and in eax.
void MethodCompiler::count_operand(TypeProfile* profile, Gp object, Label null) {
  Label is_null = a_.newLabel();
  a_.test(object, object);
  a_.jz(is_null);
  load_klass_id(x86::rax, object);
  count_class(profile);
  cold_.push_back([this, profile, is_null, null] {
    a_.bind(is_null);
    count(profile->nulls, x86::rcx);
    a_.jmp(null);
  });
}

// A label that counts and goes to `target`.
Label MethodCompiler::counting(const Counter* counter, Label target) {
  if (counter == nullptr) return target;
  Label way = a_.newLabel();
  cold_.push_back([this, counter, way, target] {
    a_.bind(way);
    count(*counter, x86::rcx);
    a_.jmp(target);
  });
  return way;
}

}  // namespace keyhole::baseline
