// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One method on its way from cells to machine code: one pass, in order.
//
// Operands. While a block is compiled the operand stack is a list of Values: a register, a constant, a local that has not been loaded yet, or
// the slot's home in memory. At block boundaries, calls and cells that the interpreter runs all of them are in their homes (flush).
//
// Locals. Those used most in loops have a register (pinned), the others live in memory. A copy in a register is good, or stale since a call or an
// interpreted cell; a good one is dirty when memory has not been written yet. Calls, slow paths and cells that the interpreter runs write back
// what is dirty. At a block's start all copies are good, and at most those dirty that Block::dirty says (find_dirty_locals); a jump writes back the others.
//
// Slow paths. Whatever the code does not do itself (a null receiver, a full TLAB, a class that is not resolved) is done by the interpreter's
// handler of the same cell: the operands go to their homes as they were before the cell (C1), the handler runs, and the code goes on behind it:
//
//     step    run this cell's handler with the single-step table, then continue at entries[next cell]
//     leave   continue in the interpreter with this cell
//
// Rules
// C1: an emitter reserves its registers first; then it may check, jumping to slow(); only then may it change a register that holds an operand.
// C2: no register is allocated and no pinned copy becomes good on one arm of a branch within a cell.
// C3: what is compiled never reaches a safepoint by itself: it has no calls to C++.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/code/code_cache.h"
#include "jit/code/gdb_interface.h"
#include "jit/baseline/header_word.h"
#include "jit/code/stubs.h"
#include "vm/bytecodes.h"
#include "vm/interpreter/compiled_code.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::baseline {

using interpreter::Operation;

// An operand at compile time.
struct Value {
  enum class Kind : u8 {
    Home,       // in its slot on the Java stack
    Unused,     // the lower half of a long or double: nobody reads it
    Register,   // `number`: 0..15, or xmm_base + 0..15
    Constant,   // `bits`
    Local,      // not loaded yet: the local `number`
  };
  Kind kind = Kind::Home;
  u32 number = 0;
  i64 bits = 0;
  u32 slot = 0;   // its place in the stack
  bool zero_extended = false;   // an int whose upper half is 0 when it is in a register; else that half is undefined
  bool not_null = false;
  u32 exact_class = 0;          // a new object's; 0: not known

  bool is_constant() const { return kind == Kind::Constant; }
  bool is_int_constant() const { return kind == Kind::Constant && bits == static_cast<i32>(bits); }
};

struct LockSnippet;

class MethodCompiler {
 public:
  struct Result {
    CompiledCode* code = nullptr;    // null: not compiled
    u32 bytes = 0;
    const char* reason = "";
    bool is_cache_full = false;
  };

  MethodCompiler(Method* method, MethodCode* body, const Stubs& stubs, std::string* listing);
  // Under the compiler's lock. The code goes to the room, which it may be too large for.
  Result compile(const code_cache::Room& room);
  const std::vector<gdb::Call>& calls() const { return calls_; }   // of what has been compiled
  // False: synchronized, by an algorithm that has no snippet. The interpreter's entry locks then, and goes on in the code.
  static bool is_entered_inline(const Method* method);

 private:
  struct SlowPath;

  // --- the method (method_compiler.cpp) ---------------------------------------------------------------------------------------
  bool read_cells();
  void find_block_starts();
  void choose_pinned_locals();
  void find_dirty_locals();
  void emit_entry();
  void link_frame(u32 held);
  void emit_cell();
  void note_in_listing(Operation operation);
  static std::vector<u64> plain_words(const MethodCode* body);
  void start_block();
  void finish_slow_paths();
  void resume_after(const SlowPath& path);
  CompiledCode* install(uptr address, usize bytes);

  u32 bci(u32 cell) const { return body_->bcis[cell]; }
  Opcode opcode(u32 cell) const;
  u32 target_of(u32 cell) const { return cell + static_cast<u32>(interpreter::operand_b(words_[cell]) / static_cast<i32>(sizeof(Cell))); }
  bool starts_block(u32 cell) const { return cell < cell_count_ && block_[cell].starts; }

  // --- addresses -------------------------------------------------------------------------------------------------------------
  i32 frame_distance() const { return static_cast<i32>(max_locals_ * sizeof(Slot)); }
  Mem frame_field(usize offset, u32 bytes = 8) const { return x86::ptr(locals_register, frame_distance() + static_cast<i32>(offset), bytes); }
  Mem local_home(u32 local) const { return x86::qword_ptr(locals_register, static_cast<i32>(local * sizeof(Slot))); }
  i32 home_distance(i32 slot) const { return frame_distance() + static_cast<i32>(sizeof(Frame)) + slot * static_cast<i32>(sizeof(Slot)); }
  Mem home(u32 slot) const { return x86::qword_ptr(locals_register, home_distance(static_cast<i32>(slot))); }
  static Mem thread_field(usize offset, u32 bytes = 8) { return x86::ptr(thread_register, static_cast<i32>(offset), bytes); }

  // --- operands (operands.cpp) -------------------------------------------------------------------------------------------------
  u32 depth() const { return static_cast<u32>(stack_.size()); }
  Value& peek(u32 from_top = 0) { return stack_[stack_.size() - 1 - from_top]; }
  void push(Value value);
  void push_register(Gp value) { push({Value::Kind::Register, value.id()}); }
  void push_int(Gp value) { push({.kind = Value::Kind::Register, .number = value.id(), .zero_extended = true}); }
  void push_register(Xmm value) { push({Value::Kind::Register, xmm_base + value.id()}); }
  void push_constant(i64 bits) { push({.kind = Value::Kind::Constant, .bits = bits}); }
  void push_new(Gp value, u32 klass) { push({.kind = Value::Kind::Register, .number = value.id(), .not_null = true, .exact_class = klass}); }
  void push_int_constant(i32 bits) { push({.kind = Value::Kind::Constant, .bits = bits, .zero_extended = true}); }
  void push_unused() { push({Value::Kind::Unused}); }
  void push_home() { push({Value::Kind::Home}); }
  Value pop();
  Value pop_wide();        // the value; the slot below it goes too
  void set_depth(u32 depth);   // all in their homes

  // Makes sure that `count` operand registers (vector registers) are free besides those that the top `operands` slots are in.
  void reserve(u32 operands, u32 count);
  void reserve_xmm(u32 operands, u32 count);
  Gp allocate();
  Xmm allocate_xmm();
  Gp in_register(const Value& value);       // not to be changed
  Gp in_own_register(const Value& value);   // may be changed: nobody else refers to it
  Xmm in_xmm(const Value& value, bool is_double);
  Xmm in_own_xmm(const Value& value, bool is_double);
  void load_to(Gp target, const Value& value);
  void load_to(Xmm target, const Value& value);
  void load_constant(Gp target, u64 bits);
  void load_address(Gp target, const void* address) { load_constant(target, reinterpret_cast<u64>(address)); }
  // The value as the right operand of an instruction of 4 or 8 bytes: a register, or memory.
  asmjit::Operand as_operand(const Value& value, u32 bytes);
  asmjit::Operand as_xmm_operand(const Value& value, u32 bytes);
  void store_home(u32 slot, const Value& value);   // scratch: rax
  void flush();
  void flush_values(const std::vector<Value>& values);
  void remember_before() { before_.assign(stack_.begin(), inlining_ ? stack_.begin() + inline_base_ : stack_.end()); }
  Value at_home(Value value) const;   // the same in its home
  void spill_aliases_of(u32 local);
  void load_pinned(u32 local);
  void refresh_pinned();           // all copies good: before a block boundary
  void forget_pinned() { good_ = dirty_ = 0; }
  void write_back(u64 positions);
  void write_back_for(u32 target) { write_back(dirty_ & ~block_[target].dirty); }
  u32 position_of(u32 local) const;

  // --- slow paths ----------------------------------------------------------------------------------------------------------------
  SlowPath& add_slow_path(u32 cell, bool leaves);
  std::vector<u32> switch_targets(u32 cell) const;
  Label slow();                    // step this cell, with the operands as they were before it
  Label leaving();                 // leave at this cell
  // Null checks are left to the machine: the next instruction accesses the object within its first 64 KiB, and when that is the zero page the
  // signal handler goes on at slow().
  void implicit_null_check(const Value& object);
  void check_null(const Value& object, Gp loaded, u32 offset);   // implicit when the offset allows it
  void step_inline();              // this cell is run by the interpreter, always
  void leave_inline();
  void leave_for_good();           // nothing follows
  void flush_after_step();
  void run_in_interpreter(Operation operation, u64 word);
  void poll_in_interpreter(Operation operation, u64 word);
  static bool polls(Operation operation, u64 word);
  void poll();

  // --- emitters, by category -------------------------------------------------------------------------------------------------------
  using Emitter = void (MethodCompiler::*)(Operation operation, u64 word);
  friend struct EmitterTable;                            // method_compiler.cpp: which emits what
  void emit(Operation operation, u64 word);              // by the table
  void emit_local(Operation operation, u64 word);        // emit_locals.cpp
  void emit_shuffle(std::string_view from, std::string_view to);
  void emit_arithmetic(Operation operation, u64 word);   // emit_arithmetic.cpp
  void emit_branch(Operation operation, u64 word);       // emit_branches.cpp
  void emit_conditional_branch(Operation operation);
  void emit_array(Operation operation, u64 word);        // emit_arrays.cpp
  void emit_field(Operation operation, u64 word);        // emit_fields.cpp
  void emit_object(Operation operation, u64 word);       // emit_objects.cpp
  void emit_invoke(Operation operation, u64 word);       // emit_invoke.cpp
  void emit_return(Operation operation, u64 word);       // emit_invoke.cpp
  bool return_in_place(u32 cell);                        // when the cell is a return: once more here, with its operand where it is
  void emit_lock(Operation operation, u64 word);         // emit_sync.cpp
  void lock_inline(const LockSnippet& snippet);
  void unlock_inline(const LockSnippet& snippet);
  void lock_at_entry();                                  // of a synchronized method: its frame, too
  void release_at_return();                              // of a method that locks; leaves when that takes more than its own monitor. Two registers are free

  void store_local(u32 local, const Value& value, bool wide);
  template <typename Emit> void int_binary(Emit&& emit, bool is_long, bool commutes);
  void shift(Operation operation, bool is_long);
  void divide(bool is_long, bool remainder);
  bool divide_by_constant(bool remainder);
  void float_binary(Operation operation, bool is_double);
  void float_compare_result(bool is_double, bool nan_is_greater);
  void jump_if(x86::CondCode condition, u32 target, bool backward);
  void compare_and_jump(x86::CondCode condition, u32 target, bool backward, u32 operands);
  bool fuse_comparison(Operation operation);
  void jump(u32 target, bool backward);
  void note_target(u32 target);
  void emit_switch(Operation operation, u64 word);
  void search_keys(const interpreter::LookupSwitch* table, const SwitchProfile* profile, u32 low, u32 high, u32 cell, Label otherwise);
  // An element of byte[] or boolean[], which share the instruction: the value in eax, of which a boolean keeps only its lowest bit. Binds `store`.
  void store_low_byte(const Mem& to, Gp array, Label store);
  Mem checked_element(const Value& array_value, Gp array, const Value& index, u32 shift);
  bool field_is_floating() const;
  void array_load(u32 shift, Operation operation);
  void array_store(u32 shift, Operation operation);
  void aastore();
  void load_field(char type, Mem from, bool floating);   // types as in operations.def
  void store_field(char type, Mem to, const Value& value);
  void load_klass_id(Gp target, Gp object);   // 32 bits
  void load_klass(Gp target, Gp object, Gp scratch);
  void load_klass_of_id(Gp target, Gp id);
  void write_header(Gp object, u32 klass_id);
  void type_test(u64 word, bool is_cast);
  void begin_call(u32 cell, u32 slots, u32 arguments);
  void call_code(const asmjit::Operand& target);
  // emit_profile.cpp. Of the cell; null: it has none, or nobody counts.
  MethodData* profile() const;
  template <typename Profile> Profile* profile_at(u32 cell) const { return profile() == nullptr ? nullptr : profile()->at<Profile>(cell); }
  void count(const Counter& counter, Gp scratch);
  void count_way(BranchProfile* profile, bool taken);
  void count_known_class(TypeProfile* profile, u32 klass);
  void count_class(TypeProfile* profile, bool cold = false);
  void count_operand(TypeProfile* profile, Gp object, Label null);
  Label counting(const Counter* counter, Label target);
  // inlining.cpp. `guard` jumps to its label unless the receiver's class is one whose method is `target`; `call` is then made instead, with all operands in their
  // homes. False: nothing has been emitted.
  bool inline_call(Method* target, const std::function<void(Label)>& guard = {}, const std::function<void()>& call = {});
  bool emit_intrinsic(Method* target);
  // emit_strings.cpp. The receiver's class is known.
  bool emit_string_intrinsic(Method* target);
  void emit_char_at(bool of_string);
  void load_string_value(Gp target, const Value& receiver, Gp string);
  void leave_at_null(const Value& object);   // the next instruction accesses it
  void emit_inlined(Method* target);
  void emit_object_initializer();
  Label guard_failure(const std::function<void()>& call);
  void call_method(const Method* target);
  void finish_call(u32 argument_slots, char result_type);
  char result_type_of_call(u32 cell) const;   // as in its descriptor
  void store_reference(Mem to, const Value& value);

  // --- the method ---------------------------------------------------------------------------------------------------------------
  Method* method_;                 // while a callee is inlined: that one
  const MethodCode* body_;
  const Stubs& stubs_;
  std::string* listing_;
  u32 cell_count_, max_locals_;
  std::vector<u64> words_;         // plain operations
  bool inlining_ = false;
  u32 inline_base_ = 0;            // while a callee is inlined: operands when the call began, its arguments included; the state to leave in
  u32 inline_root_ = 0;            // and the invoke
  struct Block {
    bool starts = false;           // somebody jumps here
    bool is_backward_target = false;
    bool is_handler = false;
    i32 depth = -1;                // operands, once known
    u64 dirty = 0;                 // by position in pinned_: copies that may be dirty here
    Label label;
  };
  std::vector<Block> block_;
  std::vector<Label> entries_;     // valid: the frame can be handed over before this cell
  u32 cell_ = 0;
  bool reachable_ = true;
  bool failed_ = false;
  bool stepped_ = false;           // this cell is run by the interpreter

  // --- state of the block -----------------------------------------------------------------------------------------------------------
  std::vector<Value> stack_;
  u8 uses_[32] = {};               // how many slots are in the register
  u32 busy_ = 0;                   // registers of operands popped in this cell
  std::vector<i8> pin_;            // by local: register number, or -1
  std::vector<bool> pinned_int_;   // by local: it is an int wherever it is used, and its pin's upper half 0
  bool this_is_constant_ = false;  // local 0 is the receiver everywhere
  std::vector<u32> pinned_;        // the locals that have one
  u64 good_ = 0, dirty_ = 0;       // by position in pinned_; what is dirty is good

  // --- slow paths of this cell and of those before -------------------------------------------------------------------------------------
  struct SlowPath {
    Label label, again;            // `again` is valid: goes on there, in the state `after`
    u32 cell;
    bool leaves, counts;
    std::vector<Value> before, after;
    u64 good_after;
    u64 dirty = 0;                // written back first
    std::function<void()> call = {};   // not stepped: a call, and on in the state `after`
    bool returns_value = false;
  };
  std::vector<SlowPath> slow_paths_;
  i32 slow_of_cell_ = -1, leaving_of_cell_ = -1;
  std::vector<Value> before_;      // operands before this cell
  struct Site { u32 cell; Label cells; u64 word; };
  std::vector<Site> sites_;
  std::vector<gdb::Call> calls_;
  std::vector<u32> returns_;       // CompiledCode::returns
  std::vector<Method*> inlined_;   // CompiledCode::inlined
  void note_inlined(Method* target);
  i32 home_after_call_ = 0;        // of the top operand when the call begun last has returned
  CompiledCode* code_ = nullptr;
  struct ImplicitCheck { u32 offset; u32 slow_path; };
  std::vector<ImplicitCheck> implicit_checks_;
  std::vector<std::function<void()>> cold_;   // rare parts of cells, emitted behind the code; they jump back
  bool has_unresolved_ = false;
  Label entry_, overflow_;

  asmjit::CodeHolder holder_;
  x86::Assembler a_;
};

}  // namespace keyhole::baseline
