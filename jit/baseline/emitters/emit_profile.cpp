// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits code that increments counters, and code that counts receiver classes in the rows of a type profile.
#include "jit/baseline/emitters/emit_profile.h"

namespace keyhole::baseline {

namespace {

// Returns the operand for a field of a row, in the type profile whose address is in rdx.
Mem field_of_row(u32 row, usize offset, u32 bytes) {
  return x86::ptr(x86::rdx, static_cast<i32>(sizeof(TypeProfile) + row * sizeof(TypeRow) + offset), bytes);
}
Mem class_of_row(u32 row) { return field_of_row(row, offsetof(TypeRow, klass_id), 4); }
Mem count_of_row(u32 row) { return field_of_row(row, offsetof(TypeRow, count), 8); }

}  // namespace

MethodData* ProfileEmitter::data() const {
  return compilation_.profiling == Profiling::None ? nullptr
                                                   : instructions().method()->data.load(std::memory_order_acquire);
}

MethodData* ProfileEmitter::data_in_interval() const {
  return compilation_.profiling == Profiling::ForInterval && !compilation_.is_inlining() ? data() : nullptr;
}

void ProfileEmitter::count_down(std::atomic<i32>& left, Gp scratch, Label ended) {
  a_.load_address(scratch, &left);
  a_.dec(x86::dword_ptr(scratch));
  a_.jle(ended);
}

void ProfileEmitter::count(const Counter* counter, Gp scratch) {
  if (counter == nullptr) return;
  a_.load_address(scratch, &counter->value);
  a_.inc(x86::qword_ptr(scratch));
}

void ProfileEmitter::count_outcome(BranchProfile* profile, bool taken) {
  if (profile != nullptr) count(taken ? &profile->taken : &profile->not_taken, x86::rcx);
}

void ProfileEmitter::count_known_class(TypeProfile* profile, u32 klass) {
  if (profile == nullptr) return;
  TypeRow* row = profile->row_of(klass);
  count(row != nullptr ? &row->count : &profile->others, x86::rcx);
}

void ProfileEmitter::count_class(TypeProfile* profile, bool cold) {
  if (profile == nullptr) return;
  u32 width = TypeProfile::width();
  Label search = a_.newLabel(), done = a_.newLabel();
  a_.load_address(x86::rdx, profile);
  if (width == 0) {
    a_.inc(x86::qword_ptr(x86::rdx, offsetof(TypeProfile, others)));
    return;
  }
  a_.cmp(class_of_row(0), x86::eax);
  a_.jne(search);
  a_.inc(count_of_row(0));
  if (cold) {
    a_.jmp(done);
    a_.bind(search);
    search_rows(width, done);
  } else {
    slow_paths_.add_cold([this, search, width, done] {
      a_.bind(search);
      search_rows(width, done);
      a_.jmp(done);
    });
  }
  a_.bind(done);
}

// Counts the class in its row after the first, or else in a free row, or else in "others". Falls through, or jumps to
// `done`.
void ProfileEmitter::search_rows(u32 width, Label done) {
  for (u32 row = 1; row < width; ++row) {
    Label next = a_.newLabel();
    a_.cmp(class_of_row(row), x86::eax);
    a_.jne(next);
    a_.inc(count_of_row(row));
    a_.jmp(done);
    a_.bind(next);
  }
  a_.mov(x86::ecx, x86::eax);
  for (u32 row = 0; row < width; ++row) {
    Label next = a_.newLabel(), mine = a_.newLabel();
    a_.cmp(class_of_row(row), imm(0));
    a_.jne(next);
    a_.xor_(x86::eax, x86::eax);
    a_.lock().cmpxchg(class_of_row(row), x86::ecx);  // method_data.h, P3
    a_.je(mine);
    a_.cmp(x86::eax, x86::ecx);
    a_.jne(next);
    a_.bind(mine);
    a_.inc(count_of_row(row));
    a_.mov(x86::eax, x86::ecx);
    a_.jmp(done);
    a_.bind(next);
  }
  a_.inc(x86::qword_ptr(x86::rdx, offsetof(TypeProfile, others)));
  a_.mov(x86::eax, x86::ecx);
}

void ProfileEmitter::count_operand(TypeProfile* profile, Gp object, Label null) {
  Label is_null = a_.newLabel();
  a_.test(object, object);
  a_.jz(is_null);
  a_.load_klass_id(x86::rax, object);
  count_class(profile);
  slow_paths_.add_cold([this, profile, is_null, null] {
    a_.bind(is_null);
    count(&profile->nulls, x86::rcx);
    a_.jmp(null);
  });
}

Label ProfileEmitter::counting(const Counter* counter, Label target) {
  if (counter == nullptr) return target;
  Label way = a_.newLabel();
  slow_paths_.add_cold([this, counter, way, target] {
    a_.bind(way);
    count(counter, x86::rcx);
    a_.jmp(target);
  });
  return way;
}

}  // namespace keyhole::baseline
